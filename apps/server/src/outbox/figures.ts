import type { Queries } from "../db/database.ts";

/** How much one channel has left. */
export interface ChannelFigures {
  readonly channel: string;
  readonly waiting: number;
  readonly givenUp: number;
  /**
   * When the oldest waiting delivery was announced, in epoch milliseconds; `undefined` if none
   * waits.
   */
  readonly oldest: number | undefined;
}

/**
 * Counts the deliveries that wait or were given up, by channel. Channels that have none are left
 * out.
 */
export async function countDeliveries(db: Queries): Promise<ChannelFigures[]> {
  const waiting = await counted(db, "waiting");
  const givenUp = await counted(db, "given-up");
  return [...new Set([...waiting.keys(), ...givenUp.keys()])].map((channel) => ({
    channel,
    waiting: waiting.get(channel)?.count ?? 0,
    givenUp: givenUp.get(channel)?.count ?? 0,
    oldest: waiting.get(channel)?.oldest,
  }));
}

/** Counts in an index alone, and reads the row of the oldest delivery of each channel. */
async function counted(db: Queries, state: "waiting" | "given-up") {
  const rows = await db
    .selectFrom("outbox")
    .select((eb) => [
      "channel",
      eb.fn.countAll<number>().as("count"),
      eb.fn.min("position").as("first"),
    ])
    .where("state", "=", state)
    .groupBy("channel")
    .execute();
  const oldest = await db
    .selectFrom("outbox")
    .select(["channel", "created_at"])
    .where("position", "in", [0, ...rows.map(({ first }) => first)])
    .execute();
  const createdAt = new Map(oldest.map(({ channel, created_at }) => [channel, created_at]));
  return new Map(
    rows.map(({ channel, count }) => [
      channel,
      { count: Number(count), oldest: createdAt.get(channel) },
    ]),
  );
}
