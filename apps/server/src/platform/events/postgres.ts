import pg from "pg";
import type { OpenTransport } from "./networked.ts";

const CHANNEL = "keepsats";

/**
 * A transport over PostgreSQL's LISTEN and NOTIFY. Its connections are outside the pool, so
 * notifications and transactions never wait for each other. Sender and receiver are two
 * connections: behind a pooler in transaction mode, a single one would receive its own
 * notifications only.
 */
export function postgresTransport(options: pg.ClientConfig): OpenTransport {
  return async (onMessage) => {
    const [receiver, sender] = [new pg.Client(options), new pg.Client(options)];
    const close = async () => {
      await Promise.all([receiver.end(), sender.end()]);
    };
    receiver.on("notification", ({ payload = "" }) => onMessage(payload));
    const lost = Promise.withResolvers<unknown>();
    for (const client of [receiver, sender]) {
      client.on("error", lost.resolve);
      client.on("end", () => lost.resolve(new Error("the connection has ended")));
    }
    try {
      await Promise.all([receiver.connect(), sender.connect()]);
      await receiver.query(`LISTEN ${CHANNEL}`);
    } catch (error) {
      close().catch(() => {});
      throw error;
    }
    return {
      lost: lost.promise,
      send: async (text) => {
        await sender.query("SELECT pg_notify($1, $2)", [CHANNEL, text]);
      },
      silenceHint:
        "; a connection pooler in transaction mode passes no notifications on: use session mode, or set REDIS_URL",
      close,
    };
  };
}
