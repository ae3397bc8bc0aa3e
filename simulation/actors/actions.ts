import type { OrderStatus } from "@keepsats/domain";

/**
 * What a plan chooses from. A choice that is listed more often is more likely.
 *
 * - `terms`: `exact` lends the order's total in dollars; `unnamed` names no order, and `misnamed`
 *   something else. The amount is a JSON `number`, has a `fraction` of a cent more, or is
 *   `unreadable`.
 * - `credential`: a page subscribes to an order with its loan, the order's key, or both.
 * - `attack`: `reuse-loan` presents another customer's loan for the attacker's own order.
 * - `changeAfterPayout`: `extend` adds another loan, and the extended one is marked some seconds
 *   later. `repeat-payout` pays a reversed payout out again. `reactivate` makes the loan active again.
 * - `staffAction`: what staff do to an order besides moving it.
 * - `returnAction`: what customers (`request`, `withdraw`) and staff do to the returns of an order.
 * - `receiverFault`, of the receivers of webhooks and emails: `closing` accepts a message and closes the
 *   connection before it answers; `silent` accepts it and never answers.
 */
// biome-ignore format: one list after another is easier to read than 60 lines of one word.
export const choices = {
  terms: ["exact", "exact", "exact", "number", "fraction", "more", "less", "euros", "token",
    "unnamed", "misnamed", "unreadable"],
  credential: ["loan", "loan", "key", "both", "both"],
  attack: ["reuse-loan", "reuse-loan", "watch-other-order", "invented-loan", "wrong-key",
    "name-other-order"],
  changeBeforePayout: ["reject", "dispute", "dispute", "recover", "lower-amount",
    "name-other-order", "name-other-order", "unknown-status"],
  changeAfterPayout: ["extend", "extend", "extend", "dispute", "reverse-payout", "reverse-payout",
    "repeat-payout", "reactivate", "lower-amount", "raise-amount", "name-other-order", "advance"],
  staffAction: ["note", "correct-address", "correct-tracking", "refund", "refund", "refund",
    "refund", "reverse-refund", "resolve", "resolve", "resolve", "resolve", "reopen", "erase"],
  returnAction: ["request", "request", "withdraw", "open", "move", "move", "move", "refund",
    "refund"],
  providerFault: ["down", "error", "garbled", "odd", "slow", "stuck", "busy"],
  receiverFault: ["slow", "failing", "failing", "closing", "silent", "refusing"],
} as const;

type Choice<Name extends keyof typeof choices> = (typeof choices)[Name][number];
export type LoanTerms = Choice<"terms">;
export type Credential = Choice<"credential">;
export type Attack = Choice<"attack">;
export type LoanChange = Choice<"changeBeforePayout" | "changeAfterPayout"> | "end-dispute";
export type ProviderFault = Choice<"providerFault">;
export type ReceiverFault = Choice<"receiverFault">;

/** What a customer does, and what others do to the customer's last order and loan. */
type CustomerAction = { readonly customer: number } & (
  | { readonly kind: "buy"; readonly items: readonly number[]; readonly twice: boolean }
  | { readonly kind: "borrow"; readonly terms: LoanTerms }
  | { readonly kind: "subscribe"; readonly by: Credential }
  | { readonly kind: "close-page" | "cancel" | "correct-address" | "staff-read" }
  | { readonly kind: "attack"; readonly victim: number; readonly attack: Attack }
  | { readonly kind: "change-loan"; readonly change: LoanChange }
  | {
      readonly kind: "staff-move";
      readonly to: Extract<OrderStatus, "Shipped" | "Delivered" | "Cancelled">;
      /** Whether staff send the status that they have read. */
      readonly careful: boolean;
    }
  | {
      readonly kind: "staff-act";
      readonly action: Choice<"staffAction">;
      /** From 0 to 1.2: the share of the refundable amount, or the resolution. */
      readonly share: number;
    }
  | {
      readonly kind: "return";
      readonly action: Choice<"returnAction">;
      /** From 0 to 1.2: above 1 too many pieces; from 0.8 a return is declined. */
      readonly share: number;
    }
);

/** What the environment does to the shop. Durations are in milliseconds. */
export type Trouble =
  | { readonly kind: "provider-fault"; readonly fault: ProviderFault; readonly duration: number }
  | { readonly kind: "receiver-fault"; readonly fault: ReceiverFault; readonly duration: number }
  | { readonly kind: "crash"; readonly afterQueries: number; readonly downtime: number }
  | { readonly kind: "stop"; readonly downtime: number }
  | { readonly kind: "set-clock"; readonly by: number };

interface ItemEdit {
  readonly kind: "edit-item";
  readonly item: number;
  readonly cents: number;
  readonly hidden: boolean;
}

export type Action = CustomerAction | ItemEdit | Trouble;

/** An action and its time: the day, from 0, and the milliseconds since the start of that day. */
export type PlannedAction = Action & { readonly day: number; readonly at: number };
