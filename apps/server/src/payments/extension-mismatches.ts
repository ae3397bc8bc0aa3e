import type { MismatchKind } from "@keepsats/protocol";
import type { UnitOfWork } from "../db/database.ts";
import type { MismatchKey } from "./mismatch-id.ts";
import { unresolved } from "./mismatch-repository.ts";

/** The kinds of mismatch about money of a loan that an order has received. */
const moneyKinds: readonly MismatchKind[] = ["second", "paid-after-cancel", "refund-owed"];

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
    .where("kind", "in", [...moneyKinds, "overpaid"])
    .where("cents", "is not", null)
    .returning(["order_id as orderId", "kind", "cents", "resolved_at"])
    .execute();
  return rows
    .filter(({ resolved_at }) => resolved_at === null)
    .map(({ orderId, kind, cents }) => ({ contractId: extension, orderId, kind, cents }));
}

/**
 * Corrects the mismatches about money that an extension has not brought. They are open again,
 * because staff may have given back money that never came.
 *
 * @returns which they are
 */
export async function emptyMismatches(
  { db }: UnitOfWork,
  extension: string,
  earlier: string,
): Promise<MismatchKey[]> {
  const detail = `It goes on with loan ${earlier}, which was extended: it brought no money of its own.`;
  return db
    .updateTable("mismatches")
    .set({ detail, cents: null, ...unresolved })
    .where("contract_id", "=", extension)
    .where("kind", "in", moneyKinds)
    .returning(["contract_id as contractId", "order_id as orderId", "kind"])
    .execute();
}
