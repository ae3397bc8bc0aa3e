import { afterEach, beforeEach, expect, test } from "vitest";
import type { Letter } from "../apps/sandbox/src/letters.ts";
import { paidOrder, placeOrder } from "./harness/customer.ts";
import { type Shop, startShop } from "./harness/shop.ts";
import { merchant } from "./harness/staff.ts";
import { waitFor } from "./harness/wait-for.ts";

let shop: Shop;
beforeEach(async () => {
  shop = await startShop({ mail: true });
});
afterEach(() => shop.close());

const subjects = () =>
  shop.lender.letters().map(({ subject, recipient }) => `${recipient}: ${subject}`);

/** The value of a header, unfolded; `undefined` if the letter has none. */
function headerOf(letter: Letter | undefined, name: string): string | undefined {
  const [head = ""] = (letter?.raw ?? "").split("\r\n\r\n");
  const lines = head.replaceAll(/\r\n[ \t]+/g, " ").split("\r\n");
  return lines
    .find((line) => line.startsWith(`${name}: `))
    ?.slice(name.length + 2)
    .trim();
}

/** Waits until so many letters have come. */
async function lettersCome(count: number) {
  await waitFor(
    () => `${count} letters, have ${subjects().join("\n")}`,
    () => subjects().length >= count,
  );
  return shop.lender.letters();
}

test("a placed order makes a letter with the order's own link, in the shop's name", async () => {
  const { id, key } = await placeOrder(shop, { customer_email: "ada@mail.example" });
  const [letter] = await lettersCome(1);
  expect(letter).toMatchObject({
    recipient: "ada@mail.example",
    sender: "orders@shop.example",
    subject: `Your order ${id.slice(0, 8)}`,
  });
  const link = `${shop.url}/order?orderId=${id}#key=${key}`;
  expect(letter?.text).toContain(link);
  expect(letter?.html).toContain(`href="${link}"`);
  expect(letter?.text).toContain("Moka Pot");
  expect(headerOf(letter, "From")).toBe("Keepsats <orders@shop.example>");
});

test("shopper and merchant are told of an order's whole life, each in its order", async () => {
  const { id } = await paidOrder(shop);
  await lettersCome(3);
  const short = id.slice(0, 8);
  await merchant(shop, "POST", `/api/merchant/orders/${id}/transitions`, {
    to: "Shipped",
    carrier: "DHL",
    tracking_number: "JD 0123",
    tracking_url: "https://track.example/JD0123",
  });
  await merchant(shop, "POST", `/api/merchant/orders/${id}/transitions`, { to: "Delivered" });
  const letters = await lettersCome(5);
  const toShopper = letters.filter(({ recipient }) => recipient !== "orders@shop.example");
  expect(toShopper.map(({ subject }) => subject)).toEqual([
    `Your order ${short}`,
    `Your order ${short} is paid`,
    `Your order ${short} is on its way`,
    `Your order ${short} has been delivered`,
  ]);
  const shipped = toShopper.find(({ subject }) => subject.endsWith("is on its way"));
  expect(shipped?.text).toContain("Tracking number: JD 0123");
  expect(shipped?.html).toContain('href="https://track.example/JD0123"');
  const toMerchant = letters.filter(({ recipient }) => recipient === "orders@shop.example");
  expect(toMerchant.map(({ subject }) => subject)).toEqual([`Order ${short} is paid: $45.00`]);
});

const deliveries = () =>
  shop.database.db
    .selectFrom("outbox")
    .selectAll()
    .where("channel", "=", "mail-shopper")
    .orderBy("position")
    .execute();

/** Waits until no delivery to a shopper waits. @returns the deliveries */
async function allEnded() {
  await waitFor("the deliveries", async () =>
    (await deliveries()).every(({ state }) => state !== "waiting"),
  );
  return deliveries();
}

