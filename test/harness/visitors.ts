import { randomUUID } from "node:crypto";
import { setTimeout as pause } from "node:timers/promises";
import { paths } from "@keepsats/protocol";
import { anOrder } from "@keepsats/testing";
import { follow, postOrder } from "./client.ts";

/** Visitors of a shop who record every failed request and never retry. */
export interface Visitors {
  /** The number of successful requests. */
  readonly served: number;
  /** The failed requests, such as "GET / 502". */
  readonly failed: readonly string[];
  stop(): Promise<void>;
}

/** The pause between two requests of one visitor, in milliseconds. */
const PAUSE = 25;

interface Options {
  /** The URL that they request, for example of a proxy in front of the shop. */
  readonly url: string;
  /** The shop's own origin. */
  readonly origin: string;
  /** A paid order to follow. */
  readonly order: { readonly id: string; readonly contract: string };
}

/** Starts visitors who read the list and the page, place orders, and follow one order. */
export function startVisitors({ url, origin, order }: Options): Visitors {
  const failed: string[] = [];
  let served = 0;
  let stopped = false;

  async function again(
    name: string,
    visit: () => Promise<number>,
    expected: number,
  ): Promise<void> {
    while (!stopped) {
      const outcome = await visit().catch((error: unknown) => `no answer (${String(error)})`);
      if (outcome === expected) served += 1;
      else failed.push(`${name}: ${outcome}`);
      await pause(PAUSE);
    }
  }
  async function read(path: string): Promise<number> {
    const response = await fetch(`${url}${path}`);
    await response.arrayBuffer();
    return response.status;
  }
  async function place(): Promise<number> {
    const response = await postOrder({ url }, anOrder(), { "idempotency-key": randomUUID() });
    await response.arrayBuffer();
    return response.status;
  }
  /** Follows until the server closes the socket, and reconnects at once. */
  async function followOnce(): Promise<number> {
    const follower = await follow({ url }, order.id, order.contract, origin);
    const closed = new Promise<number>((resolve) => follower.socket.once("close", resolve));
    await follower.until("the order", ({ type }) => type === "order");
    while (!stopped && follower.socket.readyState === follower.socket.OPEN) await pause(PAUSE);
    if (stopped) await follower.close();
    return stopped ? GOING_AWAY : closed;
  }

  const visits = [
    again("GET /api/items", () => read(paths.items), 200),
    again("GET /api/items", () => read(paths.items), 200),
    again("GET /", () => read("/"), 200),
    again("POST /api/orders", place, 201),
    again("POST /api/orders", place, 201),
    again("following", followOnce, GOING_AWAY),
    again("following", followOnce, GOING_AWAY),
    again("following", followOnce, GOING_AWAY),
  ];
  return {
    get served() {
      return served;
    },
    failed,
    async stop() {
      stopped = true;
      await Promise.all(visits);
    },
  };
}

/** The close code that a stopping server sends to its followers. */
const GOING_AWAY = 1001;
