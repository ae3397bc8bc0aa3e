import { once } from "node:events";
import { paths } from "@keepsats/protocol";
import { WebSocket } from "ws";
import type { Program } from "./programs.ts";
import { seededContract, seededId } from "./seed.ts";

const OPENED_AT_ONCE = 200;

/** Open sockets of this process. */
export interface Sockets {
  /** Resolves when each has received a message from now on. */
  nextMessages(): Promise<void>;
  close(): Promise<void>;
}

/** The path with which a customer subscribes to the seeded order of this number. */
export function subscriptionPath(number: number): string {
  const query = { order_id: seededId(number), contract_id: seededContract(number) };
  return `${paths.orderStream}?${new URLSearchParams(query)}`;
}

/**
 * Opens a socket for each path, from an address of its own, and waits until each has received its
 * first message.
 */
export async function openSockets({ port }: Program, paths: readonly string[]): Promise<Sockets> {
  const sockets: WebSocket[] = [];
  while (sockets.length < paths.length) {
    const some = paths.slice(sockets.length, sockets.length + OPENED_AT_ONCE);
    const opened = some.map((path, index) => open(port, path, sockets.length + index));
    sockets.push(...(await Promise.all(opened)));
  }
  return {
    async nextMessages() {
      await Promise.all(sockets.map((socket) => once(socket, "message")));
    },
    async close() {
      const closed = sockets.map((socket) => once(socket, "close"));
      for (const socket of sockets) socket.terminate();
      await Promise.all(closed);
    },
  };
}

async function open(port: number, path: string, number: number): Promise<WebSocket> {
  const address = `10.${number >> 16}.${(number >> 8) & 255}.${number & 255}`;
  const socket = new WebSocket(`ws://127.0.0.1:${port}${path}`, {
    origin: "http://shop.example",
    perMessageDeflate: false,
    headers: { "x-forwarded-for": address },
  });
  await once(socket, "message");
  return socket;
}
