import { hash } from "node:crypto";
import { type Cents, FIRST_STATUS } from "@keepsats/domain";
import type { CreateOrder, OrderLine } from "@keepsats/protocol";
import type { Clock } from "../clock.ts";
import type { Database, UnitOfWork } from "../db/database.ts";
import { commitInGroups } from "../db/in-groups.ts";
import type { Announce } from "../outbox/outbox.ts";
import {
  type ItemForSale,
  type ItemsForSale,
  type Pieces,
  readAndLock,
  sumOfPieces,
  takeFrom,
} from "./items-for-sale.ts";
import type { Order, StorableOrder } from "./order.ts";
import { findOrders } from "./order-repository.ts";
import {
  findPlaced,
  insertOrders,
  type NewOrder,
  type PlacedBefore,
} from "./place-order-repository.ts";
import { type Expected, quote, type Refusal } from "./quote.ts";

const MAX_LINES_PER_COMMIT = 1_000;

/**
 * An order to be placed. A second request with the same `idempotencyKey` places no second order.
 */
export interface PlaceOrderRequest {
  readonly body: CreateOrder;
  readonly idempotencyKey?: string | undefined;
  /** What the shopper saw. If the order differs from it now, it is not placed. */
  readonly expected?: Expected | undefined;
  /** The client's network, as the rate limits count it. */
  readonly client?: string | undefined;
}

/**
 * The result: a new order; the order that the same request placed before, as it was then unless it
 * was cancelled; or why none was placed.
 */
export type PlaceOrderOutcome =
  | { readonly kind: "placed"; readonly order: Order }
  | { readonly kind: "replayed"; readonly order: Order }
  | { readonly kind: "key-reused" }
  | Refusal;

/** The result before the orders of repeated requests are read. */
type Decision =
  | Exclude<PlaceOrderOutcome, { kind: "replayed" }>
  | { readonly kind: "placed-before"; readonly orderId: string };

export type PlaceOrder = (request: PlaceOrderRequest) => Promise<PlaceOrderOutcome>;

interface Dependencies {
  readonly database: Database;
  readonly items: ItemsForSale;
  readonly now: Clock;
  readonly newId: () => string;
  readonly announce: Announce;
  /** Called with each new order after its commit. */
  readonly onPlaced?: ((order: Order) => void) | undefined;
}

/**
 * Creates the use case that places orders: with prices and pieces from the database, in one
 * transaction, with group commit. An order that is refused keeps no pieces and no idempotency key,
 * so the same request may succeed later.
 */
export function createPlaceOrder(dependencies: Dependencies): PlaceOrder {
  return commitInGroups<PlaceOrderRequest, PlaceOrderOutcome>(
    dependencies.database,
    (unit, requests) => placeAll(unit, requests, dependencies),
    { weigh: ({ body }) => body.items.length, maxWeight: MAX_LINES_PER_COMMIT },
  );
}

/** Places an order inside the caller's transaction. */
export interface PlaceWithin {
  /**
   * Locks the items of the order and of another one whose pieces are restocked in the same
   * transaction. All are locked at once, before any other lock on items, so that transactions
   * cannot deadlock.
   */
  lockItems(unit: UnitOfWork, request: PlaceOrderRequest, otherOrderId: string): Promise<void>;
  place(unit: UnitOfWork, request: PlaceOrderRequest): Promise<PlaceOrderOutcome>;
}

export function createPlaceWithin(dependencies: Dependencies): PlaceWithin {
  return {
    async lockItems(unit, { body }, otherOrderId) {
      const lines = await unit.db
        .selectFrom("order_lines")
        .select("item_id")
        .where("order_id", "=", otherOrderId)
        .where("taken", ">", 0)
        .execute();
      const ids = new Set([...lines, ...body.items].map(({ item_id }) => item_id));
      await dependencies.items.lockCounted(unit, [...ids]);
    },
    async place(unit, request) {
      const [outcome] = await placeAll(unit, [request], dependencies);
      if (outcome === undefined) throw new Error("each request has an outcome");
      return outcome;
    },
  };
}

