import { randomUUID } from "node:crypto";
import { orderKeyHeader, paths, withId } from "@keepsats/protocol";
import { readDatabase } from "../../apps/server/src/config/config.ts";
import { readSweepState } from "../../apps/server/src/modules/payments/index.ts";
import { placeOrder, subscribe } from "./customer.ts";
import type { DatabaseKind } from "./databases.ts";
import { aPayout } from "./loans.ts";
import { type Answer, okay, staffOf } from "./money-staff.ts";
import { callJson } from "./network.ts";
import { type ScriptedContract, startScriptedProvider } from "./provider.ts";
import { emailsOf } from "./sent-emails.ts";
import { type ShopOptions, startShop } from "./shop.ts";
import { callAdminApi } from "./staff.ts";
import { useResource } from "./use-resource.ts";
import { waitFor } from "./wait-for.ts";

/** An order that was placed; its total in dollars. */
export interface PlacedOrder {
  readonly id: string;
  readonly number: string;
  readonly key: string;
  readonly total: number;
  readonly email: string;
}

/** An order that a loan has paid. */
export interface PaidOrder extends PlacedOrder {
  readonly loan: ScriptedContract;
}

interface OrderChoices {
  /** In dollars; by default 12. */
  readonly total?: number;
  /** Of one item; by default 1. */
  readonly pieces?: number;
  /** The lines, if they are not of one item; their prices sum up to `total`. */
  readonly items?: { readonly item_id: string; readonly quantity: number }[];
}

/** A shop whose loan provider reports what the test says. */
export type MoneyShop = Awaited<ReturnType<typeof moneyShop>>;

type MoneyShopOptions = Pick<ShopOptions, "config" | "times" | "mail">;

/**
 * The pause between two sweeps, however long they take. It leaves calls of the budget, which is
 * five a second, for loans that are presented.
 */
const SWEEP = 300;

/** Starts a shop on a database of its own. */
export async function moneyShop(kind: DatabaseKind, options: MoneyShopOptions = {}) {
  const testDatabase = await kind.newShopDatabase();
  const provider = await startScriptedProvider();
  const hidden = new Set<string>();
  provider.listBy((response, contracts) => {
    response.writeHead(200, { "content-type": "application/json" });
    response.end(JSON.stringify(contracts.filter(({ id }) => !hidden.has(id))));
  });
  /** How far the server's clock is ahead, in milliseconds. */
  let ahead = 0;
  const shop = await startShop({
    ...options,
    config: { database: readDatabase({ DATABASE_URL: testDatabase.url }), ...options.config },
    times: {
      minSweepPause: SWEEP,
      maxSweepPause: SWEEP,
      checkRoundInterval: 100,
      rereadInterval: 30_000,
      ...options.times,
    },
    between: async () => provider.url,
    now: () => Date.now() + ahead,
  });
  const staff = staffOf(shop);
  const items = new Map<number, Promise<string>>();

  async function putItem(price: number): Promise<string> {
    const id = `thing-${price.toFixed(2)}`;
    const item = { name: `Thing for ${price}`, description: "It costs what a test says.", price };
    const body = { ...item, image_url: "/pictures/moka-pot.svg" };
    okay(await callAdminApi(shop, "PUT", withId(paths.admin.item, id), body));
    return id;
  }

  async function thing(price: number): Promise<string> {
    const item = items.get(price) ?? putItem(price);
    items.set(price, item);
    return item;
  }

  async function order({
    total = 12,
    pieces = 1,
    items: chosen,
  }: OrderChoices = {}): Promise<PlacedOrder> {
    const lines = chosen ?? [{ item_id: await thing(total / pieces), quantity: pieces }];
    // Each customer has a mailbox of their own, because emails to one address are limited.
    const email = `customer-${randomUUID().slice(0, 8)}@mail.example`;
    const { id, number, key } = await placeOrder(shop, {
      customer_email: email,
      items: lines,
    });
    return { id, number, key, total, email };
  }

  /**
   * Waits until the shop has settled everything that the provider lists now: until a sweep is
   * complete that began after this call.
   */
  async function swept(): Promise<void> {
    const { database } = shop;
    const now = database.now();
    await waitFor(
      "a sweep to be complete",
      async () => (await readSweepState(database.db)).began >= now,
    );
  }

  /** Makes the provider report these loans, in this order, and waits until the shop has settled them. */
  async function report(...loans: readonly ScriptedContract[]): Promise<void> {
    for (const loan of loans) provider.setContract(loan);
    await swept();
  }

  /** An order that a loan of its total has paid. */
  async function paidOrder(choices?: OrderChoices): Promise<PaidOrder> {
    const placed = await order(choices);
    const loan = aPayout(placed);
    await report(loan);
    return { ...placed, loan };
  }

  /** Calls a route of customers with the order's key. */
  async function asCustomer(
    { id, key }: PlacedOrder,
    method: string,
    path: string,
    body: object = {},
  ): Promise<Answer> {
    const sent = method === "GET" ? undefined : body;
    const headers = { [orderKeyHeader]: key };
    return callJson(`${shop.url}${withId(path, id)}`, method, sent, headers);
  }

  return {
    ...staff,
    ...emailsOf(shop),
    shop,
    testDatabase,
    provider,
    order,
    paidOrder,
    report,
    /** A paid order that staff have cancelled. */
    async cancelledOrder(choices?: OrderChoices): Promise<PaidOrder> {
      const paid = await paidOrder(choices);
      okay(await staff.cancel(paid));
      return paid;
    },
    /** Makes the provider list no loan of these any more; it still answers about each. */
    hide(...loans: readonly ScriptedContract[]): void {
      for (const { id } of loans) hidden.add(id);
    },
    /** Waits until the shop has settled the whole list so many times. */
    async swept(sweeps = 1): Promise<void> {
      for (let count = 0; count < sweeps; count += 1) await swept();
    },
    /** Presents a loan with the order's key, as the order's page does. */
    subscribe: ({ id, key }: PlacedOrder, loan?: ScriptedContract) =>
      subscribe(shop, id, loan?.id, shop.url, key),
    asCustomer,
    cancelAsCustomer: (placed: PlacedOrder) => asCustomer(placed, "POST", paths.cancellation),
    correctAddressAsCustomer: (placed: PlacedOrder, shipping_address: object) =>
      asCustomer(placed, "PATCH", paths.order, { shipping_address }),
    /** Sets the server's clock forward. */
    passTime(milliseconds: number): void {
      ahead += milliseconds;
    },
    /** Restarts the server on the same database. */
    restart: () => shop.restart(),
    async [Symbol.asyncDispose]() {
      await shop.close();
      await provider.close();
      await testDatabase.remove();
    },
  };
}

/** Starts a shop before the tests of the describe block that calls this, and stops it after them. */
export function useMoneyShop(kind: DatabaseKind, options: MoneyShopOptions = {}): MoneyShop {
  return useResource(() => moneyShop(kind, options));
}
