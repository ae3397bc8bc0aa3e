import type { AdminDelivery } from "@keepsats/protocol";
import type { Queries } from "../database/database.ts";
import type { DeliveryRow, Partition } from "./queue.ts";

/** A delivery of the admin API; the protocol's schema leaves out the other columns. */
export function deliveryAnswer(row: DeliveryRow): AdminDelivery {
  return { ...row, next_at: row.state === "waiting" ? row.next_at : null };
}

export async function findDelivery(db: Queries, id: string): Promise<DeliveryRow | undefined> {
  return db.selectFrom("outbox").selectAll().where("id", "=", id).executeTakeFirst();
}

interface Filter {
  readonly state?: DeliveryRow["state"] | undefined;
  /** Only deliveries before this position. */
  readonly before?: number | undefined;
  readonly limit: number;
}

/** The deliveries of a partition, newest first. */
export async function listDeliveries(
  db: Queries,
  { channel, target }: Partition,
  { state, before, limit }: Filter,
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

/** The maximum number of deliveries read for one subject. */
const MAX_OF_SUBJECT = 500;

/**
 * The deliveries about an order or item, oldest first.
 *
 * @param hidden a channel to leave out
 */
export async function listDeliveriesOfSubject(
  db: Queries,
  subject: string,
  hidden?: string,
): Promise<DeliveryRow[]> {
  let query = db.selectFrom("outbox").selectAll().where("subject", "=", subject);
  if (hidden !== undefined) query = query.where("channel", "<>", hidden);
  return query.orderBy("position").limit(MAX_OF_SUBJECT).execute();
}

interface FailedFilter {
  /** The last delivery of the page before; `endedAt` in epoch milliseconds. */
  readonly after?: { readonly endedAt: number; readonly position: number } | undefined;
  /** A channel to leave out. */
  readonly hidden?: string | undefined;
  readonly limit: number;
}

/** A page of the failed deliveries, the latest first. */
export async function listFailed(
  db: Queries,
  { after, hidden, limit }: FailedFilter,
): Promise<DeliveryRow[]> {
  let query = db
    .selectFrom("outbox")
    .selectAll()
    .where("state", "=", "failed")
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

/** The number of deliveries of one channel that wait or have failed. */
export interface DeliveryCounts {
  readonly channel: string;
  readonly waiting: number;
  readonly failed: number;
  /** When the event of the oldest waiting delivery was emitted, in epoch milliseconds. */
  readonly oldest: number | undefined;
}

/** Counts by channel; channels without such deliveries are left out. */
export async function countDeliveries(db: Queries): Promise<DeliveryCounts[]> {
  const waiting = new Map((await countByChannel(db, "waiting")).map((row) => [row.channel, row]));
  const failed = new Map((await countByChannel(db, "failed")).map((row) => [row.channel, row]));
  return [...new Set([...waiting.keys(), ...failed.keys()])].map((channel) => ({
    channel,
    waiting: waiting.get(channel)?.count ?? 0,
    failed: failed.get(channel)?.count ?? 0,
    oldest: waiting.get(channel)?.oldest,
  }));
}

/** A separate query for each state, because each state has its own partial index. */
function countByChannel(db: Queries, state: "waiting" | "failed") {
  return db
    .selectFrom("outbox")
    .select((eb) => [
      "channel",
      eb.fn.countAll<number>().as("count"),
      eb.fn.min("created_at").as("oldest"),
    ])
    .where("state", "=", state)
    .groupBy("channel")
    .execute();
}
