import pg from "pg";
import type { OpenLine } from "./networked.ts";

const CHANNEL = "keepsats";

/**
 * A line over PostgreSQL's LISTEN and NOTIFY, on connections of its own: a notification never waits for the
 * transaction of an order, nor one of those for it. One connection hears and another speaks: a pooler that gives each
 * transaction another session lets a connection hear what it says itself, and nothing else.
 */
export function postgresLine(options: pg.ClientConfig): OpenLine {
  return async ({ heard, lost }) => {
    const [hearer, speaker] = [new pg.Client(options), new pg.Client(options)];
    const close = async () => {
      await Promise.all([hearer.end(), speaker.end()]);
    };
    hearer.on("notification", ({ payload = "" }) => heard(payload));
    for (const client of [hearer, speaker]) {
      client.on("error", lost);
      client.on("end", () => lost(new Error("the connection has ended")));
    }
    try {
      await Promise.all([hearer.connect(), speaker.connect()]);
      await hearer.query(`LISTEN ${CHANNEL}`);
    } catch (error) {
      close().catch(() => {});
      throw error;
    }
    return {
      send: async (text) => {
        await speaker.query("SELECT pg_notify($1, $2)", [CHANNEL, text]);
      },
      ifSilent:
        "; a connection pooler in transaction mode passes no notifications on: use session mode, or set REDIS_URL",
      close,
    };
  };
}
