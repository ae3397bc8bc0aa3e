import type { OrderStatus } from "@keepsats/domain";

/**
 * The terms of a loan. `exact` lends the order's total in dollars; `unnamed` names no order; the
 * amount of an `unreadable` one is not a number.
 */
export type LoanTerms = "exact" | "more" | "less" | "euros" | "token" | "unnamed" | "unreadable";

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

/** Durations are in milliseconds. An action that has become impossible is skipped. */
export type Action =
  | {
      readonly kind: "buy";
      readonly customer: number;
      readonly items: readonly number[];
      readonly twice: boolean;
    }
  | { readonly kind: "borrow"; readonly customer: number; readonly terms: LoanTerms }
  | { readonly kind: "subscribe"; readonly customer: number; readonly by: Credential }
  | { readonly kind: "close-page"; readonly customer: number }
  | {
      readonly kind: "attack";
      readonly customer: number;
      readonly victim: number;
      readonly attack: Attack;
    }
  | { readonly kind: "change-loan"; readonly customer: number; readonly change: LoanChange }
  | { readonly kind: "provider-fault"; readonly fault: ProviderFault; readonly duration: number }
  | { readonly kind: "receiver-fault"; readonly fault: ReceiverFault; readonly duration: number }
  | { readonly kind: "cancel" | "correct-address"; readonly customer: number }
  | { readonly kind: "staff-read"; readonly customer: number }
  | {
      readonly kind: "staff-move";
      readonly customer: number;
      readonly to: Extract<OrderStatus, "Shipped" | "Delivered" | "Cancelled">;
      /** Whether staff send the status that they have read. */
      readonly careful: boolean;
    }
  | {
      readonly kind: "staff-act";
      readonly customer: number;
      readonly action: StaffAction;
      /** From 0 to 1.2: the share of the refundable amount, or the resolution. */
      readonly share: number;
    }
  | {
      readonly kind: "return";
      readonly customer: number;
      readonly action: ReturnAction;
      /** From 0 to 1.2: above 1 too many pieces; from 0.8 a return is declined. */
      readonly share: number;
    }
  | {
      readonly kind: "edit-item";
      readonly item: number;
      readonly cents: number;
      readonly hidden: boolean;
    }
  | { readonly kind: "crash"; readonly afterQueries: number; readonly downtime: number }
  | { readonly kind: "stop"; readonly downtime: number }
  | { readonly kind: "set-clock"; readonly by: number };

/** An action and its time: the day, from 0, and the milliseconds since the start of that day. */
export type PlannedAction = Action & { readonly day: number; readonly at: number };
