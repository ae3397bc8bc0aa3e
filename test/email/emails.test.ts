import { deliveryChannels, paths, pictureSchema } from "@keepsats/protocol";
import sharp from "sharp";
import { afterEach, beforeEach, expect, test } from "vitest";
import type { Email } from "../../apps/sandbox/src/mailbox/emails.ts";
import { paidOrder, placeOrder } from "../harness/customer.ts";
import { type Shop, startShop } from "../harness/shop.ts";
import { callAdminApi } from "../harness/staff.ts";
import { waitFor } from "../harness/wait-for.ts";

let shop: Shop;
beforeEach(async () => {
  shop = await startShop({ mail: true });
});
afterEach(() => shop.close());

const subjects = () =>
  shop.sandbox.emails().map(({ subject, recipient }) => `${recipient}: ${subject}`);

/** The value of a header, unfolded; `undefined` if the email has none. */
function headerOf(email: Email | undefined, name: string): string | undefined {
  const [head = ""] = (email?.raw ?? "").split("\r\n\r\n");
  const lines = head.replaceAll(/\r\n[ \t]+/g, " ").split("\r\n");
  return lines
    .find((line) => line.startsWith(`${name}: `))
    ?.slice(name.length + 2)
    .trim();
}

/** Waits until so many emails have come. */
async function emailsArrive(count: number) {
  await waitFor(
    () => `${count} emails, have ${subjects().join("\n")}`,
    () => subjects().length >= count,
  );
  return shop.sandbox.emails();
}

test("a placed order sends an email with the order link, in the shop's name", async () => {
  const { id, number, key } = await placeOrder(shop, { customer_email: "ada@mail.example" });
  const [email] = await emailsArrive(1);
  expect(email).toMatchObject({
    recipient: "ada@mail.example",
    sender: "orders@shop.example",
    subject: `Your order ${number}`,
  });
  const link = `${shop.url}/order?orderId=${id}#key=${key}`;
  expect(email?.text).toContain(link);
  expect(email?.html).toContain(`href="${link}"`);
  expect(email?.text).toContain("Moka Pot");
  expect(headerOf(email, "From")).toBe("Keepsats <orders@shop.example>");
});

