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

/**
 * Customers who place orders without pause, each with its own idempotency key, and retry until there
 * is an answer.
 */
export interface Load extends AsyncDisposable {
  /** The answers, by idempotency key. */
  readonly acknowledged: ReadonlyMap<string, Placed>;
  /** The refusals, such as "503 unavailable", without lost connections. */
  readonly refusals: ReadonlySet<string>;
  /** Starts no further order; resolves when all orders are acknowledged. */
  stop(): Promise<void>;
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

/** Starts to place orders, at each of these servers alternately. */
export function startLoad(urls: () => readonly string[]): Load {
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
    acknowledged,
    refusals,
    stop,
    [Symbol.asyncDispose]: stop,
  };
}

/** Runs SQL directly, not through the shop. */
export type RunSql = (sql: string) => Promise<unknown[]>;

// PostgreSQL answers some numbers as texts.
const number = z.coerce.number();
const storedKeys = z.array(z.object({ key: z.string(), order_id: z.string() }));
const storedOrders = z.array(
  z.object({ id: z.string(), total: number, status: z.string(), version: number }),
);
const storedLines = z.array(z.object({ order_id: z.string(), price: number, quantity: number }));
const storedEvents = z.array(
  z.object({
    order_id: z.string(),
    version: number,
    from_status: z.string().nullable(),
    to_status: z.string(),
  }),
);
type StoredOrder = z.infer<typeof storedOrders>[number];
type StoredEvent = z.infer<typeof storedEvents>[number];

/**
 * Checks that each acknowledged order is stored once, as in its answer, with all its lines and
 * events, and that there is no other order, complete or partial.
 */
export async function expectNothingLost(
  run: RunSql,
  acknowledged: ReadonlyMap<string, Placed>,
): Promise<void> {
  const keys = storedKeys.parse(await run("SELECT key, order_id FROM idempotency_keys"));
  const stored = new Map(keys.map(({ key, order_id }) => [key, order_id]));
  expect([...acknowledged].filter(([key, placed]) => stored.get(key) !== placed.id)).toEqual([]);

  const orders = storedOrders.parse(await run("SELECT id, total, status, version FROM orders"));
  const lines = storedLines.parse(await run("SELECT order_id, price, quantity FROM order_lines"));
  const events = storedEvents.parse(await run("SELECT * FROM order_events ORDER BY version"));
  const known = new Set(stored.values());
  const answers = new Map([...acknowledged.values()].map((placed) => [placed.id, placed]));
  const linesOf = Map.groupBy(lines, ({ order_id }) => order_id);
  const eventsOf = Map.groupBy(events, ({ order_id }) => order_id);
  expect(orders).toHaveLength(stored.size);
  const wrong = orders.filter((order) => {
    const own = linesOf.get(order.id) ?? [];
    const sum = own.reduce((cents, { price, quantity }) => cents + price * quantity, 0);
    const answer = answers.get(order.id);
    const isAsAnswered =
      answer === undefined ||
      (own.length === answer.items.length && Math.round(answer.total_price * 100) === order.total);
    return (
      !known.has(order.id) ||
      own.length === 0 ||
      sum !== order.total ||
      !isAsAnswered ||
      !isWholeHistory(eventsOf.get(order.id) ?? [], order)
    );
  });
  expect(wrong).toEqual([]);
  expect([...linesOf.keys(), ...eventsOf.keys()].filter((id) => !known.has(id))).toEqual([]);
}

/**
 * Checks that each event begins with the status in which the previous one ended, and the last has
 * the order's status.
 */
function isWholeHistory(events: readonly StoredEvent[], { status, version }: StoredOrder): boolean {
  let before: string | null = null;
  for (const [index, event] of events.entries()) {
    if (event.version !== index + 1 || event.from_status !== before) return false;
    before = event.to_status;
  }
  return events.length === version && before === status;
}
