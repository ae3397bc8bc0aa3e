import { idempotencyHeader, orderKeyHeader, paths, withId } from "@keepsats/protocol";
import { anOrder } from "../../test/harness/builders.ts";
import type { World } from "../world.ts";
import type { Page } from "./page.ts";
import { asCustomer } from "./requests.ts";

/** An acknowledged order. */
export interface PlacedOrder {
  readonly id: string;
  readonly key: string;
  /** In cents. */
  readonly total: number;
}

/** A purchase whose request is repeated until it is answered. */
export interface Purchase {
  /** Name and email address are unique to the purchase, so that its orders can be found. */
  readonly body: ReturnType<typeof anOrder>;
  readonly idempotencyKey: string;
  placed: PlacedOrder | undefined;
  refused: boolean;
}

export interface Customer {
  readonly number: number;
  readonly purchases: Purchase[];
  readonly loans: string[];
  page: Page | undefined;
}

export function newCustomer(number: number): Customer {
  return { number, purchases: [], loans: [], page: undefined };
}

/** The customer's last order. */
export function orderOf({ purchases }: Customer): PlacedOrder | undefined {
  return purchases.findLast(({ placed }) => placed !== undefined)?.placed;
}

/** In milliseconds. */
const RETRY_INTERVAL = 8_000;
const MAX_TRIES = 8;

const names = ["Ada Lovelace", "Zoë Ångström", "Łukasz Groß", "Mary-Ann O’Neill", "李 小龍"];

/**
 * @param places the items by their places in the catalogue, which may repeat
 * @param twice whether the request is sent twice at the same time
 */
export function buy(
  world: World,
  customer: Customer,
  places: readonly number[],
  twice: boolean,
): void {
  const { items } = world.state;
  const itemIds = places.flatMap((place) => items[place % items.length]?.id ?? []);
  const name = `c${customer.number}-${customer.purchases.length}`;
  const lines = [...new Set(itemIds)].map((item_id) => ({
    item_id,
    quantity: 1 + (item_id.length % 3),
  }));
  const purchase: Purchase = {
    body: anOrder({
      items: lines,
      customer_name: `${names[customer.number % names.length]} ${name}`,
      customer_email: `${name}@example.org`,
    }),
    idempotencyKey: name,
    placed: undefined,
    refused: false,
  };
  customer.purchases.push(purchase);
  placeOrder(world, purchase, MAX_TRIES);
  if (twice) placeOrder(world, purchase, 1);
}

/** Sends the order, and repeats the request until there is an answer. */
function placeOrder(world: World, purchase: Purchase, tries: number): void {
  if (tries === 0) return;
  world.after(RETRY_INTERVAL, () => {
    if (purchase.placed === undefined && !purchase.refused) placeOrder(world, purchase, tries - 1);
  });
  const { idempotencyKey, body } = purchase;
  const headers = { [idempotencyHeader]: idempotencyKey };
  world.request(
    { by: "customer", method: "POST", url: paths.orders, headers, payload: body },
    ({ statusCode, json }) => {
      world.note(`purchase ${idempotencyKey}: ${statusCode}`);
      if (statusCode === 422 || statusCode === 400 || statusCode === 409) purchase.refused = true;
      if (statusCode === 201) acknowledge(world, purchase, json());
    },
  );
}

/** Repeats all acknowledged requests: each must get the same answer. */
export function repeatPurchases(world: World, customers: readonly Customer[]): void {
  for (const purchase of customers.flatMap(({ purchases }) => purchases))
    if (purchase.placed !== undefined) placeOrder(world, purchase, 1);
}

function acknowledge(
  world: World,
  purchase: Purchase,
  { id, key, total_price }: { id: string; key: string; total_price: number },
): void {
  const placed = { id, key, total: Math.round(total_price * 100) };
  const { idempotencyKey, placed: before = placed } = purchase;
  if (before.id !== id || before.total !== placed.total || before.key !== key)
    world.fail("replay-differs", `${idempotencyKey} was answered ${before.id}, and then ${id}`);
  if (!world.state.orders.has(id))
    world.fail(
      "acknowledged-before-commit",
      `${idempotencyKey} was answered ${id}, which is not committed`,
    );
  purchase.placed ??= placed;
}

export function cancelOrder(world: World, order: PlacedOrder): void {
  const url = withId(paths.cancellation, order.id);
  const request = { method: "POST", url, headers: { [orderKeyHeader]: order.key } } as const;
  asCustomer(world, `cancel order ${order.id.slice(0, 8)}`, request, () => {
    if (world.state.orders.get(order.id)?.status !== "Cancelled")
      world.fail("acknowledged-cancellation-lost", `order ${order.id} is not cancelled`);
  });
}
