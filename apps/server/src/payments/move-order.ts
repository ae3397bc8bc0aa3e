import type { Database } from "../db/database.ts";
import { commitInGroups } from "../db/in-groups.ts";
import type { ChangeStatuses, StatusChange, StatusChangeOutcome } from "../orders/index.ts";
import type { RecordRefundsOwed } from "./record.ts";

/** A status change that the merchant requests. */
export type MerchantMove = Omit<StatusChange, "by" | "attemptOver">;
export type MoveOrder = (move: MerchantMove) => Promise<StatusChangeOutcome>;

interface Dependencies {
  readonly database: Database;
  readonly changeStatuses: ChangeStatuses;
  readonly recordRefundsOwed: RecordRefundsOwed;
}

/**
 * Creates the function that moves orders for the merchant, with group commit. If a paid order is cancelled, the refund
 * that is owed is recorded in the same transaction.
 */
export function createMoveOrder({ database, changeStatuses, recordRefundsOwed }: Dependencies): MoveOrder {
  const move = commitInGroups<StatusChange, StatusChangeOutcome>(database, async (unit, changes) => {
    const outcomes = await changeStatuses(unit, changes);
    const cancelled = changes.filter(
      ({ to }, index) => to === "Cancelled" && outcomes[index]?.kind === "changed",
    );
    await recordRefundsOwed(
      unit,
      cancelled.map(({ orderId }) => orderId),
    );
    return outcomes;
  });
  return (change) => move({ ...change, by: "merchant" });
}
