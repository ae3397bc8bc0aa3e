import { randomUUID } from "node:crypto";
import { type AdminDelivery, deliveriesSchema, paths, withId } from "@keepsats/protocol";
import { beforeEach, expect, test } from "vitest";
import { placeOrder } from "../harness/customer.ts";
import { type Shop, startShop } from "../harness/shop.ts";
import { callAdminApi, readAllPages } from "../harness/staff.ts";
import { useResource } from "../harness/use-resource.ts";
import { waitFor } from "../harness/wait-for.ts";

const shop = useResource(() => startShop({ mail: true }));
beforeEach(() => shop.database.db.deleteFrom("outbox").execute());

const deliveriesOf = async (id: string) => {
  const { body } = await callAdminApi(shop, "GET", `/api/admin/orders/${id}`);
  const deliveries: { id: string; state: string; answer: string }[] = Reflect.get(
    Object(body),
    "deliveries",
  );
  return deliveries;
};

/** All failed deliveries, the latest first. */
async function failedDeliveries(): Promise<AdminDelivery[]> {
  const pages = await readAllPages(async (query) => {
    const { body } = await callAdminApi(shop, "GET", `${paths.admin.deliveries}${query}`);
    return deliveriesSchema.parse(body);
  });
  return pages.flatMap(({ deliveries }) => deliveries);
}

const retry = (id: string) => callAdminApi(shop, "POST", withId(paths.admin.deliveryRetry, id));

test("a failed email is listed and shown with its order, and is sent again on request", async () => {
  expect(await failedDeliveries()).toEqual([]);
  await shop.sandbox.setMailFault("refuse");
  const [first, second] = [await placeOrder(shop), await placeOrder(shop)];
  for (const { id } of [first, second])
    await waitFor(
      "the end of the delivery",
      async () => (await deliveriesOf(id))[0]?.state === "failed",
    );
  const [delivery] = await deliveriesOf(first.id);
  expect(delivery).toMatchObject({
    channel: "email-customer",
    target: "customer",
    type: "order.placed",
    subject: first.id,
    state: "failed",
    attempts: 1,
    answer: expect.stringContaining("550"),
  });
  expect(await failedDeliveries()).toContainEqual(
    expect.objectContaining({
      id: delivery?.id,
      answer: expect.stringContaining("550 the sandbox has no such address"),
    }),
  );

  await shop.sandbox.setMailFault("none");
  expect(await retry(delivery?.id ?? "")).toMatchObject({
    status: 200,
    body: { id: delivery?.id, channel: "email-customer", state: "waiting" },
  });
  const emailsTo = ({ number }: { number: string }) =>
    shop.sandbox.emails().filter(({ subject }) => subject === `Your order ${number}`);
  await waitFor("the email", () => emailsTo(first).length === 1);
  expect(emailsTo(first)).toMatchObject([{ messageId: `<${delivery?.id}.1@shop.example>` }]);
  expect(emailsTo(second)).toEqual([]);
  const [other] = await deliveriesOf(second.id);
  expect((await retry(other?.id ?? "")).status).toBe(200);
  await waitFor("the other email", () => emailsTo(second).length === 1);
  await waitFor("none", async () => (await failedDeliveries()).length === 0);
  expect(await deliveriesOf(first.id)).toMatchObject([{ state: "delivered", next_at: null }]);
});

test("two retry requests with the same Idempotency-Key deliver once", async () => {
  const { id, number } = await placeOrder(shop);
  const emails = () => shop.sandbox.emails().filter(({ subject }) => subject.endsWith(number));
  const isDelivered = async () => (await deliveriesOf(id))[0]?.state === "delivered";
  await waitFor("the first delivery", isDelivered);
  const path = `/api/admin/deliveries/${(await deliveriesOf(id))[0]?.id}/retry`;
  const retry = (key: string) =>
    callAdminApi(shop, "POST", path, undefined, { "idempotency-key": key });
  for (const [key, count] of [
    ["a", 2],
    ["a", 2],
    ["b", 3],
  ] as const) {
    expect((await retry(key)).status).toBe(200);
    await waitFor("the delivery", isDelivered);
    expect(emails()).toHaveLength(count);
  }
});

