import type { Database, Queries } from "../db/database.ts";
import { commitInGroups } from "../db/in-groups.ts";
import type { ChangeStatuses, StatusChange, StatusChangeOutcome } from "../orders/index.ts";
import { refundDueOnceCancelled } from "./ledger.ts";
import { findBooks } from "./ledger-repository.ts";
import type { RecordRefundsDue } from "./record.ts";

/** A status change that the merchant requests. */
export type MerchantMove = Omit<StatusChange, "attemptOver">;
export type MoveOrder = (move: MerchantMove) => Promise<StatusChangeOutcome>;

interface Dependencies {
  readonly database: Database;
  readonly changeStatuses: ChangeStatuses;
  readonly recordRefundsDue: RecordRefundsDue;
}

/**
 * Creates the function that moves orders for the merchant, with group commit. If a paid order is
 * cancelled, the refund due is recorded in the same transaction, and the shopper is told how much
 * it is.
 */
export function createMoveOrder({
  database,
  changeStatuses,
  recordRefundsDue,
}: Dependencies): MoveOrder {
  return commitInGroups<StatusChange, StatusChangeOutcome>(database, async (unit, changes) => {
    await unit.lock(...changes.map(({ orderId }) => orderId));
    const outcomes = await changeStatuses(unit, await withRefundsDue(unit.db, changes));
    const cancelled = changes.filter(
      ({ to }, index) => to === "Cancelled" && outcomes[index]?.kind === "changed",
    );
    await recordRefundsDue(
      unit,
      cancelled.map(({ orderId }) => orderId),
    );
    return outcomes;
  });
}

/** Adds to each cancellation the refund due of the order. The orders are locked. */
async function withRefundsDue(
  db: Queries,
  changes: readonly StatusChange[],
): Promise<StatusChange[]> {
  const all: StatusChange[] = [];
  for (const change of changes) {
    const books = change.to === "Cancelled" ? await findBooks(db, change.orderId) : undefined;
    all.push(
      books === undefined ? change : { ...change, refundDue: refundDueOnceCancelled(books) },
    );
  }
  return all;
}
