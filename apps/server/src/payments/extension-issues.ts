import type { IssueKind } from "@keepsats/protocol";
import type { UnitOfWork } from "../db/database.ts";
import type { IssueKey } from "./issue-id.ts";

/** The kinds of payment issue about money of a loan that an order has received. */
const moneyKinds: readonly IssueKind[] = ["duplicate", "paid-after-cancel", "overpaid"];

/**
 * Moves the payment issues about the money of an extension to the earlier loan, which is seen for
 * the first time: the money is counted as that of the earlier one from now on. It has none of them
 * yet.
 *
 * @returns the open ones, as they were, with their money in cents
 */
export async function moveIssues(
  { db }: UnitOfWork,
  extension: string,
  earlier: string,
): Promise<(IssueKey & { readonly cents: number | null })[]> {
  const rows = await db
    .updateTable("payment_issues")
    .set({ loan_id: earlier })
    .where("loan_id", "=", extension)
    .where("kind", "in", moneyKinds)
    .where("cents", "is not", null)
    .returning(["order_id as orderId", "kind", "cents", "resolved_at"])
    .execute();
  return rows
    .filter(({ resolved_at }) => resolved_at === null)
    .map(({ orderId, kind, cents }) => ({ loanId: extension, orderId, kind, cents }));
}
