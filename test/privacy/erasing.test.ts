import { randomUUID } from "node:crypto";
import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { expect, test } from "vitest";
import { DAY } from "../../apps/server/src/platform/scheduling/clock.ts";
import { isStatus, placeOrder, subscribe } from "../harness/customer.ts";
import { startShop } from "../harness/shop.ts";
import { callAdminApi } from "../harness/staff.ts";
import { useResource } from "../harness/use-resource.ts";
import { waitFor } from "../harness/wait-for.ts";

const shop = useResource(() => startShop({ step: 600_000 }));

const erase = (id: string) => callAdminApi(shop, "POST", `/api/admin/orders/${id}/erasure`);
const cancel = (id: string) =>
  callAdminApi(shop, "POST", `/api/admin/orders/${id}/transitions`, {
    to: "Cancelled",
    reason: "Ada Lovelace called",
    message: "We are sorry, Ada.",
  });

test("an erased order is sent to its subscribers and shown to staff without personal data", async () => {
  const order = await placeOrder(shop);
  const subscriber = await subscribe(shop, order.id, undefined, shop.url, order.key);
  await cancel(order.id);
  await subscriber.until("the cancellation", isStatus("Cancelled"));
  expect(JSON.stringify(subscriber.messages)).toContain("Ada");

  const { status, body } = await erase(order.id.slice(0, 12));
  expect([status, body]).toEqual([200, { id: order.id, erased_at: expect.any(Number) }]);
  await subscriber.until("the erased order", ({ data }) => typeof data.erased_at === "number");
  expect(subscriber.messages.at(-1)?.data).toMatchObject({
    status: "Cancelled",
    customer_name: "",
    customer_email: "",
    merchant_message: null,
    total_price: order.total_price,
  });
  await subscriber.close();

  const seen = await callAdminApi(shop, "GET", `/api/admin/orders/${order.id}`);
  expect(seen.body).toMatchObject({
    ...Object(body),
    customer_email: "",
    total_price: order.total_price,
    events: [
      { kind: "placed" },
      { to: "Cancelled" },
      { kind: "erased", by: "staff", by_name: "admin" },
    ],
  });
  const own = await fetch(`${shop.url}/api/orders/${order.id}`, {
    headers: { "order-key": order.key },
  });
  expect(JSON.stringify([seen.body, await own.json()])).not.toMatch(/Ada|Lovelace|sorry/);

  expect((await erase(order.id)).body).toEqual(body);
});

test("an erased order leaves no trace in the SQLite file and its write-ahead log, even after later orders", async () => {
  const name = "Zyxomma";
  const placed = await placeOrder(shop, {
    customer_name: `${name} Lovelace`,
    customer_email: `${name}@example.org`,
  });
  // The search index stores words in lower case.
  const written = name.toLowerCase();
  const filesWithName = async () => {
    const files = ["shop.db", "shop.db-wal"];
    const contents = await Promise.all(
      files.map((file) => readFile(join(shop.folder, file), "latin1")),
    );
    return files.filter((_, index) => contents[index]?.toLowerCase().includes(written));
  };
  expect(await filesWithName()).toContain("shop.db-wal");
  await cancel(placed.id);
  await erase(placed.id);
  expect(await filesWithName()).toEqual([]);
  // These rewrite pages whose free space held the erased data.
  for (let count = 0; count < 10; count += 1) await placeOrder(shop);
  expect(await filesWithName()).toEqual([]);
});

test("an order that awaits payment is not erased", async () => {
  const { id } = await placeOrder(shop);
  const before = await callAdminApi(shop, "GET", `/api/admin/orders/${id}`);
  const { status, body } = await erase(id);
  expect(status).toBe(409);
  expect(body).toMatchObject({
    code: "not_erasable",
    current_status: "Pending",
    detail: "The order is Pending: it can be erased once it is delivered or cancelled.",
  });
  expect(await callAdminApi(shop, "GET", `/api/admin/orders/${id}`)).toEqual(before);
});

test("an unknown order is not found, and erasing needs a token", async () => {
  expect((await erase(randomUUID())).status).toBe(404);
  const answer = await fetch(`${shop.url}/api/admin/orders/${randomUUID()}/erasure`, {
    method: "POST",
  });
  expect(answer.status).toBe(401);
});

test("with RETAIN_DAYS the server erases orders that ended so many days ago", async () => {
  const started = Date.now();
  await using aged = await startShop({
    config: { retainDays: 30 },
    now: () => started - 31 * DAY,
    step: 600_000,
  });
  const [ended, open] = [
    await placeOrder(aged, { customer_name: "Zyxomma Lovelace" }),
    await placeOrder(aged),
  ];
  await callAdminApi(aged, "POST", `/api/admin/orders/${ended.id}/transitions`, {
    to: "Cancelled",
  });
  const shown = async (id: string) =>
    (await callAdminApi(aged, "GET", `/api/admin/orders/${id}`)).body;
  await expect.poll(() => shown(ended.id)).toMatchObject({ customer_email: "" });
  expect(await shown(ended.id)).toMatchObject({
    events: [
      { kind: "placed" },
      { to: "Cancelled" },
      { kind: "erased", by: "shop", by_name: null },
    ],
  });
  expect(await shown(open.id)).toMatchObject({
    customer_email: "ada@example.org",
    erased_at: null,
  });
  await waitFor("the log", () =>
    aged.logs.some((line) => line.includes("personal data of old orders was erased")),
  );
  const log = await readFile(join(aged.folder, "shop.db-wal"), "latin1");
  expect(log.toLowerCase()).not.toContain("zyxomma");
});
