import { awaitsPayment, type OrderStatus } from "@keepsats/domain";
import type { LoanState } from "@keepsats/protocol";
import type { OrderState } from "../orders/index.ts";
import type { OrderIssue } from "./issue.ts";
import type { Loan } from "./loan.ts";
import type { BoundLoan } from "./loan-repository.ts";

/** The fields of an order that a decision depends on; `total` in cents. */
export type PayableOrder = Pick<OrderState, "status" | "total">;

/**
 * Money that a payment issue has recorded of a loan that is not bound as paid: it is counted for
 * this order and for no other.
 */
export interface Claim {
  /** The id of the order; it may be one that the shop does not have. */
  readonly orderId: string;
  readonly isOfShop: boolean;
  /** The kind of the payment issue. */
  readonly kind: string;
  readonly cents: number;
  /** Whether somebody has resolved the payment issue. */
  readonly isResolved: boolean;
}

/** Everything that a decision about a loan depends on. */
export interface Known {
  /** The loan as the provider reports it now. */
  readonly loan: Loan;
  /** The order that a shopper presented the loan for. */
  readonly presentedFor: string | undefined;
  /** The stored loan, if it is bound to an order. */
  readonly bound: BoundLoan | undefined;
  readonly claim?: Claim | undefined;
  /**
   * The id of the order that the loan is bound to, or otherwise names; `order` is that order, if it
   * exists.
   */
  readonly orderId: string | undefined;
  readonly order: PayableOrder | undefined;
  /** The other loans that are bound to this order. */
  readonly others: readonly BoundLoan[];
  /**
   * Ids of the loans that the provider was asked about again for this decision; `all`: it is not
   * asked about any more loans.
   */
  readonly asked: ReadonlySet<string> | "all";
}

/** {@link Known} for a loan whose order exists and has a status that this version knows. */
export interface KnownOrder extends Known {
  readonly orderId: string;
  readonly order: PayableOrder & { readonly status: OrderStatus };
}

/** The change of the order. */
export type Move =
  | { readonly kind: "to"; readonly to: OrderStatus; readonly attemptOver?: boolean }
  | { readonly kind: "note-attempt-over" };

/** The values that are stored of a loan when it is bound, and each time that it changes. */
export type Binding = Omit<BoundLoan, "id" | "orderId" | "boundAt">;

/**
 * What a loan means for its order. `bound`: it belongs to the order. `refused`: it does not pay the
 * order. `ignored`: it names no order of the shop.
 */
export interface Decided {
  readonly kind: "bound" | "refused" | "ignored";
  readonly store?: Binding | undefined;
  readonly move?: Move | undefined;
  /** The id of another loan of the order that turns out to extend this one. */
  readonly extendedBy?: string | undefined;
  readonly issues: readonly OrderIssue[];
}

/**
 * The decision about a loan, or why there is none yet. `ask-first`: the provider must be asked
 * about another loan first. `undecided`: this version does not know the order's status, so the loan
 * is left to the version that stored it.
 */
export type Decision =
  | Decided
  | { readonly kind: "ask-first"; readonly loanId: string }
  | { readonly kind: "undecided" };

/** The values to store of the loan; `undefined` if none has changed. */
export function bindingOf(
  { loan, bound }: Known,
  state: LoanState,
  {
    cents = loan.cents,
    extends: extended = bound?.extends,
  }: Partial<Pick<Binding, "cents" | "extends">> = {},
): Binding | undefined {
  const store: Binding = {
    providerStatus: loan.providerStatus,
    state,
    // Kept, because the provider's status no longer says it once the loan is closed.
    wasExtended: loan.wasExtended || bound?.wasExtended === true,
    cents,
    extends: extended,
    updatedAt: Math.max(loan.updatedAt, bound?.updatedAt ?? 0),
  };
  const isSame =
    bound?.providerStatus === store.providerStatus &&
    bound.state === store.state &&
    bound.wasExtended === store.wasExtended &&
    bound.cents === store.cents &&
    bound.updatedAt === store.updatedAt;
  return isSame ? undefined : store;
}

/** The change of the order when a loan has another state than before. */
export function moveFor(
  state: LoanState,
  status: KnownOrder["order"]["status"],
  others: readonly BoundLoan[],
): Move | undefined {
  switch (state) {
    case "active":
      return status === "Pending" ? { kind: "to", to: "PaymentProcessing" } : undefined;
    case "ended": {
      const hasOtherHope = others.some(
        (other) => other.state === "active" || other.state === "paid-out",
      );
      if (!awaitsPayment(status) || hasOtherHope) return undefined;
      if (status === "Pending") return { kind: "note-attempt-over" };
      return { kind: "to", to: "Pending", attemptOver: true };
    }
    case "paid-out":
    case "unknown":
      return undefined;
  }
}