test("a wrong address stops no other letter; it is given up, with what the server said", async () => {
  const wrong = await placeOrder(shop, { customer_email: "nobody@refused.example" });
  await placeOrder(shop, { customer_email: "ada@mail.example" });
  await lettersCome(1);
  const ended = await allEnded();
  expect(ended.map(({ state }) => state)).toEqual(["given-up", "delivered"]);
  expect(ended[0]).toMatchObject({ subject: wrong.id, answer: expect.stringContaining("550") });
  expect(shop.lender.letters().map(({ recipient }) => recipient)).toEqual(["ada@mail.example"]);
  const metrics = await fetch(`${shop.url}/metrics`, {
    headers: { authorization: "Bearer metrics-token" },
  });
  const text = await metrics.text();
  for (const line of [
    'keepsats_outbox_given_up{channel="mail-shopper"} 1',
    'keepsats_outbox_waiting{channel="mail-shopper"} 0',
    'keepsats_outbox_oldest_seconds{channel="mail-merchant"} 0',
    'keepsats_outbox_attempts_total{channel="mail-shopper",result="delivered"} 1',
    'keepsats_outbox_attempts_total{channel="mail-shopper",result="gave-up"} 1',
  ])
    expect(text).toContain(`${line}\n`);
});

test("what is refused for now comes within 15 seconds of the refusal, and the letters of an order in their order", async () => {
  await shop.lender.setMailFault("later");
  const { id, key } = await placeOrder(shop);
  await waitFor("a refusal", async () =>
    (await deliveries()).some(({ answer }) => answer?.includes("451")),
  );
  const refusedAt = Date.now();
  await fetch(`${shop.url}/api/orders/${id}/cancellation`, {
    method: "POST",
    headers: { "order-key": key, origin: shop.url, "content-type": "application/json" },
    body: "{}",
  });
  await shop.lender.setMailFault("none");
  const letters = await lettersCome(2);
  expect(letters.map(({ subject }) => subject)).toEqual([
    `Your order ${id.slice(0, 8)}`,
    `Your order ${id.slice(0, 8)} is cancelled`,
  ]);
  expect((letters[0]?.receivedAt ?? 0) - refusedAt).toBeLessThan(15_000);
});

const logged = (text: string) =>
  shop.logs.filter((line) => line.includes(text)).map((line) => JSON.parse(line));
const metricsOf = async () =>
  (
    await fetch(`${shop.url}/metrics`, { headers: { authorization: "Bearer metrics-token" } })
  ).text();

test.each(["down", "later"] as const)(
  "an outage (%s) is logged once and shown, and waiting emails are sent after the first success",
  async (fault) => {
    await shop.lender.setMailFault(fault);
    for (let count = 0; count < 6; count += 1)
      await placeOrder(shop, { customer_email: `shopper-${count}@mail.example` });
    await waitFor("the attempts", async () =>
      (await deliveries()).every(({ answer }) => answer !== null),
    );
    await waitFor("the metric", async () =>
      (await metricsOf()).includes("keepsats_mail_server_up 0\n"),
    );
    const { body } = await merchant(shop, "GET", "/api/merchant/today");
    expect(body).toMatchObject({ mail: { state: "away", waiting: 6 } });
    // Otherwise the first retry is due only after some seconds.
    const { db } = shop.database;
    await db
      .updateTable("outbox")
      .set({ next_at: Date.now() + 3_600_000 })
      .execute();

    await shop.lender.setMailFault("none");
    await placeOrder(shop);
    await lettersCome(7);
    expect(await metricsOf()).toContain("keepsats_mail_server_up 1\n");
    expect(logged("the mail server is not accepting email")).toEqual([
      expect.objectContaining({
        level: 50,
        why: expect.stringMatching(fault === "down" ? /closed/ : /451/),
      }),
    ]);
    expect(logged("the mail server accepts email again")).toHaveLength(1);
  },
);

test("staff send the waiting emails at once", async () => {
  await shop.lender.setMailFault("later");
  await placeOrder(shop);
  await waitFor("a refusal", async () =>
    (await deliveries()).some(({ answer }) => answer?.includes("451")),
  );
  await shop.database.db
    .updateTable("outbox")
    .set({ next_at: Date.now() + 3_600_000 })
    .execute();
  await shop.lender.setMailFault("none");
  const created = await merchant(shop, "POST", "/api/merchant/tokens", {
    name: "till",
    role: "staff",
  });
  const staff = { ...shop, token: Object(created.body).token };
  expect(await merchant(staff, "POST", "/api/merchant/deliveries/retry")).toMatchObject({
    status: 200,
    body: { retried: 1 },
  });
  await lettersCome(1);
});

