import type { OrderStatus } from "@keepsats/domain";
import type { OrderState } from "../orders/index.ts";
import type { Loan, Standing } from "./loan.ts";
import type { BoundLoan } from "./loan-repository.ts";
import type { OrderMismatch } from "./mismatch.ts";

/** What a decision needs to know of an order; `total` in cents. */
export type PayableOrder = Pick<OrderState, "status" | "total">;

/** Everything that a decision about a loan depends on. */
export interface Known {
  /** What the provider says of it now. */
  readonly loan: Loan;
  /** The order that a shopper presented it for. */
  readonly presentedFor: string | undefined;
  /** What was stored of it, where it is bound to an order. */
  readonly bound: BoundLoan | undefined;
  /** The order that it is bound to, or else names; and that order, if there is one. */
  readonly orderId: string | undefined;
  readonly order: PayableOrder | undefined;
  /** The other loans that are bound to this order. */
  readonly others: readonly BoundLoan[];
  /** Loans that the provider was asked about again for this decision; `all` where it is asked about no more. */
  readonly asked: ReadonlySet<string> | "all";
}

/** What is known of a loan whose order is ours. */
export interface KnownOrder extends Known {
  readonly orderId: string;
  readonly order: PayableOrder;
}

/** What becomes of the order. */
export type Move =
  | { readonly kind: "to"; readonly to: OrderStatus; readonly attemptOver?: boolean }
  | { readonly kind: "note-attempt-over" };

/** What is stored of a bound loan when it is bound, and each time that it changes. */
export type Binding = Omit<BoundLoan, "id" | "orderId" | "boundAt">;

/**
 * What a loan means for its order.
 * `bound`: it belongs to the order. `refused`: it does not pay the order. `ignored`: it is none of ours.
 * `ask-first`: nothing can be decided before the provider was asked about another loan.
 */
export type Decision =
  | {
      readonly kind: "bound" | "refused" | "ignored";
      readonly store?: Binding | undefined;
      readonly move?: Move | undefined;
      /** Another loan of the order that turns out to go on with this one. */
      readonly extendedBy?: string | undefined;
      readonly mismatches: readonly OrderMismatch[];
    }
  | { readonly kind: "ask-first"; readonly loanId: string };

/** What is stored of the loan now; `undefined` where nothing of it has changed. */
export function bindingOf(
  { loan, bound }: Known,
  standing: Standing,
  {
    cents = loan.cents,
    extends: extended = bound?.extends,
  }: Partial<Pick<Binding, "cents" | "extends">> = {},
): Binding | undefined {
  const store: Binding = {
    word: loan.word,
    standing,
    wasExtended: loan.wasExtended,
    cents,
    extends: extended,
    updatedAt: Math.max(loan.updatedAt, bound?.updatedAt ?? 0),
  };
  const isSame =
    bound?.word === store.word &&
    bound.standing === store.standing &&
    bound.wasExtended === store.wasExtended &&
    bound.cents === store.cents &&
    bound.updatedAt === store.updatedAt;
  return isSame ? undefined : store;
}
