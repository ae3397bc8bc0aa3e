import { readFile, writeFile } from "node:fs/promises";
import type { ServerResponse } from "node:http";
import { join } from "node:path";
import {
  deliveriesSchema,
  paths,
  type WebhookWithSecret,
  webhookWithSecretSchema,
  withId,
} from "@keepsats/protocol";
import { expect, test } from "vitest";
import { placeOrder } from "../harness/customer.ts";
import { freePort } from "../harness/network.ts";
import { isSignedWith, startReceiver } from "../harness/receiver.ts";
import { startProcess } from "../harness/server-process.ts";
import { startShop } from "../harness/shop.ts";
import { callAdminApi } from "../harness/staff.ts";
import { useResource } from "../harness/use-resource.ts";
import { waitFor } from "../harness/wait-for.ts";

const shop = useResource(() => startShop());

/** Adds a webhook by the admin API. */
async function addWebhook(body: unknown): Promise<WebhookWithSecret> {
  const created = await callAdminApi(shop, "POST", paths.admin.webhooks, body);
  expect(created.status, JSON.stringify(created.body)).toBe(201);
  return webhookWithSecretSchema.parse(created.body);
}

test("a webhook gets the events of an order as the Standard Webhooks specification says", async () => {
  const receiver = await startReceiver();
  const { id: webhook, secret } = await addWebhook({ url: receiver.url });
  expect(secret).toMatch(/^whsec_[A-Za-z0-9+/]{43}=$/);
  const { id, number } = await placeOrder(shop);
  const [message] = await waitFor(
    "the message",
    () => receiver.received.length > 0 && receiver.received,
  );
  expect(message).toMatchObject({
    type: "order.placed",
    data: { order_id: id, order_number: number },
  });
  expect(message && isSignedWith(secret, message)).toBe(true);
  await callAdminApi(shop, "DELETE", withId(paths.admin.webhook, webhook));
  await receiver.close();
});

test("a webhook is added, listed, tested, changed, gets a new secret, and is removed", async () => {
  const receiver = await startReceiver();
  const types = ["order.paid", "order.refunded"];
  const { id, secret } = await addWebhook({ url: receiver.url, events: types });
  const path = withId(paths.admin.webhook, id);
  const list = await callAdminApi(shop, "GET", paths.admin.webhooks);
  expect(list.body).toMatchObject({
    webhooks: expect.arrayContaining([
      expect.objectContaining({ url: receiver.url, events: types, enabled: true }),
    ]),
  });
  expect(JSON.stringify(list.body)).not.toContain(secret);
  const testMessage = async (count: number) => {
    const sent = await callAdminApi(shop, "POST", withId(paths.admin.webhookTest, id));
    expect(sent.status).toBe(200);
    await waitFor("the test", () => receiver.received.length === count);
    return receiver.received[count - 1];
  };
  const first = await testMessage(1);
  expect(first && isSignedWith(secret, first)).toBe(true);

  const off = await callAdminApi(shop, "PATCH", path, { events: null, enabled: false });
  expect(off.body).toMatchObject({ events: null, enabled: false });
  const refused = await callAdminApi(shop, "POST", withId(paths.admin.webhookTest, id));
  expect(refused).toMatchObject({ status: 409, body: { code: "webhook_off" } });
  const { origin } = new URL(receiver.url);
  await callAdminApi(shop, "PATCH", path, { enabled: true, url: origin });
  await testMessage(2);
  await callAdminApi(shop, "PATCH", path, { url: receiver.url });
  const changed = await callAdminApi(shop, "POST", withId(paths.admin.webhookSecret, id), {});
  const { secret: another } = webhookWithSecretSchema.parse(changed.body);
  expect(another).not.toBe(secret);
  const last = await testMessage(3);
  expect([secret, another].map((one) => last && isSignedWith(one, last))).toEqual([true, true]);

  const expected = { url: receiver.url, events: null };
  const events = ["order.paid"];
  const change = () => callAdminApi(shop, "PATCH", path, { url: origin, events, expected });
  expect((await change()).body).toMatchObject({ url: `${origin}/`, events });
  expect((await change()).status, "repeated after a lost answer").toBe(200);
  await callAdminApi(shop, "PATCH", path, { url: receiver.url, events: ["order.placed"] });
  expect(await change()).toMatchObject({
    status: 409,
    body: { code: "webhook_changed", detail: expect.stringContaining("events") },
  });
  expect((await callAdminApi(shop, "PATCH", path, {})).body).toMatchObject({
    url: receiver.url,
    events: ["order.placed"],
  });

  expect((await callAdminApi(shop, "DELETE", path)).status).toBe(200);
  expect((await callAdminApi(shop, "PATCH", path, { enabled: true })).status).toBe(404);
  await receiver.close();
});

