import { balancesOf, hasOpenMoney } from "@keepsats/domain";
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
