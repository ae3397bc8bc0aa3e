import { randomUUID } from "node:crypto";
import { setTimeout as pause } from "node:timers/promises";
import { paths } from "@keepsats/protocol";
import { anOrder } from "../harness/builders.ts";
import { postOrder, subscribe } from "../harness/customer.ts";

/** Visitors of a shop who record every failed request and never retry. */
export interface Visitors {
  /** The number of successful requests. */
  readonly served: number;
  /** The failed requests, such as "GET / 502". */
  readonly failed: readonly string[];
  stop(): Promise<void>;
}

/** The pause between two requests of one visitor, in milliseconds. */
const PAUSE = 250;
/** The close code that a stopping server sends to its subscribers. */
const GOING_AWAY = 1001;

interface Options {
  /** The URL that they request, for example of a proxy in front of the shop. */
  readonly url: string;
  /** The shop's own origin. */
  readonly origin: string;
  /** The paid order that visitors subscribe to. */
  readonly order: { readonly id: string; readonly loanId: string };
}

/** Starts visitors who read the list and the page, place orders, and subscribe to one order. */
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
  /** Subscribes until the server closes the socket, and reconnects at once. */
  async function subscribeOnce(): Promise<number> {
    const subscriber = await subscribe({ url }, order.id, order.loanId, origin);
    const closed = new Promise<number>((resolve) => subscriber.socket.once("close", resolve));
    await subscriber.until("the order", ({ type }) => type === "order");
    while (!stopped && subscriber.socket.readyState === subscriber.socket.OPEN) await pause(PAUSE);
    if (stopped) await subscriber.close();
    return stopped ? GOING_AWAY : closed;
  }

  const visits = [
    again("GET /api/items", () => read(paths.items), 200),
    again("GET /api/items", () => read(paths.items), 200),
    again("GET /", () => read("/"), 200),
    again("POST /api/orders", place, 201),
    again("POST /api/orders", place, 201),
    again("subscribing", subscribeOnce, GOING_AWAY),
    again("subscribing", subscribeOnce, GOING_AWAY),
    again("subscribing", subscribeOnce, GOING_AWAY),
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
