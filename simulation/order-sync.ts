import { orderPageSchema, paths } from "@keepsats/protocol";
import * as z from "zod/mini";
import type { CommittedOrder } from "./committed-state.ts";
import type { World } from "./world.ts";

type ListedOrder = z.output<typeof orderPageSchema>["orders"][number];

/** So few orders that one synchronization has several pages. */
const PAGE_SIZE = 3;
/** In milliseconds. */
const PAGE_INTERVAL = 20;

interface Run {
  /** The orders at its start. */
  readonly expected: readonly CommittedOrder[];
  /** When the last order that it has read was changed, in epoch seconds. */
  last: number;
}

/**
 * A client that synchronizes all orders with `updated_since`, as docs/operations/orders.md describes
 * it. It reads the changes to the end and continues from there the next time, or from the time to
 * which the clock was set back. If a request is not answered, it starts again where it started
 * before.
 */
export class OrderSync {
  /** The orders as they were last read. */
  readonly known = new Map<string, ListedOrder>();
  readonly #world: World;
  /** In epoch seconds. */
  #since = 0;
  /** The server's clock at the last run, in seconds. */
  #clock = 0;
  #run: Run | undefined;

  constructor(world: World) {
    this.#world = world;
  }

  /** Reads the changes since the last complete run, and ends an incomplete one. */
  run(): void {
    const clock = Date.now() / 1_000;
    if (clock < this.#clock) this.#since = Math.min(this.#since, clock);
    this.#clock = clock;
    const run = { expected: [...this.#world.state.orders.values()], last: this.#since };
    this.#run = run;
    this.#readPage(run);
  }

  #readPage(run: Run, cursor?: string): void {
    if (run !== this.#run) return;
    const query = new URLSearchParams({
      updated_since: String(this.#since),
      limit: String(PAGE_SIZE),
    });
    if (cursor !== undefined) query.set("cursor", cursor);
    this.#world.requestAsStaff(
      { method: "GET", url: `${paths.admin.orders}?${query}` },
      ({ statusCode, json }) => {
        if (statusCode !== 200 || run !== this.#run) return;
        const { orders, next_cursor } = z.decode(orderPageSchema, json());
        for (const order of orders) this.known.set(order.id, order);
        const last = orders.at(-1)?.updated_at;
        if (last !== undefined) run.last = last / 1_000;
        if (next_cursor === null) return this.#end(run);
        this.#world.after(PAGE_INTERVAL, () => this.#readPage(run, next_cursor));
      },
    );
  }

  /** A complete run has read each order as it was at its start, unless it has changed since. */
  #end({ expected, last }: Run): void {
    this.#since = last;
    const { state } = this.#world;
    for (const { id, version, status, customer_email: email } of expected) {
      const now = state.orders.get(id);
      if (now?.version !== version || now.customer_email !== email) continue;
      const shown = this.known.get(id);
      if (shown?.status !== status || shown.customer_email !== email)
        this.#world.fail(
          "change-missed",
          `order ${id} is ${status}; the client knows ${shown?.status}`,
        );
    }
  }
}
