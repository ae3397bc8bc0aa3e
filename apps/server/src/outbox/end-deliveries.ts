import type { UnitOfWork } from "../db/database.ts";
import { type Lane, lockOf } from "./queue.ts";

interface End {
  readonly state: "skipped" | "given-up";
  readonly answer: string;
  /** Epoch milliseconds of the clock that all processes share. */
  readonly now: number;
  /**
   * Only those that were announced before this time, in epoch milliseconds; all of them by default.
   */
  readonly announcedBefore?: number;
}

/** Ends the deliveries that wait in a lane, but not those that a process attempts at the moment. */
export async function endDeliveries(
  unit: UnitOfWork,
  lane: Lane,
  { state, answer, now, announcedBefore = Number.MAX_SAFE_INTEGER }: End,
): Promise<void> {
  await unit.lock(lockOf(lane));
  await unit.db
    .updateTable("outbox")
    .set({ state, answer, ended_at: now, next_at: now })
    .where("state", "=", "waiting")
    .where("channel", "=", lane.channel)
    .where("target", "=", lane.target)
    .where("leased_until", "<=", now)
    .where("created_at", "<", announcedBefore)
    .execute();
}
