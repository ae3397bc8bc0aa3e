import type { UnitOfWork } from "../db/database.ts";
import { type Lane, lockOf, waitingTargets } from "./queue.ts";

/**
 * Makes deliveries due whose last attempt failed. Deliveries queued behind them follow; the
 * channels' workers pace them.
 *
 * @param now epoch milliseconds of the clock that all processes share
 * @param most the maximum number, earliest due first; unlimited by default
 * @returns the number of deliveries made due
 */
export async function retryWaiting(
  unit: UnitOfWork,
  channels: readonly string[],
  now: number,
  most?: number,
): Promise<number> {
  const lanes: Lane[] = [];
  for (const channel of channels)
    for (const target of await waitingTargets(unit.db, channel)) lanes.push({ channel, target });
  // All at once and in the same order as `storeEnds`, which locks several lanes in one transaction.
  await unit.lock(...lanes.map(lockOf));
  let retried = 0;
  for (const { channel, target } of lanes) {
    if (retried === most) break;
    let failed = unit.db
      .selectFrom("outbox")
      .select("position")
      .where("state", "=", "waiting")
      .where("channel", "=", channel)
      .where("target", "=", target)
      .where("attempts", ">", 0)
      .where("next_at", ">", now)
      .where("leased_until", "<=", now);
    if (most !== undefined) failed = failed.orderBy("next_at").limit(most - retried);
    const { numUpdatedRows } = await unit.db
      .updateTable("outbox")
      .set((eb) => ({
        next_at: now,
        // The extra attempt must not use up one of the retry delays.
        attempts: eb
          .case()
          .when("attempts", ">", 1)
          .then(eb("attempts", "-", 1))
          .else(1)
          .end(),
      }))
      .where("position", "in", failed)
      .executeTakeFirst();
    retried += Number(numUpdatedRows);
  }
  return retried;
}
