import { orderStatuses } from "@keepsats/domain";
import { paths, todaySchema, withId } from "@keepsats/protocol";
import { sql } from "kysely";
import { beforeAll, describe, expect, test } from "vitest";
import { createFigures } from "../../apps/server/src/modules/reports/order-figures.ts";
import { readToday } from "../../apps/server/src/modules/reports/today.ts";
import { WEBHOOK_CHANNEL } from "../../apps/server/src/platform/outbox/channel.ts";
import { paidOrder, placeOrder } from "../harness/customer.ts";
import { databaseKinds, useDatabase } from "../harness/databases.ts";
import { type Shop, startShop } from "../harness/shop.ts";
import { callAdminApi } from "../harness/staff.ts";
import { useResource } from "../harness/use-resource.ts";
import { waitFor } from "../harness/wait-for.ts";
import { plansOf } from "../harness/watched-database.ts";

const shop = useResource(() => startShop());
beforeAll(async () => {
  await fill(shop);
});

async function today(who: Pick<Shop, "url" | "token"> = shop) {
  const { status, body } = await callAdminApi(who, "GET", paths.admin.today);
  expect(status).toBe(200);
  return todaySchema.parse(body);
}

async function staff() {
  const { body } = await callAdminApi(shop, "POST", paths.admin.tokens, {
    name: "till",
    role: "staff",
  });
  return { ...shop, token: String(Object(body).token) };
}

/** Stores failed deliveries: two emails and a webhook message. */
async function failDelivery({ database: { db } }: Shop): Promise<void> {
  const row = {
    target: "t",
    type: "order.placed",
    subject: "s",
    data: "{}",
    next_at: 1,
    created_at: 1,
  };
  const ended = { ...row, state: "failed" as const };
  await db
    .insertInto("outbox")
    .values([
      { ...ended, id: "email", channel: "email-customer" },
      { ...ended, id: "other-email", channel: "email-merchant" },
      { ...ended, id: "message", channel: WEBHOOK_CHANNEL },
    ])
    .execute();
  await db
    .updateTable("outbox")
    .set({ ended_at: Date.now() })
    .where("state", "=", "failed")
    .execute();
}

function move(where: Shop, id: string, to: string) {
  const body = { to, expected_status: "PaymentProcessed" };
  return callAdminApi(where, "POST", withId(paths.admin.transitions, id), body);
}

/** Fills a shop with some of everything that the screen shows. */
async function fill(where: Shop): Promise<void> {
  await paidOrder(where);
  const cancelled = await paidOrder(where);
  await placeOrder(where);
  await move(where, cancelled.id, "Cancelled");
  await failDelivery(where);
  const item = {
    name: "Mug",
    description: "For tea.",
    price: 9,
    image_url: "/pictures/enamel-mug.svg",
  };
  for (const [id, fields] of Object.entries({
    few: { stock: 3 },
    last: { stock: 1 },
    none: { stock: 0 },
    many: { stock: 4 },
    hidden: { stock: 0, hidden: true },
  })) {
    const put = await callAdminApi(where, "PUT", withId(paths.admin.item, id), {
      ...item,
      ...fields,
    });
    expect(put).toMatchObject({ status: 200 });
  }
  await waitFor("the figures of three orders", async () => {
    const { orders_by_status, loans } = await today(where);
    const counted = orders_by_status.filter(
      ({ status, orders }) => status !== "PaymentProcessing" && orders === 1,
    );
    return counted.length === 3 && loans.paid_out === 2;
  });
}

test("an empty shop has no tasks, and thirty days without orders", async () => {
  await using empty = await startShop();
  const found = await today(empty);
  expect(found).toMatchObject({
    to_ship: 0,
    payment_issues: 0,
    refunds_due: { orders: 0, amount: 0 },
    low_stock: 0,
    sold_out: 0,
    low_items: [],
  });
  expect(found.periods?.map(({ days, orders }) => [days, orders])).toEqual([
    [1, 0],
    [7, 0],
    [30, 0],
  ]);
  expect(found.days).toHaveLength(30);
  expect(found.days.at(-1)).toMatchObject({ placed: 0, paid: 0, paid_amount: 0 });
  expect(found.mail).toEqual({ configured: false, state: "ok", waiting: 0, failed: 0 });
});

test("the metrics count orders by status, also a status of a newer version", async () => {
  const metrics = async () => {
    const found = (await shop.metrics()).matchAll(/^keepsats_orders\{status="(\w+)"\} (\d+)$/gm);
    return Object.fromEntries(
      [...found].map(([, status = "", orders]) => [status, Number(orders)]),
    );
  };
  const none = { PaymentProcessing: 0, Shipped: 0, Delivered: 0 };
  const three = { ...none, Pending: 1, PaymentProcessed: 1, Cancelled: 1 };
  expect(await metrics()).toEqual(three);
  const { db } = shop.database;
  const { rows } = await sql<{ id: string }>`
    UPDATE orders SET status = 'Refunded' WHERE status = 'Pending' RETURNING id`.execute(db);
  expect(rows).toHaveLength(1);
  try {
    await expect.poll(metrics).toEqual({ ...three, Pending: 0, Refunded: 1 });
  } finally {
    await db
      .updateTable("orders")
      .set({ status: "Pending" })
      .where("id", "=", rows[0]?.id ?? "")
      .execute();
    await expect.poll(metrics).toMatchObject(three);
  }
});

