import { orderPageSchema, paths } from "@keepsats/protocol";
import * as z from "zod/mini";
import type { CommittedOrder } from "./committed.ts";
import { STAFF } from "./shop.ts";
import type { World } from "./world.ts";

/** An order as a list shows it. */
type Listed = z.output<typeof orderPageSchema>["orders"][number];

/** So few orders that one reading has several pages. */
const PAGE = 3;
/** The time between two pages, in milliseconds. */
const BETWEEN_PAGES = 20;

/**
 * A program of the merchant that follows all changes of orders, as docs/operations.md describes it.
 * It reads the list of changes to the end, and goes on from there the next time, or from the time to
 * which the clock was set back. When a request is not answered, it begins again where it began
 * before.
 */
export class Reader {
  /** The orders as they were last read. */
  readonly known = new Map<string, Listed>();
  readonly #world: World;
  /** In seconds since 1970. */
  #since = 0;
  /** The servers' clock at the last reading, in seconds: whether it was set back since. */
  #clock = 0;
  #readings = 0;

  constructor(world: World) {
    this.#world = world;
  }

  /**
   * Reads what has changed since the last complete reading. An earlier reading that is not complete
   * ends.
   */
  read(): void {
    this.#readings += 1;
    const { committed } = this.#world;
    const clock = Date.now() / 1_000;
    if (clock < this.#clock) this.#since = Math.min(this.#since, clock);
    this.#clock = clock;
    const expected = [...committed.state().orders.values()];
    this.#readPage(this.#readings, { cursor: undefined, expected, since: this.#since });
  }

  #readPage(
    reading: number,
    {
      cursor,
      expected,
      since,
    }: { cursor?: string | undefined; expected: CommittedOrder[]; since: number },
  ): void {
    const { shop } = this.#world;
    if (shop === undefined || reading !== this.#readings) return;
    const query = new URLSearchParams({ updated_since: String(this.#since), limit: String(PAGE) });
    if (cursor !== undefined) query.set("cursor", cursor);
    shop.request(
      { method: "GET", url: `${paths.merchant.orders}?${query}`, headers: STAFF },
      ({ statusCode, json }) => {
        if (statusCode !== 200 || reading !== this.#readings) return;
        const { orders, next_cursor } = z.decode(orderPageSchema, json());
        for (const order of orders) this.known.set(order.id, order);
        const last = (orders.at(-1)?.updated_at ?? since * 1_000) / 1_000;
        if (next_cursor === null) return this.#end(last, expected);
        const place = { cursor: next_cursor, expected, since: last };
        this.#world.after(BETWEEN_PAGES, () => this.#readPage(reading, place));
      },
    );
  }

  /**
   * A complete reading must have shown each order as it was when the reading began, unless it has
   * changed meanwhile.
   */
  #end(since: number, expected: readonly CommittedOrder[]): void {
    this.#since = since;
    const { state } = this.#world;
    for (const { id, version, status, email } of expected) {
      const now = state.orders.get(id);
      if (now?.version !== version || now.email !== email) continue;
      const shown = this.known.get(id);
      if (shown?.status !== status || shown.customer_email !== email)
        this.#world.fail(
          "change-missed",
          `order ${id} is ${status}; its reader knows ${shown?.status}`,
        );
    }
  }
}
