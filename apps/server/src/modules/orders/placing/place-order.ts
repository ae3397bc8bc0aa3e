import { FIRST_STATUS } from "@keepsats/domain";
import type { PlaceOrderBody } from "@keepsats/protocol";
import type { NotNull } from "kysely";
import { groupCommit } from "../../../platform/database/batching.ts";
import { padKeys, type Queries, type UnitOfWork } from "../../../platform/database/database.ts";
import { Conflict, isDuplicateIn } from "../../../platform/database/faults.ts";
import type { EmitEvents } from "../../../platform/outbox/emit-events.ts";
import type { Platform } from "../../../platform/platform.ts";
import { Refusal } from "../../../platform/refusal.ts";
import { sha256Text } from "../../../platform/secrets.ts";
import type { Stock } from "../../catalogue/index.ts";
import { lineRowsOf, type NewOrder, newOrder, type Order, rowOf } from "../order.ts";
import { orderNumberSql } from "../order-number.ts";
import { findOrders } from "../order-repository.ts";
import {
  type ExpectedPrices,
  type Pieces,
  quote,
  readAndLock,
  sumOfPieces,
  takeFrom,
} from "./quote.ts";

const MAX_LINES_PER_COMMIT = 1_000;

export interface PlaceOrderRequest {
  readonly body: PlaceOrderBody;
  /** Retries with the same key place one order. */
  readonly idempotencyKey?: string | undefined;
  /** If the order differs from this, it is not placed. */
  readonly expected?: ExpectedPrices | undefined;
  /** The client's network, as the rate limits count it. */
  readonly client?: string | undefined;
}

/**
 * `repeated`: an earlier request with the same key placed this order; it has its first status,
 * unless it was cancelled since.
 */
export type PlaceOrderOutcome =
  | { readonly kind: "placed" | "repeated"; readonly order: Order }
  | Refusal;

export const keyReused = new Refusal("idempotency_conflict", {
  detail:
    "This Idempotency-Key was used with another body, for the order in Replaced-Order, or for an order whose links were revoked or whose personal data was erased.",
});

export type PlaceOrderDependencies = Pick<Platform, "bus" | "now" | "newId"> & {
  readonly stock: Stock;
  readonly emitEvents: EmitEvents;
};

export type PlaceOrder = ReturnType<typeof createPlaceOrder>;

/**
 * Places orders with group commit, with prices and stock read in the same transaction. A refused
 * order keeps no pieces and no idempotency key, so the same request may succeed later.
 */
export function createPlaceOrder({
  database,
  ...dependencies
}: PlaceOrderDependencies & Pick<Platform, "database">) {
  return groupCommit<PlaceOrderRequest, PlaceOrderOutcome>(
    database,
    (unit, requests) => placeAll(unit, requests, dependencies),
    { sizeOf: ({ body }) => body.items.length, maxSize: MAX_LINES_PER_COMMIT },
  );
}

/** Places orders inside the caller's transaction. Returns one outcome per request. */
export async function placeAll(
  unit: UnitOfWork,
  requests: readonly PlaceOrderRequest[],
  { stock, bus, now, newId, emitEvents }: PlaceOrderDependencies,
): Promise<PlaceOrderOutcome[]> {
  const itemIds = new Set(requests.flatMap(({ body }) => body.items.map(({ item_id }) => item_id)));
  const forSale = await readAndLock(unit, [...itemIds], stock);
  const keys = requests.flatMap(({ idempotencyKey }) => idempotencyKey ?? []);
  // After the locks: another process may have held them, and stored one of the keys.
  const used = await findEarlierOrders(unit, keys);
  const at = now();
  const left = new Map(forSale);
  const placed: OrderToInsert[] = [];
  // In the order of the requests: each sees the pieces that the earlier ones have left, and the
  // idempotency keys that they have used.
  const decisions = requests.map((request): Decision => {
    const { body, idempotencyKey: key, client } = request;
    const bodyHash = key === undefined ? "" : sha256Text(JSON.stringify(body));
    const before = key === undefined ? undefined : used.get(key);
    if (before !== undefined)
      return before.bodyHash === bodyHash
        ? { kind: "repeated", orderId: before.orderId }
        : keyReused;
    const quoted = quote(body.items, left, request.expected);
    if (quoted.kind !== "priced") return quoted;
    takeFrom(left, quoted.lines);
    const order = newOrder({
      ...body,
      id: newId(),
      items: quoted.lines,
      total_price: quoted.total,
      created_at: at,
      client_hash: client === undefined ? null : sha256Text(client),
    });
    if (key !== undefined) used.set(key, { bodyHash, orderId: order.id });
    placed.push({ order, idempotency: key === undefined ? undefined : { key, bodyHash } });
    return { kind: "placed", order };
  });

  const counted = new Set([...forSale].flatMap(([id, item]) => (item.stock === null ? [] : id)));
  await stock.take(unit, takenBy(placed, counted));
  const numbers = await insertOrders(unit, placed, counted);
  await emitEvents(
    unit,
    placed.map(({ order }) => ({ type: "order.placed", subject: order.id })),
  );
  unit.afterCommit(() => {
    // For the admin: a new order has no subscribers yet.
    for (const { order } of placed)
      bus.publish({ topic: "order", id: order.id, version: order.version });
  });
  return withOrders(unit, decisions, numbers);
}

