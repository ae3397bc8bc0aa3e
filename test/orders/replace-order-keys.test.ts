import { once } from "node:events";
import { orderKeyHeader, paths, withId } from "@keepsats/protocol";
import { afterAll, beforeAll, expect, inject, test } from "vitest";
import { anOrder } from "../harness/builders.ts";
import { runCli } from "../harness/cli.ts";
import { isStatus, postOrder, problemOf, subscribe } from "../harness/customer.ts";
import { newDatabase } from "../harness/postgres.ts";
import { type Shop, startShop } from "../harness/shop.ts";
import { callAdminApi } from "../harness/staff.ts";

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

const revokeLinks = (shop: Shop, options = "", answer?: string) =>
  runCli(
    shop,
    `links revoke ${options}`,
    answer === undefined ? {} : { answer: async () => answer },
  );

test("links are revoked only after a warning and a confirmation", async () => {
  const order = await place(one, "confirmed");
  const unasked = await revokeLinks(one);
  expect(unasked).toMatchObject({ code: 2 });
  expect(unasked.err).toMatch(
    /^Every order link will stop working.* This cannot be undone\..*Add --yes to revoke all links; nothing was changed\.$/,
  );
  expect(await revokeLinks(one, "", "n")).toMatchObject({ code: 2 });
  expect(await ownStatus(one, order)).toBe(200);
  const { asked, out } = await revokeLinks(one, "", "y");
  expect(asked).toEqual([expect.stringMatching(/Revoke all links\? \[y\/N\] $/)]);
  expect(out).toBe("All earlier order links are revoked. New emails and orders have new ones.\n");
  expect(await ownStatus(one, order)).toBe(404);
});

test("revoking closes earlier links and their sockets on every server, and new links work", async () => {
  const order = await place(one, "everywhere");
  const subscriber = await subscribe(other, order.id, undefined, other.url, order.key);
  await subscriber.until("the order", isStatus("Pending"));
  const closed = once(subscriber.socket, "close");

  await revokeLinks(one, "--yes");

  expect(await closed).toEqual([1001, expect.anything()]);
  for (const shop of [one, other]) {
    await expect.poll(() => ownStatus(shop, order)).toBe(404);
    const again = await subscribe(shop, order.id, undefined, shop.url, order.key);
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

test("an idempotency key used before the revocation is refused and places no second order", async () => {
  await place(one, "copied");
  await revokeLinks(one, "--yes");
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

test("staff cannot revoke links", async () => {
  const made = await callAdminApi(one, "POST", paths.admin.tokens, { name: "till", role: "staff" });
  const token = String(Reflect.get(Object(made.body), "token"));
  const order = await place(one, "staff");
  expect(await callAdminApi({ ...one, token }, "POST", paths.admin.orderKeys)).toMatchObject({
    status: 403,
    body: { code: "permission_required" },
  });
  expect(await ownStatus(one, order)).toBe(200);
});
