import { createHash } from "node:crypto";
import { basketTotal, type FieldError } from "@keepsats/domain";
import type { CreateOrder, WirePlacedOrder } from "@keepsats/protocol";
import type { Clock } from "../clock.ts";
import type { Database, UnitOfWork } from "../db/database.ts";
import { commitInGroups } from "../db/in-groups.ts";
import { type Order, type OrderLine, wireOrder } from "./order.ts";
import {
  claimKeys,
  findAnswers,
  insertOrders,
  type NewOrder,
  type StoredAnswer,
} from "./place-order-repository.ts";

const MAX_LINES_PER_COMMIT = 1_000;

/** What an item costs now, in cents; hidden and unknown items are not among them. */
export type PricesOf = (
  unit: UnitOfWork,
  ids: readonly string[],
) => Promise<ReadonlyMap<string, { readonly name: string; readonly price: number }>>;

/** A basket that a shopper wants to buy. The same `idempotencyKey` never makes a second order. */
export interface PlaceOrderRequest {
  readonly body: CreateOrder;
  readonly idempotencyKey?: string | undefined;
}

/** What came of it: a new order, the answer that the same request got before, or why there is none. */
export type PlaceOrderOutcome =
  | { readonly kind: "placed"; readonly answer: WirePlacedOrder }
  | { readonly kind: "replayed"; readonly answer: string }
  | { readonly kind: "key-reused" }
  | { readonly kind: "invalid"; readonly errors: readonly FieldError[] };

export type PlaceOrder = (request: PlaceOrderRequest) => Promise<PlaceOrderOutcome>;

interface Dependencies {
  readonly database: Database;
  readonly pricesOf: PricesOf;
  readonly now: Clock;
  readonly newId: () => string;
}

/** Places orders: prices from the database, everything stored in one transaction, orders that arrive together committed together. */
export function createPlaceOrder(dependencies: Dependencies): PlaceOrder {
  return commitInGroups<PlaceOrderRequest, PlaceOrderOutcome>(
    dependencies.database,
    (unit, requests) => placeAll(unit, requests, dependencies),
    { weigh: ({ body }) => body.items.length, maxWeight: MAX_LINES_PER_COMMIT },
  );
}

async function placeAll(
  unit: UnitOfWork,
  requests: readonly PlaceOrderRequest[],
  { pricesOf, now, newId }: Dependencies,
): Promise<PlaceOrderOutcome[]> {
  const itemIds = new Set(requests.flatMap(({ body }) => body.items.map(({ item_id }) => item_id)));
  const prices = await pricesOf(unit, [...itemIds]);
  const keys = requests.flatMap(({ idempotencyKey }) => idempotencyKey ?? []);
  const answers = await findAnswers(unit, keys);
  const createdAt = now();
  const placed: NewOrder[] = [];

  const outcomes = requests.map((request): PlaceOrderOutcome => {
    const key = request.idempotencyKey;
    const bodyHash = key === undefined ? "" : hashOf(request.body);
    const earlier = key === undefined ? undefined : answers.get(key);
    if (earlier !== undefined) return replay(earlier, bodyHash);

    const priced = priceLines(request.body, prices);
    if (priced.errors.length > 0) return { kind: "invalid", errors: priced.errors };
    const order = newOrder(newId(), request.body, priced.lines, createdAt);
    const answer = wireOrder(order);
    const idempotency = key === undefined ? undefined : { key, bodyHash, answer: JSON.stringify(answer) };
    if (idempotency !== undefined) answers.set(idempotency.key, idempotency);
    placed.push({ order, idempotency });
    return { kind: "placed", answer };
  });

  const lost = await claimKeys(unit, placed);
  if (lost.size === 0) {
    await insertOrders(unit, placed);
    return outcomes;
  }
  // Another process has just answered these keys: what it answered stands.
  await insertOrders(
    unit,
    placed.filter(({ idempotency }) => idempotency === undefined || !lost.has(idempotency.key)),
  );
  const theirs = await findAnswers(unit, [...lost]);
  return requests.map((request, index) => {
    const key = request.idempotencyKey;
    const outcome = outcomes[index];
    if (outcome === undefined) throw new Error("there is an outcome for every request");
    if (key === undefined || !lost.has(key)) return outcome;
    const earlier = theirs.get(key);
    if (earlier === undefined) throw new Error("an idempotency key was taken, and is gone already");
    return replay(earlier, hashOf(request.body));
  });
}

function replay(earlier: StoredAnswer, bodyHash: string): PlaceOrderOutcome {
  if (earlier.bodyHash !== bodyHash) return { kind: "key-reused" };
  return { kind: "replayed", answer: earlier.answer };
}

function hashOf(body: CreateOrder): string {
  return createHash("sha256").update(JSON.stringify(body)).digest("base64url");
}

function priceLines(
  body: CreateOrder,
  prices: Awaited<ReturnType<PricesOf>>,
): { lines: OrderLine[]; errors: FieldError[] } {
  const lines: OrderLine[] = [];
  const errors: FieldError[] = [];
  for (const [index, { item_id, quantity }] of body.items.entries()) {
    const item = prices.get(item_id);
    if (item === undefined) {
      errors.push({ path: `items.${index}.item_id`, message: "This item is not available any more" });
    } else {
      lines.push({ id: item_id, name: item.name, price: item.price, quantity });
    }
  }
  return { lines, errors };
}

function newOrder(id: string, body: CreateOrder, lines: OrderLine[], createdAt: number): Order {
  return {
    id,
    status: "Pending",
    version: 1,
    attemptOver: false,
    customerName: body.customer_name,
    customerEmail: body.customer_email,
    shippingAddress: body.shipping_address,
    billingAddress: body.billing_address,
    total: basketTotal(lines),
    createdAt,
    lines,
  };
}
