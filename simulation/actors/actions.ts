import type { OrderStatus } from "@keepsats/domain";

/**
 * The terms of a loan. `exact` lends the order's total in dollars; `unnamed` names no order, and
 * `misnamed` something else. The amount is a JSON `number`, has a `fraction` of a cent more, or is
 * `unreadable`.
 */
export type LoanTerms =
  | "exact"
  | "more"
  | "less"
  | "euros"
  | "token"
  | "unnamed"
  | "misnamed"
  | "number"
  | "fraction"
  | "unreadable";

/**
 * A change of a loan at the provider. `extend`: another loan extends it, which is marked some seconds
 * later. `repeat-payout`: a reversed payout is paid out again. `reactivate`: it is active again after
 * its payout.
 */
export type LoanChange =
  | "advance"
  | "reject"
  | "dispute"
  | "end-dispute"
  | "recover"
  | "extend"
  | "reverse-payout"
  | "repeat-payout"
  | "reactivate"
  | "lower-amount"
  | "raise-amount"
  | "name-other-order"
  | "unknown-status";

/** `reuse-loan` presents another customer's loan for the attacker's own order. */
export type Attack =
  | "reuse-loan"
  | "watch-other-order"
  | "invented-loan"
  | "wrong-key"
  | "name-other-order";

/** What a page subscribes to an order with: its loan, the order's key, or both. */
export type Credential = "loan" | "key" | "both";

/** What staff do to an order besides moving it. */
export type StaffAction =
  | "note"
  | "correct-address"
  | "correct-tracking"
  | "refund"
  | "reverse-refund"
  | "resolve"
  | "reopen"
  | "erase";

/** What customers (`request`, `withdraw`) and staff do to the returns of an order. */
export type ReturnAction = "request" | "withdraw" | "open" | "move" | "refund";

export type ProviderFault = "down" | "error" | "garbled" | "odd" | "slow" | "stuck" | "busy";

/**
 * Faults of the receivers of webhooks and emails. `closing`: they accept a message and close the
 * connection before they answer. `silent`: they accept it and never answer.
 */
export type ReceiverFault = "slow" | "failing" | "closing" | "silent" | "refusing";

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
      readonly action: StaffAction;
      /** From 0 to 1.2: the share of the refundable amount, or the resolution. */
      readonly share: number;
    }
  | {
      readonly kind: "return";
      readonly action: ReturnAction;
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
