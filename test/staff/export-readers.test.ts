import { randomUUID } from "node:crypto";
import { once } from "node:events";
import { get, type IncomingMessage } from "node:http";
import { paths, withId } from "@keepsats/protocol";
import { beforeAll, expect, test } from "vitest";
import { storeItems } from "../../apps/server/src/modules/catalogue/item-repository.ts";
import { insertOrders } from "../../apps/server/src/modules/orders/placing/place-order.ts";
import { aStoredItem, aStoredOrder } from "../harness/builders.ts";
import { startShop } from "../harness/shop.ts";
import { adminBrowser, callAdminApi, inviteStaff } from "../harness/staff.ts";
import { useResource } from "../harness/use-resource.ts";

/**
 * Rows and their length: far more than the buffers between a server and a reader that does not
 * read.
 */
const ROWS = 1_000;
const AT_A_TIME = 200;
const LONG = "x".repeat(24_000);

const shop = useResource(() => startShop({ admin: true }));
beforeAll(async () => {
  for (let stored = 0; stored < ROWS; stored += AT_A_TIME) await storeSome();
});

async function storeSome(): Promise<void> {
  const some = Array.from({ length: AT_A_TIME });
  const items = some.map(() => aStoredItem({ description: LONG, hidden: true }));
  await shop.database.inTransaction(async (unit) => {
    await storeItems(unit, items);
    const orders = some.map(() => ({
      order: aStoredOrder({ customer_name: LONG }),
      idempotency: undefined,
    }));
    await insertOrders(unit, orders);
    await unit.insertAll({ journal: some.map(anEntry) });
  });
}

const anEntry = () => ({
  id: randomUUID(),
  order_id: null,
  loan_id: null,
  kind: "received" as const,
  amount: 4_500,
  unknown: 0,
  currency: "USD",
  at: 1_000,
  by_name: "provider",
  reason: LONG,
  issue_id: null,
  refund_id: null,
  method: null,
  reference: null,
  grant_kind: null,
});

/** Begins to read an answer, and then does not read on. */
async function begin(url: string, headers: Record<string, string>): Promise<IncomingMessage> {
  const request = get(url, { headers });
  const [response] = await once(request, "response");
  expect(response.statusCode).toBe(200);
  response.pause();
  return response;
}

/** Reads the rest. Returns whether the answer is whole. */
async function readRest(response: IncomingMessage): Promise<boolean> {
  const closed = Promise.withResolvers<void>();
  response.on("error", () => {});
  response.on("close", () => closed.resolve());
  response.resume();
  await closed.promise;
  return response.complete;
}

const exported = [paths.admin.ordersCsv, paths.admin.itemsCsv, paths.admin.journal];

test.each(exported)("%s ends when its reader is revoked in the admin", async (path) => {
  const { id, link } = await inviteStaff(shop, `Reader of ${path}`);
  const browser = adminBrowser(shop.admin);
  await browser.signIn(link);
  const response = await begin(`${shop.admin.url}${path}`, { cookie: browser.cookie });
  await callAdminApi(shop, "DELETE", withId(paths.admin.staffMember, id));
  expect(await readRest(response)).toBe(false);
});

test.each(exported)("%s ends when the token of its reader is revoked", async (path) => {
  const made = await callAdminApi(shop, "POST", paths.admin.tokens, { name: path, role: "staff" });
  const { id, token } = Object(made.body);
  const response = await begin(`${shop.url}${path}`, { authorization: `Bearer ${token}` });
  await callAdminApi(shop, "DELETE", withId(paths.admin.token, id));
  expect(await readRest(response)).toBe(false);
});
