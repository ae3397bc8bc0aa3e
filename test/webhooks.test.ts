import { readFile, writeFile } from "node:fs/promises";
import type { ServerResponse } from "node:http";
import { join } from "node:path";
import { paths, type WebhookWithSecret, webhookWithSecretSchema, withId } from "@keepsats/protocol";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { runCommand } from "../apps/merchant/src/cli.ts";
import { merchant, placeOrder } from "./harness/client.ts";
import { freePort } from "./harness/free-port.ts";
import { isSignedWith, startReceiver } from "./harness/receiver.ts";
import { startProcess } from "./harness/server-process.ts";
import { type Shop, startShop } from "./harness/shop.ts";
import { waitFor } from "./harness/wait-for.ts";

let shop: Shop;
beforeAll(async () => {
  shop = await startShop();
});
afterAll(() => shop.close());

/** Adds a webhook by the merchant API. */
async function addWebhook(body: unknown): Promise<WebhookWithSecret> {
  const created = await merchant(shop, "POST", paths.merchant.webhooks, body);
  expect(created.status, JSON.stringify(created.body)).toBe(201);
  return webhookWithSecretSchema.parse(created.body);
}

test("a webhook is told of an order as the Standard Webhooks specification has it", async () => {
  const receiver = await startReceiver();
  const { id: webhook, secret } = await addWebhook({ url: receiver.url });
  expect(secret).toMatch(/^whsec_[A-Za-z0-9+/]{43}=$/);
  const { id } = await placeOrder(shop);
  const [message] = await waitFor(
    "the message",
    () => receiver.received.length > 0 && receiver.received,
  );
  expect(message).toMatchObject({ type: "order.placed", data: { order_id: id } });
  expect(message && isSignedWith(secret, message)).toBe(true);
  await merchant(shop, "DELETE", withId(paths.merchant.webhook, webhook));
  await receiver.close();
});

/** Runs a command of the merchant. @returns what it writes */
async function run(args: readonly string[]): Promise<string> {
  const lines: string[] = [];
  await runCommand(["webhooks", ...args], {
    env: { SHOP_URL: shop.url, MERCHANT_TOKEN: shop.token },
    write: (line) => lines.push(line),
    progress: () => {},
    columns: 200,
  });
  return lines.join("\n");
}

