import { randomUUID } from "node:crypto";
import { join } from "node:path";
import { setTimeout as pause } from "node:timers/promises";
import { paths, webhookWithSecretSchema, withId } from "@keepsats/protocol";
import { describe, expect, test } from "vitest";
import { placeOrder } from "../harness/customer.ts";
import { databaseKinds } from "../harness/databases.ts";
import { freePort } from "../harness/network.ts";
import { isSignedWith, startReceiver } from "../harness/receiver.ts";
import { startSandbox } from "../harness/sandbox.ts";
import { startServer } from "../harness/server-process.ts";
import { callAdminApi } from "../harness/staff.ts";
import { testLength } from "../harness/test-length.ts";
import { waitFor } from "../harness/wait-for.ts";

const KILLS = { emails: testLength(2, 20), webhooks: testLength(2, 15) };
/** The orders that are placed and cancelled before each kill. */
const ORDERS = 10;
/** A lease of the outbox, and the longest time until it is looked at, in milliseconds. */
const LEASE = 36_000;

/** Places an order and cancels it. Returns its id. */
async function cancelledOrder(
  shop: { readonly url: string; readonly token: string },
  ...order: [changes?: { customer_email: string }, headers?: Record<string, string>]
): Promise<{ id: string; number: string }> {
  const placed = await placeOrder(shop, ...order);
  const path = withId(paths.admin.transitions, placed.id);
  expect((await callAdminApi(shop, "POST", path, { to: "Cancelled" })).status).toBe(200);
  return placed;
}

// At the same time, because each waits for leases most of the time.
describe.concurrent.each(databaseKinds)("on $name", ({ newShopDatabase }) => {
  test(`a server that is killed ${KILLS.webhooks} times while it calls a webhook loses nothing and keeps the sequence`, async () => {
    await using testDatabase = await newShopDatabase();
    const port = await freePort();
    const shop = { url: `http://localhost:${port}`, token: randomUUID() };
    await using sandbox = await startSandbox({ shopOrigin: shop.url });
    const { folder } = sandbox;
    const refused = new Set<string>();
    await using receiver = await startReceiver(async (response, { id }, attempt) => {
      await pause(30);
      // Only once each, because the second retry waits a minute.
      const isRefused = attempt % 10 === 0 && !refused.has(id);
      if (isRefused) refused.add(id);
      response.writeHead(isRefused ? 503 : 204).end();
    });
    const env = { ADMIN_TOKEN: shop.token, WEBHOOKS_PRIVATE: "on" };
    const start = () =>
      startServer({ cwd: folder, port, databaseUrl: testDatabase.url, provider: sandbox, env });
    let server = await start();
    const { body } = await callAdminApi(shop, "POST", paths.admin.webhooks, { url: receiver.url });
    const { secret } = webhookWithSecretSchema.parse(body);
    const orders: string[] = [];
    for (let kill = 0; kill < KILLS.webhooks; kill += 1) {
      for (let count = 0; count < ORDERS; count += 1) orders.push((await cancelledOrder(shop)).id);
      await pause(Math.random() * 300);
      await server.end("SIGKILL");
      server = await start();
    }
    const expected = ["order.placed", "order.cancelled"];
    await waitFor(
      "every message",
      () => orders.every((id) => expected.every((type) => receiver.typesOf(id).includes(type))),
      LEASE + 60_000,
    );
    for (const id of orders) {
      const types = receiver.typesOf(id);
      expect(types.filter((type, at) => type !== types[at - 1])).toEqual(expected);
    }
    expect(receiver.received.filter((message) => !isSignedWith(secret, message))).toEqual([]);
    const ids = new Set(receiver.received.map((message) => message.id));
    expect(ids.size).toBe(orders.length * expected.length);
    await server.end("SIGKILL");
  });
});

test.concurrent(`a server that is killed ${KILLS.emails} times while it sends emails loses none and keeps the sequence`, async () => {
  const [port, smtpPort] = [await freePort(), await freePort()];
  const shop = { url: `http://localhost:${port}`, token: randomUUID() };
  await using sandbox = await startSandbox({ shopOrigin: shop.url, smtpPort });
  const { folder } = sandbox;
  const databaseUrl = `file:${join(folder, "shop.db")}`;
  const env = {
    ADMIN_TOKEN: shop.token,
    SMTP_URL: `smtp://127.0.0.1:${smtpPort}`,
    MAIL_FROM: "orders@shop.example",
    TRUST_PROXY: "1",
    DRAIN_SECONDS: "0",
  };
  const start = () => startServer({ cwd: folder, port, databaseUrl, provider: sandbox, env });
  let server = await start();
  const expected = new Map<string, string[]>();
  for (let kill = 0; kill < KILLS.emails; kill += 1) {
    for (let count = 0; count < ORDERS; count += 1) {
      const customer_email = `customer-${kill}-${count}@mail.example`;
      // Emails about unpaid orders are limited by network.
      const network = { "x-forwarded-for": `192.0.2.${kill}` };
      const { number } = await cancelledOrder(shop, { customer_email }, network);
      const subject = `Your order ${number}`;
      expected.set(customer_email, [subject, `${subject} is cancelled`]);
    }
    await pause(Math.random() * 500);
    await server.end("SIGKILL");
    server = await start();
  }
  const wanted = [...expected.values()].flat().length;
  const arrived = () => new Set(sandbox.emails().map(({ messageId }) => messageId)).size;
  await waitFor(
    () => `${wanted} emails, have ${arrived()}`,
    () => arrived() === wanted,
    LEASE + 60_000,
  );

  const emails = sandbox.emails();
  const first = emails.filter(
    (one, at) => emails.findIndex((other) => other.messageId === one.messageId) === at,
  );
  const byCustomer = Map.groupBy(first, ({ recipient }) => recipient);
  for (const [recipient, subjects] of expected)
    expect(byCustomer.get(recipient)?.map(({ subject }) => subject)).toEqual(subjects);
  // At most the attempts that were in progress at a kill come twice, and then with the same
  // Message-ID.
  expect(emails.length - wanted).toBeLessThanOrEqual(KILLS.emails * 4);
  await server.end("SIGKILL");
});
