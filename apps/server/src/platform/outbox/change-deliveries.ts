import type { Queries, UnitOfWork } from "../database/database.ts";
import { findDelivery } from "./deliveries.ts";
import {
  type DeliveryRow,
  isWaitingIn,
  listWaitingTargets,
  lockOf,
  type Partition,
} from "./queue.ts";

interface RetryOptions {
  /** A channel whose deliveries the caller may not see. */
  readonly hidden?: string | undefined;
  /** An idempotency key: a request with a used key changes nothing. */
  readonly key?: string | undefined;
}

/**
 * Makes a delivery due in any state, with as many attempts as a new one. A delivery that is being
 * attempted stays as it is.
 *
 * @returns `undefined` if the id is unknown
 */
export async function retryDelivery(
  unit: UnitOfWork,
  id: string,
  now: number,
  { hidden, key }: RetryOptions = {},
): Promise<DeliveryRow | undefined> {
  const row = await findDelivery(unit.db, id);
  if (row === undefined || row.channel === hidden) return undefined;
  await unit.lock(lockOf(row));
  if (key !== undefined && !(await isFirstUse(unit.db, `delivery ${id} ${key}`, now)))
    return findDelivery(unit.db, id);
  const retried = await unit.db
    .updateTable("outbox")
    .set((eb) => ({
      state: "waiting",
      attempts: 0,
      manual_retries: eb("manual_retries", "+", 1),
      next_at: now,
      leased_until: 0,
      ended_at: null,
    }))
    .where("id", "=", id)
    .where("leased_until", "<=", now)
    .returningAll()
    .executeTakeFirst();
  return retried ?? findDelivery(unit.db, id);
}

/** Stores a key beside the keys of orders, which contain no spaces. Returns whether it is new. */
async function isFirstUse(db: Queries, key: string, now: number): Promise<boolean> {
  const stored = await db
    .insertInto("idempotency_keys")
    .values({ key, body_hash: "", order_id: null, created_at: now })
    .onConflict((conflict) => conflict.column("key").doNothing())
    .executeTakeFirst();
  return stored.numInsertedOrUpdatedRows === 1n;
}

/**
 * Makes the deliveries due whose last attempt failed. Deliveries queued behind them follow; the
 * channels' workers pace them.
 *
 * @returns the number of deliveries made due
 */
export async function retryWaiting(
  unit: UnitOfWork,
  channels: readonly string[],
  now: number,
): Promise<number> {
  const partitions: Partition[] = [];
  for (const channel of channels)
    for (const target of await listWaitingTargets(unit.db, channel))
      partitions.push({ channel, target });
  // All at once and in the order of `storeResults`, which locks several partitions too.
  await unit.lock(...partitions.map(lockOf));
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
    .where("state", "=", "waiting")
    .where("channel", "in", channels)
    .where("attempts", ">", 0)
    .where("next_at", ">", now)
    .where("leased_until", "<=", now)
    .executeTakeFirst();
  return Number(numUpdatedRows);
}

interface End {
  readonly state: "skipped" | "failed";
  readonly answer: string;
  readonly now: number;
}

/** Ends the waiting deliveries of a partition, except those that are being attempted. */
export async function endDeliveries(
  unit: UnitOfWork,
  partition: Partition,
  { state, answer, now }: End,
): Promise<void> {
  await unit.lock(lockOf(partition));
  await unit.db
    .updateTable("outbox")
    .set({ state, answer, ended_at: now, next_at: now })
    .where(isWaitingIn(partition))
    .where("leased_until", "<=", now)
    .execute();
}

/**
 * Erases the answers to the deliveries about a subject, such as an order: an answer may contain an
 * address. A running attempt then stores no answer, and its delivery is attempted again.
 */
export async function clearAnswers(unit: UnitOfWork, subject: string, now: number): Promise<void> {
  const { db } = unit;
  const partitions = await db
    .selectFrom("outbox")
    .select(["channel", "target"])
    .distinct()
    .where("subject", "=", subject)
    .execute();
  await unit.lock(...partitions.map(lockOf));
  await db.updateTable("outbox").set({ answer: null }).where("subject", "=", subject).execute();
  await db
    .updateTable("outbox")
    .set({ leased_until: 0, next_at: now })
    .where("subject", "=", subject)
    .where("state", "=", "waiting")
    .where("leased_until", ">", now)
    .execute();
}
