import * as z from "zod/mini";
import { amountAsCents, openEnum, secondsAsMilliseconds } from "./codecs.ts";
import { type AdminEntry, currencyCode } from "./ledger.ts";

/**
 * The states of a loan.
 *
 * - `active`: requested, not paid out yet.
 * - `paid-out`: the principal was paid out. The shop keeps the money whatever happens to the loan
 *   later.
 * - `ended`: ended without a payout; it will never pay.
 * - `unknown`: the provider's status proves none of these, such as a dispute or a status that the
 *   shop does not know.
 */
export const loanStates = ["active", "paid-out", "ended", "unknown"] as const;
export type LoanState = (typeof loanStates)[number];

export const loanStateTextSchema = openEnum(loanStates);

/** A loan of an order. */
export const loanSchema = z.object({
  id: z.string(),
  /** The loan provider's own status. */
  provider_status: z.string(),
  state: loanStateTextSchema,
  /** The amount that it lends, or lent when it was paid out; `null` if unknown. */
  amount: z.nullable(amountAsCents),
  currency: currencyCode,
  /** Whether it extends another loan of the order and so brought no money. */
  is_extension: z.boolean(),
  bound_at: secondsAsMilliseconds,
});

/**
 * The loans of an order that may still be paid out: the active ones, and those of unknown state,
 * because a dispute before the payout does not prove that a loan has ended.
 */
export function openLoansIn<Loan extends { readonly id: string; readonly state: string }>(
  loans: readonly Loan[],
  { entries }: { readonly entries: readonly Pick<AdminEntry, "loan_id">[] },
): readonly Loan[] {
  const paidOut = new Set(entries.map(({ loan_id }) => loan_id));
  return loans.filter(
    ({ id, state }) => (state === "active" || state === "unknown") && !paidOut.has(id),
  );
}