async function placeAll(
  unit: UnitOfWork,
  requests: readonly PlaceOrderRequest[],
  { items, now, newId, announce, onPlaced }: Dependencies,
): Promise<PlaceOrderOutcome[]> {
  const itemIds = new Set(requests.flatMap(({ body }) => body.items.map(({ item_id }) => item_id)));
  const forSale = await readAndLock(unit, [...itemIds], items);
  const keys = requests.flatMap(({ idempotencyKey }) => idempotencyKey ?? []);
  // Behind the locks: another process may have held them, and used one of the keys meanwhile.
  const before = await findPlaced(unit, keys);
  const { decisions, placed } = decideAll(requests, { forSale, before, newId, at: now() });

  const counted = new Set([...forSale].flatMap(([id, { stock }]) => (stock === null ? [] : id)));
  await items.take(unit, takenBy(placed, counted));
  await insertOrders(unit, placed, counted);
  await announce(
    unit,
    placed.map(({ order }) => ({ type: "order.placed", subject: order.id })),
  );
  unit.afterCommit(() => {
    for (const { order } of placed) onPlaced?.(order);
  });
  return withOrders(unit, decisions);
}

/** What the decisions about a group of requests follow from. */
interface Known {
  readonly forSale: ReadonlyMap<string, ItemForSale>;
  /** What was placed under the keys of the requests. */
  readonly before: ReadonlyMap<string, PlacedBefore>;
  readonly newId: () => string;
  readonly at: number;
}

/**
 * Decides in the order of the requests: each sees the pieces that those before have left, and the
 * keys that they have used.
 */
function decideAll(
  requests: readonly PlaceOrderRequest[],
  { forSale, before, newId, at }: Known,
): { decisions: Decision[]; placed: NewOrder[] } {
  const left = new Map(forSale);
  const used = new Map(before);
  const placed: NewOrder[] = [];
  const decisions = requests.map((request): Decision => {
    const key = request.idempotencyKey;
    const bodyHash = key === undefined ? "" : hashOf(JSON.stringify(request.body));
    const earlier = key === undefined ? undefined : used.get(key);
    if (earlier !== undefined) return repeated(earlier, bodyHash);

    const quoted = quote(request.body.items, left, request.expected);
    if (quoted.kind !== "priced") return quoted;
    takeFrom(left, quoted.lines);
    const clientHash = request.client === undefined ? null : hashOf(request.client);
    const order = newOrder(newId(), request.body, { ...quoted, at, clientHash });
    const idempotency = key === undefined ? undefined : { key, bodyHash };
    if (key !== undefined) used.set(key, { bodyHash, orderId: order.id });
    placed.push({ order, idempotency });
    return { kind: "placed", order };
  });
  return { decisions, placed };
}

function repeated(earlier: PlacedBefore, bodyHash: string): Decision {
  if (earlier.bodyHash !== bodyHash) return { kind: "key-reused" };
  return { kind: "placed-before", orderId: earlier.orderId };
}

/** Adds the orders of repeated requests to the decisions. */
async function withOrders(
  unit: UnitOfWork,
  decisions: readonly Decision[],
): Promise<PlaceOrderOutcome[]> {
  const ids = decisions.flatMap((decision) =>
    decision.kind === "placed-before" ? decision.orderId : [],
  );
  const orders = ids.length === 0 ? new Map<string, Order>() : await findOrders(unit.db, ids);
  return decisions.map((decision) => {
    if (decision.kind !== "placed-before") return decision;
    const order = orders.get(decision.orderId);
    if (order === undefined)
      throw new Error("an idempotency key names an order that is not stored");
    // The answer is that of the first request, unless the order can no longer be paid.
    const status = order.status === "Cancelled" ? order.status : FIRST_STATUS;
    return { kind: "replayed", order: { ...order, status } };
  });
}

function hashOf(text: string): string {
  return hash("sha256", text, "base64url");
}

/** The pieces that orders take of the items that are counted. */
function takenBy(placed: readonly NewOrder[], counted: ReadonlySet<string>): Pieces {
  const lines = placed.flatMap(({ order }) => order.items).filter(({ id }) => counted.has(id));
  return sumOfPieces(lines.map(({ id: itemId, quantity: pieces }) => ({ itemId, pieces })));
}

interface Priced {
  readonly lines: OrderLine[];
  readonly total: Cents;
  readonly at: number;
  readonly clientHash: string | null;
}

function newOrder(
  id: string,
  { items: _, ...form }: CreateOrder,
  { lines, total, at, clientHash }: Priced,
): StorableOrder {
  return {
    ...form,
    id,
    status: FIRST_STATUS,
    version: 1,
    payment_attempt_over: false,
    carrier: null,
    tracking_number: null,
    tracking_url: null,
    merchant_message: null,
    erased_at: null,
    client_hash: clientHash,
    items: lines,
    total_price: total,
    created_at: at,
  };
}
