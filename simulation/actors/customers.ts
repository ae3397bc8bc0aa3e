import type { OrderStatus } from "@keepsats/domain";
import { idempotencyHeader, orderKeyHeader, paths, withId } from "@keepsats/protocol";
import { DAY } from "../../apps/server/src/platform/scheduling/clock.ts";
import { anAddress, anOrder } from "../../test/harness/builders.ts";
import type { World } from "../world.ts";
import type { Action } from "./actions.ts";
import type { Page } from "./page.ts";

/** An acknowledged order. */
export interface PlacedOrder {
  readonly id: string;
  readonly key: string;
  /** In cents. */
  readonly total: number;
  /** The time of the answer, in epoch milliseconds. */
  readonly at: number;
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
  /** The number of address corrections so far. */
  corrections: number;
  page: Page | undefined;
  /** The order's status when staff last read it. */
  readByStaff: OrderStatus | undefined;
}

export type Customers = Map<number, Customer>;

export function customerOf(customers: Customers, number: number): Customer {
  const known = customers.get(number);
  if (known !== undefined) return known;
  const customer: Customer = {
    number,
    purchases: [],
    loans: [],
    corrections: 0,
    page: undefined,
    readByStaff: undefined,
  };
  customers.set(number, customer);
  return customer;
}

/** The customer's last order. */
export function orderOf(customer: Customer | undefined): PlacedOrder | undefined {
  return customer?.purchases.findLast(({ placed }) => placed !== undefined)?.placed;
}

/** In milliseconds. */
const RETRY_INTERVAL = 8_000;
const MAX_TRIES = 8;

const names = ["Ada Lovelace", "Zoë Ångström", "Łukasz Groß", "Mary-Ann O’Neill", "李 小龍"];

function nameOf({ number }: Customer): string {
  return names[number % names.length] ?? "";
}

export function buy(
  world: World,
  customer: Customer,
  { items: places, twice }: Extract<Action, { kind: "buy" }>,
): void {
  const items = world.state.items.filter(({ hidden }) => hidden === 0);
  const itemIds = places.flatMap((place) => items[place % items.length]?.id ?? []);
  const name = `c${customer.number}-${customer.purchases.length}`;
  const lines = [...new Set(itemIds)].map((item_id) => ({
    item_id,
    quantity: 1 + (item_id.length % 3),
  }));
  const purchase: Purchase = {
    body: anOrder({
      items: lines,
      customer_name: `${nameOf(customer)} ${name}`,
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
  const headers = { [idempotencyHeader]: purchase.idempotencyKey };
  world.request(
    { method: "POST", url: paths.orders, headers, payload: purchase.body },
    ({ statusCode, json }) => {
      world.note(`purchase ${purchase.idempotencyKey}: ${statusCode}`);
      if (statusCode === 422 || statusCode === 400 || statusCode === 409) purchase.refused = true;
      if (statusCode === 201) acknowledge(world, purchase, json());
    },
  );
}

/** Repeats the requests of the last day: each must get the same answer. */
export function repeatPurchases(world: World, customers: Customers): void {
  for (const { purchases } of customers.values())
    for (const purchase of purchases) {
      const { placed } = purchase;
      if (placed !== undefined && world.now - placed.at < DAY) placeOrder(world, purchase, 1);
    }
}

function acknowledge(
  world: World,
  purchase: Purchase,
  { id, key, total_price }: { id: string; key: string; total_price: number },
): void {
  const placed = { id, key, total: Math.round(total_price * 100), at: world.now };
  const { placed: before } = purchase;
  if (
    before !== undefined &&
    (before.id !== id || before.total !== placed.total || before.key !== key)
  )
    world.fail(
      "replay-differs",
      `${purchase.idempotencyKey} was answered ${before.id}, and then ${id}`,
    );
  if (!world.state.orders.has(id))
    world.fail(
      "acknowledged-before-commit",
      `${purchase.idempotencyKey} was answered ${id}, which is not committed`,
    );
  purchase.placed ??= placed;
}

export function headersOf({ key }: PlacedOrder) {
  return { [orderKeyHeader]: key };
}

export function cancelOrder(world: World, customer: Customer): void {
  const order = orderOf(customer);
  if (order === undefined) return;
  const url = withId(paths.cancellation, order.id);
  world.request({ method: "POST", url, headers: headersOf(order) }, ({ statusCode }) => {
    world.note(`customer ${customer.number} cancels order ${order.id.slice(0, 8)}: ${statusCode}`);
    if (statusCode === 200 && world.state.orders.get(order.id)?.status !== "Cancelled")
      world.fail("acknowledged-cancellation-lost", `order ${order.id} is not cancelled`);
  });
}

export function correctAddress(world: World, customer: Customer): void {
  const order = orderOf(customer);
  if (order === undefined) return;
  customer.corrections += 1;
  const city = `City ${customer.number}-${customer.corrections}`;
  const payload = { shipping_address: anAddress({ city }) };
  const url = withId(paths.order, order.id);
  world.request({ method: "PATCH", url, headers: headersOf(order), payload }, ({ statusCode }) => {
    world.note(`customer ${customer.number} corrects order ${order.id.slice(0, 8)}: ${statusCode}`);
    if (statusCode === 200) checkCorrected(world, order.id, city);
  });
}

/** An acknowledged correction is stored, unless the address was corrected again or erased since. */
function checkCorrected(world: World, orderId: string, city: string): void {
  const order = world.state.orders.get(orderId);
  const isStored = order?.shipping_address.includes(city) === true;
  const isOverwritten = order?.events.some(
    ({ data, kind }) => kind === "erased" || data?.includes(city) === true,
  );
  if (!isStored && isOverwritten !== true)
    world.fail("acknowledged-correction-lost", `order ${orderId} is not shipped to ${city}`);
}
