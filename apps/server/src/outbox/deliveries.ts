import type { DeliveryAnswer } from "@keepsats/protocol";
import type { Queries, UnitOfWork } from "../db/database.ts";
import { type DeliveryRow, type Lane, lockOf } from "./queue.ts";

interface Wanted {
  /** Only deliveries in this state. */
  readonly state?: DeliveryRow["state"] | undefined;
  /** Only those before this position. */
  readonly before?: number | undefined;
  readonly limit: number;
}

/** Reads at most `limit` deliveries of a lane, newest first. */
export async function listDeliveries(
  db: Queries,
  { channel, target }: Lane,
  { state, before, limit }: Wanted,
): Promise<DeliveryRow[]> {
  let query = db
    .selectFrom("outbox")
    .selectAll()
    .where("channel", "=", channel)
    .where("target", "=", target)
    .orderBy("position", "desc")
    .limit(limit);
  if (state !== undefined) query = query.where("state", "=", state);
  if (before !== undefined) query = query.where("position", "<", before);
  return query.execute();
}

/** The most deliveries of one order that are read. */
const MOST_OF_SUBJECT = 500;

/**
 * Reads the deliveries that tell of an order or item, oldest first, without those of the channel
 * `hidden`.
 */
export async function deliveriesOf(
  db: Queries,
  subject: string,
  hidden?: string,
): Promise<DeliveryRow[]> {
  let query = db.selectFrom("outbox").selectAll().where("subject", "=", subject);
  if (hidden !== undefined) query = query.where("channel", "<>", hidden);
  return query.orderBy("position").limit(MOST_OF_SUBJECT).execute();
}

/** A place in the list of given-up deliveries; `endedAt` in epoch milliseconds. */
export interface PlaceOfGivenUp {
  readonly endedAt: number;
  readonly position: number;
}

interface WantedOfGivenUp {
  readonly after?: PlaceOfGivenUp | undefined;
  /** A channel whose deliveries are left out. */
  readonly hidden?: string | undefined;
  readonly limit: number;
}

/**
 * Reads a page of at most `limit` deliveries that were given up, after a place, the latest first.
 */
export async function listGivenUp(
  db: Queries,
  { after, hidden, limit }: WantedOfGivenUp,
): Promise<DeliveryRow[]> {
  let query = db
    .selectFrom("outbox")
    .selectAll()
    .where("state", "=", "given-up")
    .orderBy("ended_at", "desc")
    .orderBy("position", "desc")
    .limit(limit);
  if (hidden !== undefined) query = query.where("channel", "<>", hidden);
  if (after !== undefined) {
    const { endedAt, position } = after;
    query = query.where(({ eb, refTuple, tuple }) =>
      eb(refTuple("ended_at", "position"), "<", tuple(endedAt, position)),
    );
  }
  return query.execute();
}

/**
 * Makes a delivery due again, whatever became of it: it is attempted as often as a new one. One
 * that is attempted at the moment stays as it is.
 *
 * @param now epoch milliseconds of the clock that all processes share
 * @param hidden a channel whose deliveries are not known here
 * @param key idempotency key: a request with a used key changes nothing
 * @returns the delivery; `undefined` if there is none with this id
 */
export async function repeatDelivery(
  unit: UnitOfWork,
  id: string,
  now: number,
  { hidden, key }: { readonly hidden?: string | undefined; readonly key?: string | undefined } = {},
): Promise<DeliveryRow | undefined> {
  const row = await findDelivery(unit.db, id);
  if (row === undefined || row.channel === hidden) return undefined;
  await unit.lock(lockOf(row));
  if (key !== undefined && !(await isFirstUse(unit.db, `delivery ${id} ${key}`, now)))
    return findDelivery(unit.db, id);
  const repeated = await unit.db
    .updateTable("outbox")
    .set((eb) => ({
      state: "waiting",
      attempts: 0,
      repeats: eb("repeats", "+", 1),
      next_at: now,
      leased_until: 0,
      ended_at: null,
    }))
    .where("id", "=", id)
    .where("leased_until", "<=", now)
    .returningAll()
    .executeTakeFirst();
  return repeated ?? findDelivery(unit.db, id);
}

/** Stores a key among those of orders, which contain no spaces. @returns whether it is new */
async function isFirstUse(db: Queries, key: string, now: number): Promise<boolean> {
  const stored = await db
    .insertInto("idempotency_keys")
    .values({ key, body_hash: "", order_id: null, created_at: now })
    .onConflict((conflict) => conflict.column("key").doNothing())
    .executeTakeFirst();
  return stored.numInsertedOrUpdatedRows === 1n;
}

async function findDelivery(db: Queries, id: string): Promise<DeliveryRow | undefined> {
  return db.selectFrom("outbox").selectAll().where("id", "=", id).executeTakeFirst();
}

/** A delivery as the merchant sees it; the protocol's schema leaves out its other columns. */
export function deliveryAnswer(row: DeliveryRow): DeliveryAnswer {
  return { ...row, next_at: row.state === "waiting" ? row.next_at : null };
}