/** An outcome before new orders have their numbers, and before earlier orders are read. */
type Decision =
  | Refusal
  | { readonly kind: "placed"; readonly order: NewOrder }
  | { readonly kind: "repeated"; readonly orderId: string };

/** The order that was placed under an idempotency key, and the hash of the request body. */
interface EarlierOrder {
  readonly bodyHash: string;
  readonly orderId: string;
}

async function withOrders(
  unit: UnitOfWork,
  decisions: readonly Decision[],
  numbers: ReadonlyMap<string, string>,
): Promise<PlaceOrderOutcome[]> {
  const ids = decisions.flatMap((decision) =>
    decision.kind === "repeated" ? decision.orderId : [],
  );
  const orders = ids.length === 0 ? new Map<string, Order>() : await findOrders(unit.db, ids);
  return decisions.map((decision) => {
    if (decision.kind === "placed") {
      const number = numbers.get(decision.order.id);
      if (number === undefined) throw new Error("a stored order has no number");
      return { kind: "placed", order: { ...decision.order, number } };
    }
    if (decision.kind !== "repeated") return decision;
    const order = orders.get(decision.orderId);
    if (order === undefined)
      throw new Error("an idempotency key names an order that is not stored");
    const status = order.status === "Cancelled" ? order.status : FIRST_STATUS;
    return { kind: "repeated", order: { ...order, status } };
  });
}

function takenBy(placed: readonly OrderToInsert[], counted: ReadonlySet<string>): Pieces {
  const lines = placed.flatMap(({ order }) => order.items).filter(({ id }) => counted.has(id));
  return sumOfPieces(lines.map(({ id: item_id, quantity }) => ({ item_id, quantity })));
}

/** An order to store, with the idempotency key of its request. */
export interface OrderToInsert {
  readonly order: NewOrder;
  readonly idempotency: { readonly key: string; readonly bodyHash: string } | undefined;
}

export async function findEarlierOrders(
  unit: UnitOfWork,
  keys: readonly string[],
): Promise<Map<string, EarlierOrder>> {
  if (keys.length === 0) return new Map();
  const rows = await unit.db
    .selectFrom("idempotency_keys")
    .select(["key", "body_hash as bodyHash", "order_id as orderId"])
    .where("key", "in", padKeys(keys))
    .where("order_id", "is not", null)
    .$narrowType<{ orderId: NotNull }>()
    .execute();
  return new Map(rows.map(({ key, ...placed }) => [key, placed]));
}

/**
 * Refuses all repetitions of earlier requests: no body has the stored hash. The
 * idempotency keys stay, so a repetition places no second order.
 */
export async function refuseRepeats(db: Queries): Promise<void> {
  await db
    .updateTable("idempotency_keys")
    .set({ body_hash: "" })
    .where("body_hash", "<>", "")
    .execute();
}

/**
 * Stores orders with their lines, first events and idempotency keys. Waits for another transaction
 * that stores one of the keys.
 *
 * @param counted the items whose stock the orders take their pieces from
 * @returns the order numbers, by the id of the order
 * @throws {Conflict} when another transaction has stored one of the keys first
 */
export async function insertOrders(
  unit: UnitOfWork,
  placed: readonly OrderToInsert[],
  counted: ReadonlySet<string> = new Set(),
): Promise<ReadonlyMap<string, string>> {
  const orders = placed.map(({ order }) => order);
  const rows = {
    // Always in the same order, so that two transactions cannot deadlock.
    idempotency_keys: placed.flatMap(keyRow).sort((one, other) => (one.key < other.key ? -1 : 1)),
    orders: orders.map(rowOf),
    order_lines: orders.flatMap((order) => lineRowsOf(order, counted)),
    order_events: orders.map(firstEventRow),
  };
  try {
    const numbers = await unit.insertAll(rows, { table: "orders", returning: orderNumberSql });
    return new Map(numbers.map(({ id, value }) => [id, value]));
  } catch (error) {
    if (!isDuplicateIn(error, "idempotency_keys")) throw error;
    throw new Conflict("another process has used an idempotency key first", { cause: error });
  }
}

function keyRow({ order, idempotency }: OrderToInsert) {
  if (idempotency === undefined) return [];
  const { key, bodyHash } = idempotency;
  return [{ key, body_hash: bodyHash, order_id: order.id, created_at: order.created_at }];
}

function firstEventRow(order: NewOrder) {
  return {
    order_id: order.id,
    version: order.version,
    kind: "placed",
    from_status: null,
    to_status: order.status,
    by: "customer",
    by_name: null,
    reason: null,
    data: null,
    at: order.created_at,
  };
}
