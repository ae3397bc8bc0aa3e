import { createClient } from "redis";
import type { OpenLine } from "./networked.ts";

const CHANNEL = "keepsats";
/** How long opening a connection may take, in milliseconds. */
const CONNECT_WITHIN = 5_000;

/** A line over Redis: one connection hears, another speaks. */
export function redisLine(url: string): OpenLine {
  return async ({ heard, lost }) => {
    const speaker = createClient({
      url,
      disableOfflineQueue: true,
      socket: { reconnectStrategy: false, connectTimeout: CONNECT_WITHIN },
    });
    const hearer = speaker.duplicate();
    const close = async () => {
      for (const client of [speaker, hearer]) if (client.isOpen) client.destroy();
    };
    for (const client of [speaker, hearer]) {
      client.on("error", lost);
      client.on("end", () => lost(new Error("the connection has ended")));
    }
    try {
      await Promise.all([speaker.connect(), hearer.connect()]);
      await hearer.subscribe(CHANNEL, heard);
    } catch (error) {
      await close();
      throw error;
    }
    return {
      send: async (text) => {
        await speaker.publish(CHANNEL, text);
      },
      close,
    };
  };
}
