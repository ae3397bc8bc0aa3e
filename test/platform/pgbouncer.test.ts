import { randomUUID } from "node:crypto";
import { itemsSchema, paths } from "@keepsats/protocol";
import { afterEach, describe, expect, inject, test } from "vitest";
import { anOrder } from "../harness/builders.ts";
import { placeOrder, postOrder } from "../harness/customer.ts";
import { newDatabase } from "../harness/postgres.ts";
import type { Service } from "../harness/service.ts";
import { startPgbouncer, startRedis } from "../harness/services.ts";
import { type Shop, startShop } from "../harness/shop.ts";
import { callAdminApi } from "../harness/staff.ts";
import { useResource } from "../harness/use-resource.ts";
import { waitFor } from "../harness/wait-for.ts";

/** Longer than any test, so that changes within it must have come over the bus. */
const NEVER = 3_600_000;

const redis = useResource(() => startRedis());

let pooler: Service;
let shops: Shop[] = [];
afterEach(async () => {
  for (const shop of shops.splice(0)) await shop.close();
  await pooler.stop();
});

/** Starts two servers at once on an empty database behind PgBouncer. */
async function startTwo(
  mode: "session" | "transaction",
  { rereadInterval, redisUrl }: { rereadInterval: number; redisUrl?: string },
): Promise<[Shop, Shop]> {
  pooler = await startPgbouncer(await newDatabase(inject("postgresUrl")), mode);
  const config = { database: { kind: "postgres", url: pooler.url } as const, redisUrl };
  const [one, other] = await Promise.all([
    startShop({ config, times: { rereadInterval } }),
    startShop({ config, times: { rereadInterval } }),
  ]);
  shops = [one, other];
  return [one, other];
}

const busOf = async ({ url }: Shop): Promise<unknown> =>
  Reflect.get(Object(await (await fetch(`${url}/readyz`)).json()), "bus");

/** Changes an item on one server, and waits until the list of the other server has it. */
async function expectChangeToArrive([one, other]: readonly [Shop, Shop]): Promise<void> {
  const price = 10 + Math.floor(Math.random() * 1_000);
  expect((await callAdminApi(one, "PATCH", "/api/admin/items/moka-pot", { price })).status).toBe(
    200,
  );
  await waitFor("the new price", async () => {
    const items = itemsSchema.parse(await (await fetch(`${other.url}${paths.items}`)).json());
    return items.find(({ id }) => id === "moka-pot")?.price === price * 100;
  });
}

/**
 * Checks that both servers accept many orders at once, and that one order sent to both is stored
 * once.
 */
async function expectToSell([one, other]: readonly [Shop, Shop]): Promise<void> {
  const placed = await Promise.all(
    Array.from({ length: 60 }, (_, n) => placeOrder(n % 2 === 0 ? one : other)),
  );
  expect(new Set(placed.map(({ id }) => id)).size).toBe(60);
  const headers = { "idempotency-key": randomUUID() };
  const twice = await Promise.all([one, other].map((shop) => postOrder(shop, anOrder(), headers)));
  const ids = await Promise.all(twice.map(async (answer) => (await answer.json()).id));
  expect(ids[0]).toBe(ids[1]);
}

describe("two servers behind PgBouncer", () => {
  test("in session mode receive each other's changes", async () => {
    const two = await startTwo("session", { rereadInterval: NEVER });
    for (const shop of two) await waitFor("the bus", async () => (await busOf(shop)) === "ok");
    await expectChangeToArrive(two);
    await expectToSell(two);
  });

  test("in transaction mode report that the bus does not work, accept orders, and find changes by re-reading", async () => {
    const two = await startTwo("transaction", { rereadInterval: 500 });
    for (const shop of two) {
      await waitFor("a line in the log", () =>
        shop.logs.some((line) => line.includes("in transaction mode")),
      );
      expect(await busOf(shop)).toBe("away");
      expect((await fetch(`${shop.url}/readyz`)).status).toBe(200);
    }
    await expectChangeToArrive(two);
    await expectToSell(two);
    for (const shop of two) {
      expect(await busOf(shop)).toBe("away");
      expect(shop.logs.filter((line) => line.includes("the bus between"))).toHaveLength(1);
    }
  });

  test("in transaction mode with Redis receive each other's changes", async () => {
    const two = await startTwo("transaction", { rereadInterval: NEVER, redisUrl: redis.url });
    for (const shop of two) await waitFor("the bus", async () => (await busOf(shop)) === "ok");
    await expectChangeToArrive(two);
    await expectToSell(two);
  });
});