test("counts orders, loans, refunds, deliveries and stock", async () => {
  const found = await today();
  expect(found.orders_by_status).toEqual([
    { status: "Pending", orders: 1 },
    { status: "PaymentProcessing", orders: 0 },
    { status: "PaymentProcessed", orders: 1 },
    { status: "Shipped", orders: 0 },
    { status: "Delivered", orders: 0 },
    { status: "Cancelled", orders: 1 },
  ]);
  expect(found).toMatchObject({
    to_ship: 1,
    payment_issues: 1,
    refunds_due: { orders: 1, amount: 4_500 },
    failed_deliveries: 3,
    low_stock: 2,
    sold_out: 1,
    loans: { active: 0, paid_out: 2, ended: 0, unknown: 0 },
    provider: { state: "ok" },
    mail: { configured: false, failed: 2 },
    low_items: [
      { id: "none", stock: 0, picture: "/pictures/enamel-mug.svg" },
      { id: "last", stock: 1 },
      { id: "few", stock: 3 },
    ],
  });
  for (const period of found.periods ?? [])
    expect(period).toMatchObject({
      orders: 3,
      orders_before: 0,
      revenue: 9_000,
      to_ship_before: 0,
    });
  expect(found.days.reduce((sum, { placed }) => sum + placed, 0)).toBe(3);
  expect(found.days.reduce((sum, { paid }) => sum + paid, 0)).toBe(1);
  // The money of the cancelled order is not refunded yet.
  expect(found.days.reduce((sum, { paid_amount }) => sum + paid_amount, 0)).toBe(9_000);
  expect(found.order_to_payment.reduce((sum, { orders }) => sum + orders, 0)).toBe(2);
  expect(found.order_to_payment[0]).toEqual({ within: 60_000, orders: 2 });
  expect(found.order_to_payment.at(-1)).toEqual({ within: null, orders: 0 });
  await expect
    .poll(async () => (await today()).provider.last_complete_sweep_at)
    .toBeGreaterThan(Date.now() - 600_000);
});

test("the best sellers of a period are the items of paid orders", async () => {
  const best = (query: string) => callAdminApi(shop, "GET", `${paths.admin.bestSellers}${query}`);
  const item = { id: "moka-pot", pieces: 1, revenue: 45 };
  await expect.poll(async () => (await best("?days=7")).body).toMatchObject({ items: [item] });
  for (const query of ["", "?days=2"]) expect((await best(query)).status).toBe(422);
});

test("counts a paid order as to ship until it is shipped", async () => {
  await using other = await startShop();
  const { id } = await paidOrder(other);
  await expect.poll(async () => (await today(other)).to_ship).toBe(1);
  await move(other, id, "Shipped");
  await expect.poll(async () => (await today(other)).to_ship).toBe(0);
  expect((await today(other)).days.at(-1)).toMatchObject({ placed: 1, paid: 1 });
});

test("staff read it without the deliveries to webhooks, and a token is needed", async () => {
  expect((await today(await staff())).failed_deliveries).toBe(2);
  const stranger = { ...shop, token: "wrong" };
  expect((await callAdminApi(stranger, "GET", paths.admin.today)).status).toBe(401);
});

async function listed(path: string, field: string): Promise<object[]> {
  return Object((await callAdminApi(shop, "GET", path)).body)[field];
}

test("payment issues are listed by kind", async () => {
  const list = (query: string) => listed(`${paths.admin.paymentIssues}?${query}`, "payment_issues");
  expect(await list("state=open&kind=paid-after-cancel")).toMatchObject([
    { kind: "paid-after-cancel", open_amount: 45 },
  ]);
  expect(await list("kind=duplicate")).toEqual([]);
  const unknown = await callAdminApi(shop, "GET", `${paths.admin.paymentIssues}?kind=none`);
  expect(unknown.status).toBe(422);
});

test("items are listed by stock", async () => {
  const idsOf = async (stock: string) =>
    (await listed(`${paths.admin.items}?stock=${stock}`, "items")).map((item) =>
      Reflect.get(item, "id"),
    );
  expect(await idsOf("low")).toEqual(["few", "last"]);
  expect(await idsOf("none")).toEqual(["none"]);
  const unknown = await callAdminApi(shop, "GET", `${paths.admin.items}?stock=some`);
  expect(unknown.status).toBe(422);
});

describe.each(databaseKinds)("today on $name", (kind) => {
  const used = useDatabase(kind);

  test("is read without a full table scan", async () => {
    // In a small table SQLite prefers reading all rows to an index.
    for (let n = 0; n < 10; n += 1)
      for (const status of orderStatuses) await used.stored({ status });
    await used.testDatabase.run("ANALYZE");
    const clock = { now: Date.now, timeZone: () => "UTC" };
    const options = { providerState: async () => "ok" as const, sendsEmail: () => false };
    const plans = await plansOf(kind, used.database, (db) =>
      readToday(
        { ...options, db, figures: createFigures(db, clock, { keepFigures: 0 }) },
        undefined,
      ),
    );
    expect(plans.length).toBeGreaterThan(6);
    for (const plan of plans) expect(plan).not.toMatch(/Seq Scan|SCAN \w+"/);
  });
});