test("a test email has the Message-ID of a real one, and ends an outage", async () => {
  await shop.lender.setMailFault("down");
  await placeOrder(shop);
  await waitFor("the outage", () => logged("the mail server is not accepting email").length > 0);
  await shop.database.db
    .updateTable("outbox")
    .set({ next_at: Date.now() + 3_600_000 })
    .execute();
  await shop.lender.setMailFault("none");
  const to = { to: "owner@shop.example" };
  expect((await merchant(shop, "POST", "/api/merchant/mail/test", to)).status).toBe(200);
  const letters = await lettersCome(2);
  const [trial, real] = ["owner@shop.example", "ada@example.org"].map((recipient) =>
    letters.find((letter) => letter.recipient === recipient),
  );
  expect(trial?.messageId).toMatch(/@shop\.example>$/);
  expect(trial?.sender).toBe(real?.sender);
  expect(trial?.messageId.split("@")[1]).toBe(real?.messageId.split("@")[1]);
});

test("an order is answered before its letter is sent", async () => {
  await shop.lender.setMailFault("slow");
  await placeOrder(shop);
  expect(shop.lender.letters()).toEqual([]);
  await lettersCome(1);
});

test("an address is sent at most five letters within an hour about unpaid orders", async () => {
  const spellings = [
    "ada@mail.example",
    "Ada@Mail.example",
    "ada@ｍail.example",
    "ada@ⓜail.example",
  ];
  for (const customer_email of [...spellings, ...spellings.slice(1)])
    await placeOrder(shop, { customer_email });
  await placeOrder(shop, { customer_email: "bob@mail.example" });
  const ended = await allEnded();
  expect(ended.filter(({ state }) => state === "delivered")).toHaveLength(6);
  expect(ended.filter(({ state }) => state === "skipped").map(({ answer }) => answer)).toEqual(
    Array(2).fill(expect.stringContaining("too many emails")),
  );
  expect(shop.lender.letters()).toHaveLength(6);
  const [letter] = shop.lender.letters();
  expect(headerOf(letter, "List-Unsubscribe")).toMatch(
    /^<mailto:orders@shop\.example\?subject=Not%20mine/,
  );
});

test("an email about an order that has since been paid is sent despite the limits", async () => {
  for (let count = 0; count < 6; count += 1)
    await placeOrder(shop, { customer_email: "ada@mail.example" });
  const skipped = (await allEnded()).find(({ state }) => state === "skipped");
  const { db } = shop.database;
  await db
    .updateTable("orders")
    .set({ status: "PaymentProcessed" })
    .where("id", "=", skipped?.subject ?? "")
    .execute();
  await db
    .updateTable("outbox")
    .set({ state: "waiting" })
    .where("id", "=", skipped?.id ?? "")
    .execute();
  await lettersCome(6);
});

test("a letter about an order that the merchant has cancelled is sent whatever was sent to the address", async () => {
  const orders = [];
  for (let count = 0; count < 6; count += 1)
    orders.push(await placeOrder(shop, { customer_email: "ada@mail.example" }));
  await allEnded();
  const to = { to: "Cancelled", message: "The pot is broken." };
  const path = `/api/merchant/orders/${orders[0]?.id}/transitions`;
  expect((await merchant(shop, "POST", path, to)).status).toBe(200);
  const ended = await allEnded();
  expect(ended.map(({ type, state }) => `${type} ${state}`)).toEqual([
    ...Array(5).fill("order.placed delivered"),
    "order.placed skipped",
    "order.cancelled delivered",
  ]);
  expect(shop.lender.letters().some(({ text }) => text.includes("The pot is broken."))).toBe(true);
});

