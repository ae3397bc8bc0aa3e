import type { UnitOfWork } from "../db/database.ts";
import { lockOf } from "./queue.ts";

/**
 * Clears what targets have answered to the deliveries of a subject, such as an order: an answer may
 * repeat an address. An attempt that is being made at the moment stores no answer, and its delivery
 * is attempted again.
 *
 * @param now epoch milliseconds of the clock that all processes share
 */
export async function clearAnswers(unit: UnitOfWork, subject: string, now: number): Promise<void> {
  const { db } = unit;
  const lanes = await db
    .selectFrom("outbox")
    .select(["channel", "target"])
    .distinct()
    .where("subject", "=", subject)
    .execute();
  await unit.lock(...lanes.map(lockOf));
  await db.updateTable("outbox").set({ answer: null }).where("subject", "=", subject).execute();
  await db
    .updateTable("outbox")
    .set({ leased_until: 0, next_at: now })
    .where("subject", "=", subject)
    .where("state", "=", "waiting")
    .where("leased_until", ">", now)
    .execute();
}
