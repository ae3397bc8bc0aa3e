import { awaitsPayment, balancesOf, hasOpenMoney } from "@keepsats/domain";
import type { LoanAccount, Move, PayableOrder, StatusMove, StoredLoan } from "./types.ts";

/**
 * The move of an order when a loan that was not paid out becomes active or ends.
 *
 * @param others the other loans that are bound to the order
 */
export function moveFor(
  state: StoredLoan["state"],
  { status }: PayableOrder,
  others: readonly StoredLoan[],
): Move | undefined {
  switch (state) {
    case "active":
      return status === "Pending" ? { kind: "status", to: "PaymentProcessing" } : undefined;
    case "ended":
      if (others.some(paysOrMayPay)) return undefined;
      if (status === "Pending") return { kind: "record-failed-attempt" };
      if (status !== "PaymentProcessing") return undefined;
      return { kind: "status", to: "Pending", attemptFailed: true };
    case "paid-out":
    case "unknown":
      return undefined;
  }
}

/**
 * The move of an order whose only payout did not pay it, once staff have decided about its money:
 * the customer can pay again. The extensions of the account must be netted.
 */
export function moveOnceDecided(account: LoanAccount): StatusMove | undefined {
  const { order, loans } = account;
  if (order?.status !== "PaymentProcessing" || hasOpenMoney(balancesOf(account))) return undefined;
  const wasRefused = loans.some(
    ({ paidOutAt, refusal }) => paidOutAt !== undefined && refusal !== undefined,
  );
  if (!wasRefused || loans.some(paysOrMayPay)) return undefined;
  return { kind: "status", to: "Pending", attemptFailed: true };
}

function paysOrMayPay({ state, refusal }: StoredLoan): boolean {
  return state === "active" || (state === "paid-out" && refusal === undefined);
}

interface CancellationFacts {
  readonly account: LoanAccount & { readonly order: PayableOrder };
  /**
   * The ids of the loans that block while they are open; by default all. Anyone can request a loan
   * for any order, so only loans presented with the order's key block the customer.
   */
  readonly blockingIds?: ReadonlySet<string> | undefined;
  /** The loans that may be paid out for the order and whose state the provider did not report. */
  readonly unclear: readonly string[];
}

/**
 * `unchanged`: the order is already cancelled. `loan-active`: a loan may still be paid out.
 * `paid`: the order has money that staff must decide about. `refused`: its status permits no
 * cancellation. `undecided`: the provider must be asked again.
 */
type CancellationDecision =
  | { readonly kind: "cancel" | "unchanged" | "undecided" }
  | { readonly kind: "loan-active" | "paid" | "refused"; readonly status: string };

export function cancellationOf({
  account,
  blockingIds,
  unclear,
}: CancellationFacts): CancellationDecision {
  const { order, loans } = account;
  const { status } = order;
  if (status === "Cancelled") return { kind: "unchanged" };
  if (!awaitsPayment(status)) return { kind: "refused", status };
  const pays = loans.some(({ state, refusal }) => state === "paid-out" && refusal === undefined);
  if (pays || hasOpenMoney(balancesOf(account))) return { kind: "paid", status };
  const open = openLoansOf(account).filter(({ id }) => blockingIds?.has(id) ?? true);
  if (open.length > 0) return { kind: "loan-active", status };
  return { kind: unclear.length > 0 ? "undecided" : "cancel" };
}

/** The loans that may still be paid out for an order. A dispute does not prove that one ended. */
export function openLoansOf({ loans }: Pick<LoanAccount, "loans">): readonly StoredLoan[] {
  return loans.filter(({ state }) => state === "active" || state === "unknown");
}
