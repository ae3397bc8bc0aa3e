import {
  awaitsPayment,
  type Balances,
  balancesOf,
  hasOpenMoney,
  isOrderStatus,
} from "@keepsats/domain";
import type { LoanAccount, PayableOrder, StoredLoan } from "./rules-facts.ts";

/** What decides a cancellation. */
export interface CancellationKnown {
  readonly account: LoanAccount & { readonly order: PayableOrder };
  /**
   * The ids of the loans under way that count; by default all of the account. Anyone can request a
   * loan for any order, so a customer is stopped only by loans presented with the order's key.
   */
  readonly considered?: ReadonlySet<string> | undefined;
  /** The loans that may be paid out for the order and whose state the provider did not report. */
  readonly unseen: readonly string[];
}

/**
 * `cancel`: nothing stands against it. `unchanged`: it is cancelled already. `loan-under-way`: a
 * loan may still be paid out. `paid`: it has money that staff must decide about. `refused`: its
 * status permits no cancellation. `undecided`: the provider must be asked again.
 */
export type CancellationDecision =
  | { readonly kind: "cancel" | "unchanged" | "undecided" }
  | { readonly kind: "loan-under-way" | "paid" | "refused"; readonly status: string };

/** Decides the cancellation of an order that awaits its payment. */
export function cancellationOf({
  account,
  considered,
  unseen,
}: CancellationKnown): CancellationDecision {
  const { order, loans } = account;
  const { status } = order;
  if (status === "Cancelled") return { kind: "unchanged" };
  if (!isOrderStatus(status) || !awaitsPayment(status)) return { kind: "refused", status };
  const pays = loans.some(({ state, refusal }) => state === "paid-out" && refusal === undefined);
  if (pays || hasOpenMoney(balancesOf(account))) return { kind: "paid", status };
  const open = openLoansOf(account).filter(({ id }) => considered?.has(id) ?? true);
  if (open.length > 0) return { kind: "loan-under-way", status };
  return { kind: unseen.length > 0 ? "undecided" : "cancel" };
}

/** The loans that may still be paid out for an order. A dispute does not prove that one ended. */
export function openLoansOf({ loans }: LoanAccount): readonly StoredLoan[] {
  return loans.filter(({ state }) => state === "active" || state === "unknown");
}

/** The balances of an order as they are once it is cancelled. */
export function balancesOnceCancelled(account: LoanAccount): Balances {
  const { order } = account;
  if (order === undefined) return balancesOf(account);
  return balancesOf({ ...account, order: { ...order, status: "Cancelled" } });
}