test("no letter is sent about an order whose personal data was erased, or that is older than three days", async () => {
  await shop.lender.setMailFault("later");
  const erased = await placeOrder(shop);
  const old = await placeOrder(shop);
  await waitFor("refusals", async () =>
    (await deliveries()).every(({ answer }) => answer?.includes("451")),
  );
  const { db } = shop.database;
  await db.updateTable("orders").set({ erased_at: 1 }).where("id", "=", erased.id).execute();
  const created = Date.now() - 4 * 24 * 60 * 60_000;
  await db
    .updateTable("outbox")
    .set({ created_at: created })
    .where("subject", "=", old.id)
    .execute();
  await shop.lender.setMailFault("none");
  expect((await allEnded()).map(({ state, answer }) => `${state}: ${answer}`)).toEqual([
    expect.stringMatching(/^skipped: .*erased/),
    expect.stringMatching(/^skipped: .*three days/),
  ]);
});

test("mail is sent in the name that the shop has now, and answers go to its contact", async () => {
  const settings = {
    name: "Bits & Bobs",
    contact: "help@bits.example",
    greeting: "Good day,",
    signature: "Your Bob",
  };
  expect((await merchant(shop, "PUT", "/api/merchant/settings", settings)).status).toBe(200);
  await paidOrder(shop);
  const letters = await lettersCome(3);
  expect(headerOf(letters[0], "From")).toBe('"Bits & Bobs" <orders@shop.example>');
  expect(headerOf(letters[0], "Reply-To")).toBe("help@bits.example");
  expect(letters[0]?.text).toMatch(/^Good day,/);
  expect(letters[0]?.text).toContain("Your Bob");
  expect(
    letters.some(
      ({ recipient, subject }) => recipient === "help@bits.example" && /is paid: /.test(subject),
    ),
  ).toBe(true);
});

test("the merchant gets one letter about a loan that lends too little: when it was paid out", async () => {
  const { id } = await placeOrder(shop);
  await shop.lender.fund({ amount: "45.00", orderId: id, dial: "wrong-amount" });
  const toMerchant = () =>
    shop.lender.letters().filter(({ recipient }) => recipient === "orders@shop.example");
  await waitFor("the letter", () => toMerchant().length > 0);
  const { db } = shop.database;
  await waitFor("the deliveries", async () => {
    const rows = await db
      .selectFrom("outbox")
      .select("state")
      .where("channel", "=", "mail-merchant")
      .execute();
    return rows.every(({ state }) => state !== "waiting");
  });
  expect(toMerchant().map(({ subject }) => subject)).toEqual([
    `Order ${id.slice(0, 8)}: $22.50 came, which is less than it costs`,
  ]);
});

test("the merchant is told of a refund due and of low stock, and the shopper of a refund", async () => {
  expect((await merchant(shop, "PATCH", "/api/merchant/items/moka-pot", { stock: 4 })).status).toBe(
    200,
  );
  const { id } = await paidOrder(shop);
  const short = id.slice(0, 8);
  const to = { to: "Cancelled", message: "The pot is broken.\nWe are sorry." };
  expect((await merchant(shop, "POST", `/api/merchant/orders/${id}/transitions`, to)).status).toBe(
    200,
  );
  // A refund that is recorded before the merchant was told makes the letter outdated.
  await lettersCome(6);
  const refund = { amount: 45, method: "bank transfer" };
  expect((await merchant(shop, "POST", `/api/merchant/orders/${id}/refunds`, refund)).status).toBe(
    201,
  );
  const letters = await lettersCome(7);
  const subjectsTo = (merchants: boolean) =>
    letters
      .filter(({ recipient }) => (recipient === "orders@shop.example") === merchants)
      .map(({ subject }) => subject);
  expect(subjectsTo(true).toSorted()).toEqual([
    "Moka Pot: only 3 left",
    `Order ${short} is paid: $45.00`,
    `Order ${short}: $45.00 to refund`,
  ]);
  expect(subjectsTo(false)).toEqual([
    `Your order ${short}`,
    `Your order ${short} is paid`,
    `Your order ${short} is cancelled`,
    `We have refunded $45.00 for your order ${short}`,
  ]);
  const cancelled = letters.find(({ subject }) => subject === `Your order ${short} is cancelled`);
  expect(cancelled?.text).toContain("The pot is broken.\nWe are sorry.");
  expect(cancelled?.text).toContain("We will refund $45.00, and write to you");
});
