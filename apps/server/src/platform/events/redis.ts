import { createClient } from "redis";
import type { OpenTransport } from "./networked.ts";

/** In milliseconds. */
const CONNECT_TIMEOUT = 5_000;

/**
 * A transport over Redis PUBLISH and SUBSCRIBE. The bus reconnects, so the client must not.
 *
 * @param channel unique to this shop, because several shops may share a Redis
 */
export function redisTransport(url: string, channel: string): OpenTransport {
  return async (onMessage) => {
    const sender = createClient({
      url,
      disableOfflineQueue: true,
      socket: { reconnectStrategy: false, connectTimeout: CONNECT_TIMEOUT },
    });
    const receiver = sender.duplicate();
    const close = async () => {
      for (const client of [sender, receiver]) if (client.isOpen) client.destroy();
    };
    const lost = Promise.withResolvers<unknown>();
    for (const client of [sender, receiver]) {
      client.on("error", lost.resolve);
      client.on("end", () => lost.resolve(new Error("the connection has ended")));
    }
    try {
      await Promise.all([sender.connect(), receiver.connect()]);
      await receiver.subscribe(channel, onMessage);
    } catch (error) {
      await close();
      throw error;
    }
    return {
      lost: lost.promise,
      send: async (text) => {
        await sender.publish(channel, text);
      },
      close,
    };
  };
}
