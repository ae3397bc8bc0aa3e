import { createClient } from "redis";
import type { OpenTransport } from "./networked.ts";

const CHANNEL = "keepsats";
/** The timeout for a connect, in milliseconds. */
const CONNECT_TIMEOUT = 5_000;

/** A transport over Redis PUBLISH and SUBSCRIBE. The bus reconnects, so the client's own reconnect is off. */
export function redisTransport(url: string): OpenTransport {
  return async ({ onMessage, onLost }) => {
    const sender = createClient({
      url,
      disableOfflineQueue: true,
      socket: { reconnectStrategy: false, connectTimeout: CONNECT_TIMEOUT },
    });
    const receiver = sender.duplicate();
    const close = async () => {
      for (const client of [sender, receiver]) if (client.isOpen) client.destroy();
    };
    for (const client of [sender, receiver]) {
      client.on("error", onLost);
      client.on("end", () => onLost(new Error("the connection has ended")));
    }
    try {
      await Promise.all([sender.connect(), receiver.connect()]);
      await receiver.subscribe(CHANNEL, onMessage);
    } catch (error) {
      await close();
      throw error;
    }
    return {
      send: async (text) => {
        await sender.publish(CHANNEL, text);
      },
      close,
    };
  };
}
