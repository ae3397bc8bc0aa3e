import { randomUUID } from "node:crypto";
import { type DeliveryAnswer, deliveriesSchema, paths, withId } from "@keepsats/protocol";
import { beforeEach, expect, test } from "vitest";
import type * as z from "zod/mini";
import { placeOrder } from "./harness/customer.ts";
import { type Shop, startShop } from "./harness/shop.ts";
import { merchant } from "./harness/staff.ts";
import { useResource } from "./harness/use-resource.ts";
import { waitFor } from "./harness/wait-for.ts";

const shop = useResource(() => startShop({ mail: true }));
beforeEach(() => shop.database.db.deleteFrom("outbox").execute());

const deliveriesOf = async (id: string) => {
  const { body } = await merchant(shop, "GET", `/api/merchant/orders/${id}`);
  const deliveries: { id: string; state: string; answer: string }[] = Reflect.get(
    Object(body),
    "deliveries",
  );
  return deliveries;
};

/** All failed deliveries, the latest first. */
async function failedDeliveries(): Promise<DeliveryAnswer[]> {
  const failed: DeliveryAnswer[] = [];
  let page: z.output<typeof deliveriesSchema> | undefined;
  do {
    const query = page === undefined ? "" : `?cursor=${page.next_cursor}`;
    const { body } = await merchant(shop, "GET", `${paths.merchant.deliveries}${query}`);
    page = deliveriesSchema.parse(body);
    failed.push(...page.deliveries);
  } while (page.next_cursor !== null);
  return failed;
}

const repeat = (id: string) => merchant(shop, "POST", withId(paths.merchant.deliveryRepeat, id));

test("a letter that was given up is shown, in the list and at its order, and is sent again on request", async () => {
  expect(await failedDeliveries()).toEqual([]);
  await shop.lender.setMailFault("refuse");
  const orders = [await placeOrder(shop), await placeOrder(shop)];
  const [first = { id: "" }, second = { id: "" }] = orders;
  for (const { id } of orders)
    await waitFor(
      "the end of the delivery",
      async () => (await deliveriesOf(id))[0]?.state === "given-up",
    );
  const [delivery] = await deliveriesOf(first.id);
  expect(delivery).toMatchObject({
    channel: "mail-shopper",
    target: "shopper",
    type: "order.placed",
    subject: first.id,
    state: "given-up",
    attempts: 1,
    answer: expect.stringContaining("550"),
  });
  expect(await failedDeliveries()).toContainEqual(
    expect.objectContaining({
      id: delivery?.id,
      answer: expect.stringContaining("550 the sandbox has no such address"),
    }),
  );

  await shop.lender.setMailFault("none");
  expect(await repeat(delivery?.id ?? "")).toMatchObject({
    status: 200,
    body: { id: delivery?.id, channel: "mail-shopper", state: "waiting" },
  });
  const lettersTo = (order: string) =>
    shop.lender.letters().filter(({ subject }) => subject === `Your order ${order.slice(0, 8)}`);
  await waitFor("the letter", () => lettersTo(first.id).length === 1);
  expect(lettersTo(first.id)).toMatchObject([{ messageId: `<${delivery?.id}.1@shop.example>` }]);
  expect(lettersTo(second.id)).toEqual([]);
  const [other] = await deliveriesOf(second.id);
  expect((await repeat(other?.id ?? "")).status).toBe(200);
  await waitFor("the other letter", () => lettersTo(second.id).length === 1);
  await waitFor("none", async () => (await failedDeliveries()).length === 0);
  expect(await deliveriesOf(first.id)).toMatchObject([{ state: "delivered", next_at: null }]);
});

test("two retry requests with the same Idempotency-Key deliver once", async () => {
  const { id } = await placeOrder(shop);
  const emails = () =>
    shop.lender.letters().filter(({ subject }) => subject.endsWith(id.slice(0, 8)));
  const isDelivered = async () => (await deliveriesOf(id))[0]?.state === "delivered";
  await waitFor("the first delivery", isDelivered);
  const path = `/api/merchant/deliveries/${(await deliveriesOf(id))[0]?.id}/repeat`;
  const repeat = (key: string) =>
    merchant(shop, "POST", path, undefined, { "idempotency-key": key });
  for (const [key, count] of [
    ["a", 2],
    ["a", 2],
    ["b", 3],
  ] as const) {
    expect((await repeat(key)).status).toBe(200);
    await waitFor("the delivery", isDelivered);
    expect(emails()).toHaveLength(count);
  }
});

