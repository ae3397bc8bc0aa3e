import { once } from "node:events";
import { orderKeyHeader, paths, withId } from "@keepsats/protocol";
import { afterAll, beforeAll, expect, inject, test } from "vitest";
import { anOrder } from "./harness/builders.ts";
import { follow, isStatus, postOrder, problemOf } from "./harness/customer.ts";
import { newDatabase } from "./harness/postgres.ts";
import { type Shop, startShop } from "./harness/shop.ts";
import { merchant, runMerchant } from "./harness/staff.ts";

/** Two servers of one shop. */
let one: Shop;
let other: Shop;
beforeAll(async () => {
  const database = { kind: "postgres", url: await newDatabase(inject("postgresUrl")) } as const;
  one = await startShop({ step: 600_000, config: { database } });
  other = await startShop({ step: 600_000, config: { database } });
});
afterAll(async () => {
  await one.close();
  await other.close();
});

const patient = { timeout: 30_000 };

interface Placed {
  readonly id: string;
  readonly key: string;
}

/** Places an order, or repeats the request that placed it. */
async function place(shop: Shop, idempotencyKey: string): Promise<Placed> {
  return (await postOrder(shop, anOrder(), { "idempotency-key": idempotencyKey })).json();
}

async function ordersStored({ database }: Shop): Promise<number> {
  return (await database.db.selectFrom("orders").select("id").execute()).length;
}

async function ownStatus(shop: Shop, { id, key }: Placed): Promise<number> {
  return (
    await fetch(`${shop.url}${withId(paths.order, id)}`, { headers: { [orderKeyHeader]: key } })
  ).status;
}

const voidLinks = (shop: Shop, args: readonly string[] = [], answer?: string) =>
  runMerchant(
    shop,
    ["links", "void", ...args],
    answer === undefined ? {} : { answer: async () => answer },
  );

test("links are made void only after a warning and a confirmation", async () => {
  const order = await place(one, "confirmed");
  const unasked = await voidLinks(one);
  expect(unasked).toMatchObject({ code: 2 });
  expect(unasked.err).toMatch(
    /^Every link .* will be void; this cannot be undone.*Add --yes to make all links void; nothing was changed\.$/,
  );
  expect(await voidLinks(one, [], "n")).toMatchObject({ code: 2 });
  expect(await ownStatus(one, order)).toBe(200);
  const { asked, out } = await voidLinks(one, [], "y");
  expect(asked).toEqual([expect.stringMatching(/Make all links void\? \[y\/N\] $/)]);
  expect(out).toBe("All earlier links to orders are void. New mails and orders have new ones.\n");
  expect(await ownStatus(one, order)).toBe(404);
});

test("on every server: earlier links show nothing, their sockets are closed, and new links work", async () => {
  const order = await place(one, "everywhere");
  const follower = await follow(other, order.id, undefined, other.url, order.key);
  await follower.until("the order", isStatus("Pending"));
  const closed = once(follower.socket, "close");

  await voidLinks(one, ["--yes"]);

  expect(await closed).toEqual([1001, expect.anything()]);
  for (const shop of [one, other]) {
    await expect.poll(() => ownStatus(shop, order), patient).toBe(404);
    const again = await follow(shop, order.id, undefined, shop.url, order.key);
    await again.until("an error", ({ type }) => type === "error");
    expect(again.statuses()).toEqual([]);
    await again.close();
  }
  for (const [index, shop] of [other, one].entries()) {
    const later = await place(shop, `later-${index}`);
    for (const anywhere of [one, other]) expect(await ownStatus(anywhere, later)).toBe(200);
  }
  await one.restart();
  expect(await ownStatus(one, order)).toBe(404);
});

test("a request from before is refused and places no second order: who has a copy of the database can repeat it", async () => {
  await place(one, "copied");
  await voidLinks(one, ["--yes"]);
  const stored = await ordersStored(one);
  for (const shop of [one, other]) {
    const repeated = await postOrder(shop, anOrder(), { "idempotency-key": "copied" });
    expect(repeated.status).toBe(422);
    expect(await problemOf(repeated)).toMatchObject({ code: "idempotency_conflict" });
  }
  expect(await ordersStored(one)).toBe(stored);
  const placed = await place(one, "afterwards");
  expect(await place(other, "afterwards")).toEqual(placed);
});

test("staff cannot make links void", async () => {
  const made = await merchant(one, "POST", paths.merchant.tokens, { name: "till", role: "staff" });
  const token = String(Reflect.get(Object(made.body), "token"));
  const order = await place(one, "staff");
  expect(await merchant({ ...one, token }, "POST", paths.merchant.orderKeys)).toMatchObject({
    status: 403,
    body: { code: "permission_required" },
  });
  expect(await ownStatus(one, order)).toBe(200);
});
