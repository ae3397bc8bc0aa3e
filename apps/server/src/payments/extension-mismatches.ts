import type { MismatchKind } from "@keepsats/protocol";
import type { UnitOfWork } from "../db/database.ts";
import type { MismatchKey } from "./mismatch-id.ts";

/** The kinds of mismatch about money of a loan that an order has received. */
const moneyKinds: readonly MismatchKind[] = [
  "second",
  "paid-after-cancel",
  "refund-owed",
  "overpaid",
];

/**
 * Moves the mismatches about the money of an extension to the earlier loan, which is seen for the
 * first time: the money is counted as that of the earlier one from now on. It has none of them yet.
 *
 * @returns the open ones, as they were, with their money in cents
 */
export async function moveMismatches(
  { db }: UnitOfWork,
  extension: string,
  earlier: string,
): Promise<(MismatchKey & { readonly cents: number | null })[]> {
  const rows = await db
    .updateTable("mismatches")
    .set({ contract_id: earlier })
    .where("contract_id", "=", extension)
    .where("kind", "in", moneyKinds)
    .where("cents", "is not", null)
    .returning(["order_id as orderId", "kind", "cents", "resolved_at"])
    .execute();
  return rows
    .filter(({ resolved_at }) => resolved_at === null)
    .map(({ orderId, kind, cents }) => ({ contractId: extension, orderId, kind, cents }));
}
