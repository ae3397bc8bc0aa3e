import { awaitsPayment, balancesOf, hasOpenMoney } from "@keepsats/domain";
import { Refusal } from "../../../platform/refusal.ts";
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

/**
 * `unchanged`: the order is already cancelled. A refusal is `unavailable` if the provider must be
 * asked again.
 */
type CancellationDecision = { readonly kind: "cancel" | "unchanged" } | Refusal;

export function cancellationOf({
  account,
  blockingIds,
  unclear,
}: {
  readonly account: LoanAccount & { readonly order: PayableOrder };
  /**
   * The ids of the loans that block while they are open; by default all. Anyone can request a loan
   * for any order, so only loans presented with the order's key block the customer.
   */
  readonly blockingIds?: ReadonlySet<string> | undefined;
  /** The loans that may be paid out for the order and whose state the provider did not report. */
  readonly unclear: readonly string[];
}): CancellationDecision {
  const { order, loans } = account;
  const { status } = order;
  if (status === "Cancelled") return { kind: "unchanged" };
  if (!awaitsPayment(status))
    return new Refusal("transition_refused", {
      detail: `An order that is ${status} cannot be cancelled.`,
      current_status: status,
    });
  const pays = loans.some(({ state, refusal }) => state === "paid-out" && refusal === undefined);
  if (pays || hasOpenMoney(balancesOf(account)))
    return new Refusal("transition_refused", {
      detail: "A loan has been paid out for the order.",
      current_status: status,
    });
  const open = openLoansOf(account).filter(({ id }) => blockingIds?.has(id) ?? true);
  if (open.length > 0)
    return new Refusal("loan_active", {
      detail: "The order can be cancelled when the loan has ended without a payment.",
      current_status: status,
    });
  if (unclear.length > 0)
    return new Refusal("unavailable", {
      detail: "The loan provider cannot be asked about a loan for the order now.",
    });
  return { kind: "cancel" };
}

/** The loans that may still be paid out for an order. A dispute does not prove that one ended. */
export function openLoansOf({ loans }: Pick<LoanAccount, "loans">): readonly StoredLoan[] {
  return loans.filter(({ state }) => state === "active" || state === "unknown");
}
