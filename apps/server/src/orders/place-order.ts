import { createHash } from "node:crypto";
import { FIRST_STATUS, type FieldError, priceOf } from "@keepsats/domain";
import type { CreateOrder, OrderLine } from "@keepsats/protocol";
import type { Clock } from "../clock.ts";
import type { Database, UnitOfWork } from "../db/database.ts";
import { commitInGroups } from "../db/in-groups.ts";
import type { Order, StorableOrder } from "./order.ts";
import { findOrders } from "./order-repository.ts";
import {
  claimKeys,
  findPlaced,
  insertOrders,
  type NewOrder,
  type PlacedBefore,
} from "./place-order-repository.ts";

const MAX_LINES_PER_COMMIT = 1_000;

/** Reads names and current prices (cents) by item id. Hidden and unknown items are left out. */
export type PricesOf = (
  unit: UnitOfWork,
  ids: readonly string[],
) => Promise<ReadonlyMap<string, { readonly name: string; readonly price: number }>>;

/** An order to be placed. A second request with the same `idempotencyKey` places no second order. */
export interface PlaceOrderRequest {
  readonly body: CreateOrder;
  readonly idempotencyKey?: string | undefined;
}

/**
 * The result: a new order; the order that the same request placed before, as it was then; or why none was placed.
 */
export type PlaceOrderOutcome =
  | { readonly kind: "placed"; readonly order: Order }
  | { readonly kind: "replayed"; readonly order: Order }
  | { readonly kind: "key-reused" }
  | { readonly kind: "invalid"; readonly errors: readonly FieldError[] };

/** The result before the orders of repeated requests are read. */
type Decision =
  | Exclude<PlaceOrderOutcome, { kind: "replayed" }>
  | { readonly kind: "placed-before"; readonly orderId: string };

export type PlaceOrder = (request: PlaceOrderRequest) => Promise<PlaceOrderOutcome>;

interface Dependencies {
  readonly database: Database;
  readonly pricesOf: PricesOf;
  readonly now: Clock;
  readonly newId: () => string;
}

/** Creates the use case that places orders: with prices from the database, in one transaction, with group commit. */
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
  const before = await findPlaced(unit, keys);
  const createdAt = now();
  const placed: NewOrder[] = [];

  const decisions = requests.map((request): Decision => {
    const key = request.idempotencyKey;
    const bodyHash = key === undefined ? "" : hashOf(request.body);
    const earlier = key === undefined ? undefined : before.get(key);
    if (earlier !== undefined) return repeated(earlier, bodyHash);

    const priced = priceLines(request.body, prices);
    if (priced.errors.length > 0) return { kind: "invalid", errors: priced.errors };
    const order = newOrder(newId(), request.body, priced.lines, createdAt);
    const idempotency = key === undefined ? undefined : { key, bodyHash };
    if (key !== undefined) before.set(key, { bodyHash, orderId: order.id });
    placed.push({ order, idempotency });
    return { kind: "placed", order };
  });

  const lost = await claimKeys(unit, placed);
  const kept = placed.filter(({ idempotency }) => idempotency === undefined || !lost.has(idempotency.key));
  await insertOrders(unit, kept);
  if (lost.size === 0) return withOrders(unit, decisions);
  // Another process has placed orders under these keys in the meantime: its orders are the valid ones.
  const theirs = await findPlaced(unit, [...lost]);
  const corrected = requests.map((request, index) => {
    const key = request.idempotencyKey;
    const decision = decisions[index];
    if (decision === undefined) throw new Error("there is a decision for every request");
    if (key === undefined || !lost.has(key)) return decision;
    const earlier = theirs.get(key);
    if (earlier === undefined) throw new Error("an idempotency key was taken, and is gone already");
    return repeated(earlier, hashOf(request.body));
  });
  return withOrders(unit, corrected);
}

function repeated(earlier: PlacedBefore, bodyHash: string): Decision {
  if (earlier.bodyHash !== bodyHash) return { kind: "key-reused" };
  return { kind: "placed-before", orderId: earlier.orderId };
}

/** Adds the orders of repeated requests to the decisions. */
async function withOrders(unit: UnitOfWork, decisions: readonly Decision[]): Promise<PlaceOrderOutcome[]> {
  const ids = decisions.flatMap((decision) => (decision.kind === "placed-before" ? decision.orderId : []));
  const orders = ids.length === 0 ? new Map<string, Order>() : await findOrders(unit.db, ids);
  return decisions.map((decision) => {
    if (decision.kind !== "placed-before") return decision;
    const order = orders.get(decision.orderId);
    if (order === undefined) throw new Error("an idempotency key names an order that is not stored");
    // The answer is that of the first request, whatever the order's status is now.
    return { kind: "replayed", order: { ...order, status: FIRST_STATUS } };
  });
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

function newOrder(
  id: string,
  { items: _, ...form }: CreateOrder,
  items: OrderLine[],
  at: number,
): StorableOrder {
  return {
    ...form,
    id,
    status: FIRST_STATUS,
    version: 1,
    payment_attempt_over: false,
    items,
    total_price: priceOf(items).total,
    created_at: at,
  };
}
