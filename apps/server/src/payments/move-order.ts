import type { Database, Queries } from "../db/database.ts";
import { commitInGroups } from "../db/in-groups.ts";
import type { ChangeStatuses, StatusChange, StatusChangeOutcome } from "../orders/index.ts";
import { owedOnceCancelled } from "./ledger.ts";
import { findBooks } from "./ledger-repository.ts";
import type { RecordRefundsOwed } from "./record.ts";

/** A status change that the merchant requests. */
export type MerchantMove = Omit<StatusChange, "attemptOver">;
export type MoveOrder = (move: MerchantMove) => Promise<StatusChangeOutcome>;

interface Dependencies {
  readonly database: Database;
  readonly changeStatuses: ChangeStatuses;
  readonly recordRefundsOwed: RecordRefundsOwed;
}

/**
 * Creates the function that moves orders for the merchant, with group commit. If a paid order is
 * cancelled, the refund that is owed is recorded in the same transaction, and the shopper is told
 * how much it is.
 */
export function createMoveOrder({
  database,
  changeStatuses,
  recordRefundsOwed,
}: Dependencies): MoveOrder {
  return commitInGroups<StatusChange, StatusChangeOutcome>(database, async (unit, changes) => {
    await unit.lock(...changes.map(({ orderId }) => orderId));
    const outcomes = await changeStatuses(unit, await withSumsOwed(unit.db, changes));
    const cancelled = changes.filter(
      ({ to }, index) => to === "Cancelled" && outcomes[index]?.kind === "changed",
    );
    await recordRefundsOwed(
      unit,
      cancelled.map(({ orderId }) => orderId),
    );
    return outcomes;
  });
}

/** Adds to each cancellation what will be owed for the order. The orders are locked. */
async function withSumsOwed(
  db: Queries,
  changes: readonly StatusChange[],
): Promise<StatusChange[]> {
  const all: StatusChange[] = [];
  for (const change of changes) {
    const books = change.to === "Cancelled" ? await findBooks(db, change.orderId) : undefined;
    all.push(books === undefined ? change : { ...change, owed: owedOnceCancelled(books) });
  }
  return all;
}
