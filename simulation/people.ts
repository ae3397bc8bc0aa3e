import type { OrderStatus } from "@keepsats/domain";
import { idempotencyHeader, paths } from "@keepsats/protocol";
import { anOrder } from "../test/harness/builders.ts";
import type { Page } from "./page.ts";
import { PUBLIC_URL } from "./shop.ts";
import type { World } from "./world.ts";

/** An order that the shop has acknowledged. */
export interface Placed {
  readonly id: string;
  readonly key: string;
  /** In cents. */
  readonly total: number;
  /** When the request was answered, in epoch milliseconds. */
  readonly at: number;
}

/** A purchase whose request is repeated until it is answered. */
export interface Purchase {
  /** Name and e-mail address are unique to the purchase, so that its orders can be found. */
  readonly body: ReturnType<typeof anOrder>;
  readonly idempotencyKey: string;
  placed: Placed | undefined;
  refused: boolean;
}

/** A shopper, and the status of the order that the staff has seen. */
export interface Person {
  readonly number: number;
  readonly purchases: Purchase[];
  readonly loans: string[];
  /** How often the shopper has corrected an address. */
  corrections: number;
  page: Page | undefined;
  seenByStaff: OrderStatus | undefined;
}

export type People = Map<number, Person>;

export function personOf(people: People, number: number): Person {
  const known = people.get(number);
  if (known !== undefined) return known;
  const person: Person = {
    number,
    purchases: [],
    loans: [],
    corrections: 0,
    page: undefined,
    seenByStaff: undefined,
  };
  people.set(number, person);
  return person;
}

/** The order that a shopper has placed last. */
export function orderOf(person: Person | undefined): Placed | undefined {
  return person?.purchases.findLast(({ placed }) => placed !== undefined)?.placed;
}

/** The page's request timeout and retry interval, in milliseconds. */
const PATIENCE = 8_000;
const TRIES = 8;

const names = ["Ada Lovelace", "Zoë Ångström", "Łukasz Groß", "Mary-Ann O’Neill", "李 小龍"];

function nameOf({ number }: Person): string {
  return names[number % names.length] ?? "";
}

/** A shopper orders some items. */
export function buy(
  world: World,
  person: Person,
  itemIds: readonly string[],
  twice: boolean,
): void {
  const name = `s${person.number}-${person.purchases.length}`;
  const lines = [...new Set(itemIds)].map((item_id) => ({
    item_id,
    quantity: 1 + (item_id.length % 3),
  }));
  const purchase: Purchase = {
    body: anOrder({
      items: lines,
      customer_name: `${nameOf(person)} ${name}`,
      customer_email: `${name}@example.org`,
    }),
    idempotencyKey: name,
    placed: undefined,
    refused: false,
  };
  person.purchases.push(purchase);
  place(world, purchase, TRIES);
  if (twice) place(world, purchase, 1);
}

/** Sends a purchase, and repeats it until there is an answer. */
export function place(world: World, purchase: Purchase, tries: number): void {
  if (tries === 0) return;
  const again = () => {
    if (purchase.placed === undefined && !purchase.refused) place(world, purchase, tries - 1);
  };
  world.after(PATIENCE, again);
  const { shop } = world;
  if (shop === undefined) return;
  const headers = { origin: PUBLIC_URL, [idempotencyHeader]: purchase.idempotencyKey };
  shop.request(
    { method: "POST", url: paths.orders, headers, payload: purchase.body },
    ({ statusCode, json }) => {
      world.note(`${purchase.idempotencyKey} orders: ${statusCode}`);
      if (statusCode === 422 || statusCode === 400 || statusCode === 409) purchase.refused = true;
      if (statusCode === 201) acknowledge(world, purchase, json());
    },
  );
}

function acknowledge(
  world: World,
  purchase: Purchase,
  { id, key, total_price }: { id: string; key: string; total_price: number },
): void {
  const placed = { id, key, total: Math.round(total_price * 100), at: world.time.now };
  const { placed: before } = purchase;
  if (
    before !== undefined &&
    (before.id !== id || before.total !== placed.total || before.key !== key)
  )
    world.fail(
      "replayed-otherwise",
      `${purchase.idempotencyKey} was answered ${before.id}, and then ${id}`,
    );
  if (!world.state.orders.has(id))
    world.fail(
      "acknowledged-before-commit",
      `${purchase.idempotencyKey} was answered ${id}, which is not committed`,
    );
  purchase.placed ??= placed;
}
