import { randomUUID } from "node:crypto";
import { setTimeout as pause } from "node:timers/promises";
import { expect } from "vitest";
import { z } from "zod";
import { anOrder } from "./builders.ts";
import { postOrder } from "./customer.ts";

/** The fields of an order's answer that these tests use. */
export interface Placed {
  readonly id: string;
  readonly total_price: number;
  readonly items: readonly {
    readonly id: string;
    readonly price: number;
    readonly quantity: number;
  }[];
}

const CUSTOMERS = 12;
/** The pause before a request without an answer is repeated, in milliseconds. */
const RETRY = 50;
const itemIds = ["moka-pot", "enamel-mug", "oak-chair", "field-watch", "iron-skillet"];

/** A cart of one to five lines, so that a partly stored order would be detected. */
function aCart() {
  return itemIds
    .slice(0, 1 + Math.floor(Math.random() * itemIds.length))
    .map((item_id) => ({ item_id, quantity: 1 + Math.floor(Math.random() * 9) }));
}

/**
 * Starts customers who place orders without pause, at each of these servers alternately. Each order
 * has its own idempotency key, and is sent again until there is an answer.
 */
export function startLoad(urls: () => readonly string[]) {
  const acknowledged = new Map<string, Placed>();
  const refusals = new Set<string>();
  let stopped = false;

  async function place(customer: number): Promise<void> {
    const key = randomUUID();
    const body = anOrder({ items: aCart() });
    for (let attempt = 0; !acknowledged.has(key); attempt += 1) {
      const all = urls();
      const url = all[(customer + attempt) % all.length] ?? "";
      try {
        const answer = await postOrder({ url }, body, { "idempotency-key": key });
        const json = await answer.json();
        if (answer.status === 201) acknowledged.set(key, json);
        else refusals.add(`${answer.status} ${json.code}`);
      } catch {
        // No answer: the order may be stored or not.
      }
      if (!acknowledged.has(key)) await pause(RETRY);
    }
  }

  async function shop(customer: number): Promise<void> {
    while (!stopped) await place(customer);
  }

  const customers = Array.from({ length: CUSTOMERS }, (_, customer) => shop(customer));
  async function stop(): Promise<void> {
    stopped = true;
    await Promise.all(customers);
  }
  return {
    /** The answers, by idempotency key. */
    acknowledged,
    /** The refusals, such as "503 unavailable", without lost connections. */
    refusals,
    /** Starts no further order; resolves when all orders are acknowledged. */
    stop,
    [Symbol.asyncDispose]: stop,
  };
}

/** Runs SQL directly, not through the shop. */
export type RunSql = (sql: string) => Promise<unknown[]>;

/** An order that has not exactly its lines' total, or whose events do not lead to its status. */
const BROKEN_ORDERS = `SELECT id FROM orders WHERE
    NOT EXISTS (SELECT 1 FROM order_lines WHERE order_id = orders.id AND
      orders.total = (SELECT sum(price * quantity) FROM order_lines WHERE order_id = orders.id))
    OR version <> (SELECT count(*) FROM order_events WHERE order_id = orders.id)
    OR status <> (SELECT to_status FROM order_events WHERE order_id = orders.id AND version = orders.version)
    OR EXISTS (SELECT 1 FROM order_events AS one LEFT JOIN order_events AS earlier
        ON earlier.order_id = one.order_id AND earlier.version = one.version - 1
      WHERE one.order_id = orders.id AND coalesce(one.from_status, '') <> coalesce(earlier.to_status, ''))
  UNION ALL SELECT order_id FROM order_lines WHERE order_id NOT IN (SELECT id FROM orders)
  UNION ALL SELECT order_id FROM order_events WHERE order_id NOT IN (SELECT id FROM orders)
  UNION ALL SELECT id FROM orders WHERE id NOT IN (SELECT order_id FROM idempotency_keys)
  UNION ALL SELECT order_id FROM idempotency_keys WHERE order_id NOT IN (SELECT id FROM orders)`;

// PostgreSQL answers some numbers as texts.
const storedOrders = z.array(
  z.object({ key: z.string(), id: z.string(), total: z.coerce.number(), lines: z.coerce.number() }),
);

/**
 * Checks that each acknowledged order is stored once, as in its answer, with all its lines and
 * events, and that there is no other order, complete or partial.
 */
export async function expectNothingLost(
  run: RunSql,
  acknowledged: ReadonlyMap<string, Placed>,
): Promise<void> {
  const stored = await run(
    `SELECT key, id, total, (SELECT count(*) FROM order_lines WHERE order_id = id) AS lines
      FROM idempotency_keys JOIN orders ON orders.id = order_id`,
  );
  const byKey = Map.groupBy(storedOrders.parse(stored), ({ key }) => key);
  const wrong = [...acknowledged].filter(([key, { id, total_price, items }]) => {
    const [order, ...more] = byKey.get(key) ?? [];
    const isAsAnswered =
      order?.id === id &&
      order.total === Math.round(total_price * 100) &&
      order.lines === items.length;
    return !isAsAnswered || more.length > 0;
  });
  expect(wrong).toEqual([]);
  expect(await run(BROKEN_ORDERS)).toEqual([]);
}