test("an unknown delivery cannot be retried", async () => {
  expect((await retry(randomUUID())).status).toBe(404);
});

test.each(["x", "1", "-1_2", "1_2_3"])("the cursor %s is refused", async (cursor) => {
  const { status } = await callAdminApi(shop, "GET", `/api/admin/deliveries?cursor=${cursor}`);
  expect(status).toBe(422);
});

test("failed deliveries are listed in pages, the latest first, each once", async () => {
  const { db } = shop.database;
  const rows = Array.from({ length: 250 }, (_, index) => ({
    id: randomUUID(),
    channel: "email-merchant",
    target: "merchant",
    type: "stock.low",
    subject: `item-${index}`,
    data: "{}",
    state: "failed" as const,
    next_at: 1,
    created_at: 1,
  }));
  await db.insertInto("outbox").values(rows).execute();
  await db
    .updateTable("outbox")
    .set((eb) => ({ ended_at: eb("position", "/", eb.lit(3)) }))
    .where("channel", "=", "email-merchant")
    .execute();
  const listed = await failedDeliveries();
  expect(listed.map(({ id }) => id)).toEqual(rows.map(({ id }) => id).toReversed());
});

test("staff neither see nor retry deliveries to webhooks, which only owners may", async () => {
  const { db } = shop.database;
  const { id: subject } = await placeOrder(shop);
  const row = {
    target: "t",
    type: "order.placed",
    subject,
    data: "{}",
    state: "failed" as const,
  };
  const times = { next_at: 1, created_at: 1 };
  const [message, email] = [randomUUID(), randomUUID()];
  await db
    .insertInto("outbox")
    .values([
      { ...row, ...times, id: message, channel: "webhook" },
      { ...row, ...times, id: email, channel: "email-merchant" },
    ])
    .execute();
  const ended = { ended_at: 1, answer: "what the receiver answered" };
  await db.updateTable("outbox").set(ended).where("id", "in", [message, email]).execute();
  const made = await callAdminApi(shop, "POST", "/api/admin/tokens", {
    name: "packer",
    role: "staff",
  });
  const staff = { ...shop, token: String(Reflect.get(Object(made.body), "token")) };
  async function idsFrom(as: Pick<Shop, "url" | "token">, path: string): Promise<string[]> {
    const { body } = await callAdminApi(as, "GET", path);
    const found: { id: string }[] = Reflect.get(Object(body), "deliveries");
    return found.map(({ id }) => id).filter((id) => id === message || id === email);
  }
  await db.deleteFrom("outbox").where("subject", "like", "item-%").execute();
  for (const path of ["/api/admin/deliveries", `/api/admin/orders/${subject}`]) {
    expect((await idsFrom(shop, path)).sort()).toEqual([message, email].sort());
    expect(await idsFrom(staff, path)).toEqual([email]);
  }
  const retry = (as: typeof staff, id: string) =>
    callAdminApi(as, "POST", `/api/admin/deliveries/${id}/retry`);
  expect((await retry(staff, message)).status).toBe(404);
  expect((await retry(staff, email)).status).toBe(200);
  const kept = db.selectFrom("outbox").select("state").where("id", "=", message);
  expect(await kept.executeTakeFirst()).toEqual({ state: "failed" });
  expect((await retry(shop, message)).status).toBe(200);
});

test("a test email reports whether the mail server accepts it", async () => {
  await shop.sandbox.setMailFault("none");
  const send = (to: string) => callAdminApi(shop, "POST", paths.admin.testEmail, { to });
  expect(await send("owner@mail.example")).toMatchObject({
    status: 200,
    body: { accepted: true, answer: expect.stringContaining("250") },
  });
  expect(shop.sandbox.emails().at(-1)).toMatchObject({
    recipient: "owner@mail.example",
    subject: "A test email from your shop",
  });
  expect((await send("owner@refused.example")).body).toMatchObject({
    accepted: false,
    answer: expect.stringContaining("550"),
  });
  expect((await send("a@b.example,c@d.example")).status).toBe(422);
});