test("deliveries are shown with their answers, and retried", async () => {
  const receiver = await startReceiver((response, _, attempt) =>
    response.writeHead(attempt === 1 ? 410 : 200).end(attempt === 1 ? "moved away" : "thanks"),
  );
  const webhook = await addWebhook({ url: receiver.url });
  const { id } = await placeOrder(shop);
  const deliveriesAnswered = async (answer: string) => {
    const path = withId(paths.admin.webhookDeliveries, webhook.id);
    const { deliveries } = deliveriesSchema.parse((await callAdminApi(shop, "GET", path)).body);
    return deliveries.find((delivery) => delivery.answer === answer);
  };
  const failed = await waitFor("the end", () => deliveriesAnswered("410 moved away"));
  const path = withId(paths.admin.webhook, webhook.id);
  expect((await callAdminApi(shop, "PATCH", path, {})).body).toMatchObject({
    enabled: false,
    off_reason: "It answered 410 Gone.",
  });
  expect(await shop.metrics()).toContain("keepsats_webhooks_switched_off 1\n");
  expect(shop.logs.filter((line) => line.includes("a webhook was switched off"))).toHaveLength(1);
  await callAdminApi(shop, "PATCH", path, { enabled: true });
  const retry = () => callAdminApi(shop, "POST", withId(paths.admin.deliveryRetry, failed.id));
  expect((await retry()).body).toMatchObject({ id: failed.id, state: "waiting" });
  const delivered = await waitFor("the repetition", () => deliveriesAnswered("200 thanks"));
  expect(delivered).toMatchObject({ subject: id, state: "delivered", attempts: 1 });
  await retry();
  await waitFor("the third message", () => receiver.received.length === 3);
  expect(new Set(receiver.received.map((one) => one.id))).toEqual(new Set([failed.id]));
  await callAdminApi(shop, "DELETE", path);
  await receiver.close();
});

test("a wrong address, event, secret or delivery is refused", async () => {
  const add = (body: object) => callAdminApi(shop, "POST", paths.admin.webhooks, body);
  const url = "https://books.example";
  expect((await add({})).status).toBe(422);
  expect((await add({ url: "ftp://books.example" })).status).toBe(422);
  expect((await add({ url, events: ["order.lost"] })).status).toBe(422);
  const short = await add({ url, secret: `whsec_${Buffer.alloc(23).toString("base64")}` });
  expect(short.status).toBe(422);
  expect(JSON.stringify(short.body)).toContain("must have 24 to 64 random bytes");
  const unknown = withId(paths.admin.deliveryRetry, "unknown");
  expect((await callAdminApi(shop, "POST", unknown)).status).toBe(404);
});

test("a former address that answers 410 leaves the webhook on, and the current one gets the delivery", async () => {
  const held: ServerResponse[] = [];
  const former = await startReceiver((response) => held.push(response));
  const present = await startReceiver();
  const { id } = await addWebhook({ url: former.url });
  const webhook = withId(paths.admin.webhook, id);
  const order = await placeOrder(shop);
  await waitFor("the message to the former address", () => held.length > 0);
  await callAdminApi(shop, "PATCH", webhook, { url: present.url });
  held[0]?.writeHead(410).end();
  const [message] = await waitFor(
    "the next attempt",
    () => present.received.length > 0 && present.received,
  );
  expect(message).toMatchObject({ type: "order.placed", data: { order_id: order.id } });
  expect((await callAdminApi(shop, "PATCH", webhook, {})).body).toMatchObject({
    enabled: true,
    off_reason: null,
  });
  await callAdminApi(shop, "DELETE", webhook);
  await Promise.all([former.close(), present.close()]);
});

test("the receiver in docs/webhooks.md accepts what the shop sends, and nothing else", async () => {
  const port = await freePort();
  const url = `http://localhost:${port}/`;
  const { id: webhook, secret } = await addWebhook({ url });
  const page = await readFile(join(import.meta.dirname, "../../docs/webhooks.md"), "utf8");
  const file = join(shop.folder, "receiver.mjs");
  await writeFile(file, /```js\n([\s\S]*?)```/.exec(page)?.[1] ?? "");
  const env = { WEBHOOK_SECRET: secret, RECEIVER_PORT: String(port) };
  const receiver = await startProcess({ args: [file], cwd: shop.folder, port, env });
  const forged = () =>
    fetch(url, { method: "POST", body: "{}", headers: { "webhook-signature": "v1,é" } });
  await waitFor("the receiver", () => forged().catch(() => undefined));
  expect((await forged()).status).toBe(401);
  const { id } = await placeOrder(shop);
  await waitFor("the message", () => receiver.output().includes(id));
  expect(receiver.output()).toMatch(/^[\w-]{36} \{"type":"order.placed",/);
  await callAdminApi(shop, "DELETE", withId(paths.admin.webhook, webhook));
  await receiver.end();
});

test("without WEBHOOKS_PRIVATE, http: and private addresses are refused when a webhook is added", async () => {
  const strict = await startShop({ config: { webhooksPrivate: false } });
  const add = (url: string) => callAdminApi(strict, "POST", paths.admin.webhooks, { url });
  for (const url of [
    "http://books.example",
    "https://127.0.0.1",
    "https://localhost:8443",
    "https://[fd00::1]",
  ]) {
    expect((await add(url)).status, url).toBe(422);
  }
  const { status, body } = await add("https://books.example/hooks");
  expect(status).toBe(201);
  const { id } = webhookWithSecretSchema.parse(body);
  const change = { url: "https://10.0.0.1" };
  expect(
    (await callAdminApi(strict, "PATCH", withId(paths.admin.webhook, id), change)).status,
  ).toBe(422);
  await strict.close();
});

test("a shop has at most twenty webhooks", async () => {
  const ids: string[] = [];
  for (let n = 0; n < 20; n += 1) ids.push((await addWebhook({ url: `https://w${n}.example` })).id);
  const { status, body } = await callAdminApi(shop, "POST", paths.admin.webhooks, {
    url: "https://x.example",
  });
  expect([status, Object(body).detail]).toEqual([422, "There are already 20 webhooks."]);
  for (const id of ids) await callAdminApi(shop, "DELETE", withId(paths.admin.webhook, id));
});