test("what is no delivery cannot be repeated, and what is no cursor is refused", async () => {
  expect((await repeat(randomUUID())).status).toBe(404);
  for (const cursor of ["x", "1", "-1_2", "1_2_3"])
    expect((await merchant(shop, "GET", `/api/merchant/deliveries?cursor=${cursor}`)).status).toBe(
      422,
    );
});

test("given-up deliveries are listed in pages, the latest first, each once", async () => {
  const { db } = shop.database;
  const rows = Array.from({ length: 250 }, (_, index) => ({
    id: randomUUID(),
    channel: "mail-merchant",
    target: "merchant",
    type: "stock.low",
    subject: `item-${index}`,
    data: "{}",
    state: "given-up" as const,
    next_at: 1,
    created_at: 1,
  }));
  await db.insertInto("outbox").values(rows).execute();
  await db
    .updateTable("outbox")
    .set((eb) => ({ ended_at: eb("position", "/", eb.lit(3)) }))
    .where("channel", "=", "mail-merchant")
    .execute();
  const listed = await failedDeliveries();
  expect(listed.map(({ id }) => id)).toEqual(rows.map(({ id }) => id).toReversed());
});

test("staff neither see nor repeat messages to webhooks, which are the owners'", async () => {
  const { db } = shop.database;
  const { id: subject } = await placeOrder(shop);
  const row = {
    target: "t",
    type: "order.placed",
    subject,
    data: "{}",
    state: "given-up" as const,
  };
  const times = { next_at: 1, created_at: 1 };
  const [message, letter] = [randomUUID(), randomUUID()];
  await db
    .insertInto("outbox")
    .values([
      { ...row, ...times, id: message, channel: "webhook" },
      { ...row, ...times, id: letter, channel: "mail-merchant" },
    ])
    .execute();
  const ended = { ended_at: 1, answer: "what the receiver answered" };
  await db.updateTable("outbox").set(ended).where("id", "in", [message, letter]).execute();
  const made = await merchant(shop, "POST", "/api/merchant/tokens", {
    name: "desk",
    role: "staff",
  });
  const staff = { ...shop, token: String(Reflect.get(Object(made.body), "token")) };
  async function idsFrom(as: Pick<Shop, "url" | "token">, path: string): Promise<string[]> {
    const { body } = await merchant(as, "GET", path);
    const found: { id: string }[] = Reflect.get(Object(body), "deliveries");
    return found.map(({ id }) => id).filter((id) => id === message || id === letter);
  }
  await db.deleteFrom("outbox").where("subject", "like", "item-%").execute();
  for (const path of ["/api/merchant/deliveries", `/api/merchant/orders/${subject}`]) {
    expect((await idsFrom(shop, path)).sort()).toEqual([message, letter].sort());
    expect(await idsFrom(staff, path)).toEqual([letter]);
  }
  const repeat = (as: typeof staff, id: string) =>
    merchant(as, "POST", `/api/merchant/deliveries/${id}/repeat`);
  expect((await repeat(staff, message)).status).toBe(404);
  expect((await repeat(staff, letter)).status).toBe(200);
  const kept = db.selectFrom("outbox").select("state").where("id", "=", message);
  expect(await kept.executeTakeFirst()).toEqual({ state: "given-up" });
  expect((await repeat(shop, message)).status).toBe(200);
});

test("a test email says whether the mail server takes it", async () => {
  await shop.lender.setMailFault("none");
  const send = (to: string) => merchant(shop, "POST", paths.merchant.testEmail, { to });
  expect(await send("owner@mail.example")).toMatchObject({
    status: 200,
    body: { accepted: true, answer: expect.stringContaining("250") },
  });
  expect(shop.lender.letters().at(-1)).toMatchObject({
    recipient: "owner@mail.example",
    subject: "A test email from your shop",
  });
  expect((await send("owner@refused.example")).body).toMatchObject({
    accepted: false,
    answer: expect.stringContaining("550"),
  });
  expect((await send("a@b.example,c@d.example")).status).toBe(422);
});