test("an email shows the uploaded logo and pictures as attachments, and its text has no trace of them", async () => {
  const url = await uploadPicture();
  await callAdminApi(shop, "PATCH", "/api/admin/items/moka-pot", { image_url: url });
  await callAdminApi(shop, "PUT", paths.admin.settings, { logo: url });
  await placeOrder(shop);
  const [email] = await emailsArrive(1);
  expect(email?.html.match(/<img src="data:image\/jpeg;base64,[^"]+"/g)).toHaveLength(2);
  expect(email?.raw.match(/^Content-ID: <.+@shop\.example>\r$/gm)).toHaveLength(2);
  expect(email?.text).toMatch(/1 × Moka Pot {2}\$45\.00/);
  expect(email?.text).not.toContain("cid:");
});

test("an email arrives without a picture that is missing, a drawing or on another site", async () => {
  const urls = [`/pictures/${"0".repeat(32)}-800`, "/pictures/moka-pot.svg", "https://a.example/a"];
  for (const [index, image_url] of urls.entries()) {
    await shop.database.db
      .updateTable("items")
      .set({ image_url })
      .where("id", "=", "moka-pot")
      .execute();
    await placeOrder(shop, { customer_email: `ada${index}@mail.example` });
    const emails = await emailsArrive(index + 1);
    for (const { html } of emails) expect(html).not.toContain("<img");
  }
});

/** Uploads a picture. Returns the URL of its largest size. */
async function uploadPicture(): Promise<string> {
  const background = { r: 20, g: 80, b: 200 };
  const file = await sharp({ create: { width: 900, height: 600, channels: 3, background } })
    .png()
    .toBuffer();
  const headers = { authorization: `Bearer ${shop.token}`, "content-type": "image/png" };
  const response = await fetch(`${shop.url}${paths.admin.pictures}`, {
    method: "POST",
    headers,
    body: Uint8Array.from(file),
  });
  return pictureSchema.parse(await response.json()).url;
}

test("customer and merchant get emails about each step of an order, in sequence", async () => {
  const { id, number } = await paidOrder(shop);
  await emailsArrive(3);
  await callAdminApi(shop, "POST", `/api/admin/orders/${id}/transitions`, {
    to: "Shipped",
    carrier: "DHL",
    tracking_number: "JD 0123",
    tracking_url: "https://track.example/JD0123",
  });
  await callAdminApi(shop, "POST", `/api/admin/orders/${id}/transitions`, { to: "Delivered" });
  const emails = await emailsArrive(5);
  const toCustomer = emails.filter(({ recipient }) => recipient !== "orders@shop.example");
  expect(toCustomer.map(({ subject }) => subject)).toEqual([
    `Your order ${number}`,
    `Your order ${number} is paid`,
    `Your order ${number} is on its way`,
    `Your order ${number} has been delivered`,
  ]);
  const shipped = toCustomer.find(({ subject }) => subject.endsWith("is on its way"));
  expect(shipped?.text).toContain("Tracking number: JD 0123");
  expect(shipped?.html).toContain('href="https://track.example/JD0123"');
  const toMerchant = emails.filter(({ recipient }) => recipient === "orders@shop.example");
  expect(toMerchant.map(({ subject }) => subject)).toEqual([`Order ${number} is paid: $45.00`]);
});

const deliveries = () =>
  shop.database.db
    .selectFrom("outbox")
    .selectAll()
    .where("channel", "=", "email-customer")
    .orderBy("position")
    .execute();

/** Waits until no delivery to a customer waits. Returns the deliveries. */
async function allEnded() {
  await waitFor("the deliveries", async () =>
    (await deliveries()).every(({ state }) => state !== "waiting"),
  );
  return deliveries();
}

test("a wrong address stops no other email; its email fails with the server's answer", async () => {
  const wrong = await placeOrder(shop, { customer_email: "nobody@refused.example" });
  await placeOrder(shop, { customer_email: "ada@mail.example" });
  await emailsArrive(1);
  const ended = await allEnded();
  expect(ended.map(({ state }) => state)).toEqual(["failed", "delivered"]);
  expect(ended[0]).toMatchObject({ subject: wrong.id, answer: expect.stringContaining("550") });
  expect(shop.sandbox.emails().map(({ recipient }) => recipient)).toEqual(["ada@mail.example"]);
  const text = await shop.metrics();
  for (const line of [
    'keepsats_outbox_failed{channel="email-customer"} 1',
    'keepsats_outbox_waiting{channel="email-customer"} 0',
    'keepsats_outbox_oldest_seconds{channel="email-merchant"} 0',
    'keepsats_outbox_attempts_total{channel="email-customer",result="delivered"} 1',
    'keepsats_outbox_attempts_total{channel="email-customer",result="failed"} 1',
  ])
    expect(text).toContain(`${line}\n`);
  const channels = text.matchAll(/^keepsats_outbox_waiting\{channel="([^"]+)"\}/gm);
  expect([...channels].map(([, channel]) => channel).sort()).toEqual([...deliveryChannels].sort());
});

test("a temporarily refused email arrives within 15 seconds, and the emails of an order in sequence", async () => {
  await shop.sandbox.setMailFault("later");
  const { id, number, key } = await placeOrder(shop);
  await waitFor("a refusal", async () =>
    (await deliveries()).some(({ answer }) => answer?.includes("451")),
  );
  const refusedAt = Date.now();
  await fetch(`${shop.url}/api/orders/${id}/cancellation`, {
    method: "POST",
    headers: { "order-key": key, origin: shop.url, "content-type": "application/json" },
    body: "{}",
  });
  await shop.sandbox.setMailFault("none");
  const emails = await emailsArrive(2);
  expect(emails.map(({ subject }) => subject)).toEqual([
    `Your order ${number}`,
    `Your order ${number} is cancelled`,
  ]);
  expect((emails[0]?.receivedAt ?? 0) - refusedAt).toBeLessThan(15_000);
});

const logged = (text: string) =>
  shop.logs.filter((line) => line.includes(text)).map((line) => JSON.parse(line));

test.each(["down", "later"] as const)(
  "an outage (%s) is logged once and shown, and waiting emails are sent after the first success",
  async (fault) => {
    await shop.sandbox.setMailFault(fault);
    for (let count = 0; count < 6; count += 1)
      await placeOrder(shop, { customer_email: `customer-${count}@mail.example` });
    await waitFor("the attempts", async () =>
      (await deliveries()).every(({ answer }) => answer !== null),
    );
    await waitFor("the metric", async () =>
      (await shop.metrics()).includes("keepsats_mail_server_up 0\n"),
    );
    const { body } = await callAdminApi(shop, "GET", "/api/admin/today");
    expect(body).toMatchObject({ mail: { state: "away", waiting: 6 } });
    // Otherwise the first retry is due only after some seconds.
    const { db } = shop.database;
    await db
      .updateTable("outbox")
      .set({ next_at: Date.now() + 3_600_000 })
      .execute();

    await shop.sandbox.setMailFault("none");
    await placeOrder(shop);
    await emailsArrive(7);
    expect(await shop.metrics()).toContain("keepsats_mail_server_up 1\n");
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
  await shop.sandbox.setMailFault("later");
  await placeOrder(shop);
  await waitFor("a refusal", async () =>
    (await deliveries()).some(({ answer }) => answer?.includes("451")),
  );
  await shop.database.db
    .updateTable("outbox")
    .set({ next_at: Date.now() + 3_600_000 })
    .execute();
  await shop.sandbox.setMailFault("none");
  const created = await callAdminApi(shop, "POST", "/api/admin/tokens", {
    name: "till",
    role: "staff",
  });
  const staff = { ...shop, token: Object(created.body).token };
  expect(await callAdminApi(staff, "POST", paths.admin.emailsRetry)).toMatchObject({
    status: 200,
    body: { retried: 1 },
  });
  await emailsArrive(1);
});

test("a test email has the Message-ID of a real one, and ends an outage", async () => {
  await shop.sandbox.setMailFault("down");
  await placeOrder(shop);
  await waitFor("the outage", () => logged("the mail server is not accepting email").length > 0);
  await shop.database.db
    .updateTable("outbox")
    .set({ next_at: Date.now() + 3_600_000 })
    .execute();
  await shop.sandbox.setMailFault("none");
  const to = { to: "owner@shop.example" };
  expect((await callAdminApi(shop, "POST", "/api/admin/mail/test", to)).status).toBe(200);
  const emails = await emailsArrive(2);
  const [trial, real] = ["owner@shop.example", "ada@example.org"].map((recipient) =>
    emails.find((email) => email.recipient === recipient),
  );
  expect(trial?.messageId).toMatch(/@shop\.example>$/);
  expect(trial?.sender).toBe(real?.sender);
  expect(trial?.messageId.split("@")[1]).toBe(real?.messageId.split("@")[1]);
});

test("an order is answered before its email is sent", async () => {
  await shop.sandbox.setMailFault("slow");
  await placeOrder(shop);
  expect(shop.sandbox.emails()).toEqual([]);
  await emailsArrive(1);
});

test("an address gets at most five emails an hour about unpaid orders", async () => {
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
  expect(shop.sandbox.emails()).toHaveLength(6);
  const [email] = shop.sandbox.emails();
  expect(headerOf(email, "List-Unsubscribe")).toMatch(
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
  // Otherwise the outbox looks at it only after some seconds.
  await placeOrder(shop, { customer_email: "bob@mail.example" });
  await emailsArrive(7);
  expect(subjects().filter((subject) => subject.startsWith("ada@mail.example"))).toHaveLength(6);
});

test("an email about an order that staff have cancelled is sent despite the limits", async () => {
  const orders = [];
  for (let count = 0; count < 6; count += 1)
    orders.push(await placeOrder(shop, { customer_email: "ada@mail.example" }));
  await allEnded();
  const to = { to: "Cancelled", message: "The pot is broken." };
  const path = `/api/admin/orders/${orders[0]?.id}/transitions`;
  expect((await callAdminApi(shop, "POST", path, to)).status).toBe(200);
  const ended = await allEnded();
  expect(ended.map(({ type, state }) => `${type} ${state}`)).toEqual([
    ...Array(5).fill("order.placed delivered"),
    "order.placed skipped",
    "order.cancelled delivered",
  ]);
  expect(shop.sandbox.emails().some(({ text }) => text.includes("The pot is broken."))).toBe(true);
});

test("no email is sent about an order whose personal data was erased, or that is older than three days", async () => {
  await shop.sandbox.setMailFault("later");
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
  await shop.sandbox.setMailFault("none");
  await callAdminApi(shop, "POST", paths.admin.emailsRetry);
  expect((await allEnded()).map(({ state, answer }) => `${state}: ${answer}`)).toEqual([
    expect.stringMatching(/^skipped: .*erased/),
    expect.stringMatching(/^skipped: .*3 days/),
  ]);
});

test("emails have the shop's present name, and replies go to its contact", async () => {
  const settings = {
    name: "Bits & Bobs",
    contact: "help@bits.example",
    greeting: "Good day,",
    signature: "Your Bob",
  };
  expect((await callAdminApi(shop, "PUT", "/api/admin/settings", settings)).status).toBe(200);
  await paidOrder(shop);
  const emails = await emailsArrive(3);
  expect(headerOf(emails[0], "From")).toBe('"Bits & Bobs" <orders@shop.example>');
  expect(headerOf(emails[0], "Reply-To")).toBe("help@bits.example");
  expect(emails[0]?.text).toMatch(/^Good day,/);
  expect(emails[0]?.text).toContain("Your Bob");
  expect(
    emails.some(
      ({ recipient, subject }) => recipient === "help@bits.example" && /is paid: /.test(subject),
    ),
  ).toBe(true);
});

test("the merchant gets one email about an underpaid loan, when it is paid out", async () => {
  const { id, number } = await placeOrder(shop);
  await shop.sandbox.fund({ amount: "45.00", orderId: id, dial: "wrong-amount" });
  const toMerchant = () =>
    shop.sandbox.emails().filter(({ recipient }) => recipient === "orders@shop.example");
  await waitFor("the email", () => toMerchant().length > 0);
  const { db } = shop.database;
  await waitFor("the deliveries", async () => {
    const rows = await db
      .selectFrom("outbox")
      .select("state")
      .where("channel", "=", "email-merchant")
      .execute();
    return rows.every(({ state }) => state !== "waiting");
  });
  expect(toMerchant().map(({ subject }) => subject)).toEqual([
    `Order ${number}: $22.50 received, less than the total`,
  ]);
});

test("the merchant gets emails about a refund due and low stock, and the customer about a refund", async () => {
  expect(
    (await callAdminApi(shop, "PATCH", "/api/admin/items/moka-pot", { stock: 4 })).status,
  ).toBe(200);
  const { id, number } = await paidOrder(shop);
  // A change of the order before its emails are sent makes them outdated.
  await emailsArrive(4);
  const to = { to: "Cancelled", message: "The pot is broken.\nWe are sorry." };
  expect((await callAdminApi(shop, "POST", `/api/admin/orders/${id}/transitions`, to)).status).toBe(
    200,
  );
  await emailsArrive(6);
  const refund = { amount: 45, method: "bank transfer" };
  expect((await callAdminApi(shop, "POST", `/api/admin/orders/${id}/refunds`, refund)).status).toBe(
    201,
  );
  const emails = await emailsArrive(7);
  const subjectsTo = (merchants: boolean) =>
    emails
      .filter(({ recipient }) => (recipient === "orders@shop.example") === merchants)
      .map(({ subject }) => subject);
  expect(subjectsTo(true).toSorted()).toEqual([
    "Moka Pot: only 3 left",
    `Order ${number} is paid: $45.00`,
    `Order ${number}: $45.00 to refund`,
  ]);
  expect(subjectsTo(false)).toEqual([
    `Your order ${number}`,
    `Your order ${number} is paid`,
    `Your order ${number} is cancelled`,
    `We have refunded $45.00 for your order ${number}`,
  ]);
  const cancelled = emails.find(({ subject }) => subject === `Your order ${number} is cancelled`);
  expect(cancelled?.text).toContain("The pot is broken.\nWe are sorry.");
  expect(cancelled?.text).toContain("We will refund $45.00 and email you");
});
