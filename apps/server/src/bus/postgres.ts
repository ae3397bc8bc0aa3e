import pg from "pg";
import type { OpenLine } from "./networked.ts";

const CHANNEL = "keepsats";

/**
 * A line over PostgreSQL's LISTEN and NOTIFY, on a connection of its own: a notification never waits for the
 * transaction of an order, nor one of those for it.
 */
export function postgresLine(options: pg.ClientConfig): OpenLine {
  return async ({ heard, lost }) => {
    const client = new pg.Client(options);
    client.on("notification", ({ payload = "" }) => heard(payload));
    client.on("error", lost);
    client.on("end", () => lost(new Error("the connection has ended")));
    try {
      await client.connect();
      await client.query(`LISTEN ${CHANNEL}`);
    } catch (error) {
      client.end().catch(() => {});
      throw error;
    }
    return {
      send: async (text) => {
        await client.query("SELECT pg_notify($1, $2)", [CHANNEL, text]);
      },
      close: () => client.end(),
    };
  };
}