describe("on the command line", () => {
  test("a webhook is added, listed, tested, changed, given another secret, and removed", async () => {
    const receiver = await startReceiver();
    const [secret = ""] = (
      await run(["add", receiver.url, "--events", "order.paid,order.refunded"])
    ).split("\n");
    const list = await run(["list"]);
    expect(list).toContain(`${receiver.url}  order.paid order.refunded  on`);
    expect(list).not.toContain(secret);
    expect(await run(["test", receiver.url])).toBe("The test was delivered: 204");
    const [message] = receiver.received;
    expect(message && isSignedWith(secret, message)).toBe(true);

    const [webhook] = JSON.parse(await run(["list", "--json"])).filter(
      ({ url }: { url: string }) => url === receiver.url,
    );
    const id = webhook.id.slice(0, 8);
    expect(await run(["edit", id, "--events", "all", "--off"])).toBe(
      `The webhook ${receiver.url} is off, told of all events.`,
    );
    await expect(run(["test", id])).rejects.toMatchObject({ exitCode: 4 });
    await run(["edit", id, "--on", "--url", `${new URL(receiver.url).origin}`]);
    expect(await run(["test", new URL(receiver.url).origin])).toBe("The test was delivered: 204");
    await run(["edit", id, "--url", receiver.url]);
    const [another = ""] = (await run(["secret", id])).split("\n");
    expect(another).not.toBe(secret);
    await run(["test", id]);
    const last = receiver.received.at(-1);
    expect([secret, another].map((one) => last && isSignedWith(one, last))).toEqual([true, true]);

    expect(await run(["remove", id])).toBe(`The webhook ${receiver.url} is removed.`);
    await expect(run(["edit", id, "--on"])).rejects.toMatchObject({ exitCode: 3 });
    await receiver.close();
  });

  test("deliveries are shown with what was answered, and sent again", async () => {
    const receiver = await startReceiver((response, _, attempt) =>
      response.writeHead(attempt === 1 ? 410 : 200).end(attempt === 1 ? "moved away" : "thanks"),
    );
    await run(["add", receiver.url]);
    const { id } = await placeOrder(shop);
    await waitFor("the end", async () =>
      (await run(["deliveries", receiver.url])).includes("410 moved away"),
    );
    expect(await run(["list"])).toContain("off: It answered 410 Gone.");
    const metrics = await fetch(`${shop.url}/metrics`, {
      headers: { authorization: "Bearer metrics-token" },
    });
    expect(await metrics.text()).toContain("keepsats_webhooks_switched_off 1\n");
    expect(shop.logs.filter((line) => line.includes("a webhook was switched off"))).toHaveLength(1);
    await run(["edit", receiver.url, "--on"]);
    expect(await run(["repeat", receiver.url])).toBe("1 delivery is made again.");
    await waitFor("the repetition", async () =>
      (await run(["deliveries", receiver.url])).includes("200 thanks"),
    );
    const [delivery] = JSON.parse(await run(["deliveries", receiver.url, "--json"]));
    expect(delivery).toMatchObject({ subject: id, state: "delivered", attempts: 1 });
    const path = withId(paths.merchant.deliveryRepeat, delivery.id);
    expect((await merchant(shop, "POST", path)).body).toMatchObject({
      id: delivery.id,
      state: "waiting",
    });
    await waitFor("the third message", () => receiver.received.length === 3);
    expect(new Set(receiver.received.map((one) => one.id))).toEqual(new Set([delivery.id]));
    await run(["remove", receiver.url]);
    await receiver.close();
  });

  test("wrong input is refused with an exit code that says so", async () => {
    const usage = { exitCode: 2 };
    await expect(run(["add"])).rejects.toMatchObject(usage);
    await expect(run(["add", "ftp://books.example"])).rejects.toMatchObject(usage);
    await expect(
      run(["add", "https://books.example", "--events", "order.lost"]),
    ).rejects.toMatchObject(usage);
    await expect(run(["edit", "x"])).rejects.toMatchObject(usage);
    await expect(run(["edit", "x", "--on", "--off"])).rejects.toMatchObject(usage);
    await expect(run(["deliveries", "x", "--status", "lost"])).rejects.toMatchObject(usage);
    await expect(run(["lose"])).rejects.toMatchObject(usage);
    const unknown = withId(paths.merchant.deliveryRepeat, "unknown");
    expect((await merchant(shop, "POST", unknown)).status).toBe(404);
    await expect(run(["repeat", "unknown"])).rejects.toMatchObject({ exitCode: 3 });
    const file = join(shop.folder, "secret");
    await writeFile(file, `whsec_${Buffer.alloc(23).toString("base64")}\n`);
    await expect(
      run(["add", "https://books.example", "--secret-file", file]),
    ).rejects.toMatchObject({
      ...usage,
      message: expect.stringContaining("must have 24 to 64 random bytes"),
    });
  });
});

test("a former address that answers 410 does not switch the webhook off, and its present address is told", async () => {
  const held: ServerResponse[] = [];
  const former = await startReceiver((response) => held.push(response));
  const present = await startReceiver();
  const { id } = await addWebhook({ url: former.url });
  const webhook = withId(paths.merchant.webhook, id);
  const order = await placeOrder(shop);
  await waitFor("the message to the former address", () => held.length > 0);
  await merchant(shop, "PATCH", webhook, { url: present.url });
  held[0]?.writeHead(410).end();
  const [message] = await waitFor(
    "the next attempt",
    () => present.received.length > 0 && present.received,
  );
  expect(message).toMatchObject({ type: "order.placed", data: { order_id: order.id } });
  expect((await merchant(shop, "PATCH", webhook, {})).body).toMatchObject({
    enabled: true,
    off_reason: null,
  });
  await merchant(shop, "DELETE", webhook);
  await Promise.all([former.close(), present.close()]);
});

test("the receiver in docs/webhooks.md takes what the shop sends, and nothing else", async () => {
  const port = await freePort();
  const url = `http://localhost:${port}/`;
  const [secret = ""] = (await run(["add", url])).split("\n");
  const page = await readFile(join(import.meta.dirname, "../docs/webhooks.md"), "utf8");
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
  await run(["remove", url]);
  await receiver.end();
});

test("without the setting, http: and private addresses are refused when they are given", async () => {
  const strict = await startShop({ config: { webhooksPrivate: false } });
  const add = (url: string) => merchant(strict, "POST", paths.merchant.webhooks, { url });
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
  expect((await merchant(strict, "PATCH", withId(paths.merchant.webhook, id), change)).status).toBe(
    422,
  );
  await strict.close();
});

test("there may be twenty webhooks", async () => {
  const ids: string[] = [];
  for (let n = 0; n < 20; n += 1) ids.push((await addWebhook({ url: `https://w${n}.example` })).id);
  const { status, body } = await merchant(shop, "POST", paths.merchant.webhooks, {
    url: "https://x.example",
  });
  expect([status, Object(body).detail]).toEqual([422, "There are 20 webhooks already."]);
  for (const id of ids) await merchant(shop, "DELETE", withId(paths.merchant.webhook, id));
});
