import { randomUUID } from "node:crypto";
import { setTimeout as pause } from "node:timers/promises";
import { paths, webhookWithSecretSchema, withId } from "@keepsats/protocol";
import { describe, expect, test } from "vitest";
import { placeOrder } from "../harness/customer.ts";
import { databaseKinds } from "../harness/databases.ts";
import { startLender } from "../harness/lender.ts";
import { testLength } from "../harness/load.ts";
import { freePort } from "../harness/network.ts";
import { isSignedWith, startReceiver } from "../harness/receiver.ts";
import { startServer } from "../harness/server-process.ts";
import { callAdminApi } from "../harness/staff.ts";
import { waitFor } from "../harness/wait-for.ts";

const KILLS = testLength(2, 15);
const ORDERS = 8;
/** A lease of the outbox, and the longest time until it is looked at, in milliseconds. */
const LEASE = 36_000;

// At the same time, because each waits for leases and sweeps most of the time.
describe.concurrent.each(databaseKinds)("on $name", ({ newPlace }) => {
  test(`a server that is killed ${KILLS} times while it calls a webhook loses nothing, and keeps the order of each order's deliveries`, async () => {
    await using place = await newPlace();
    const port = await freePort();
    const shop = { url: `http://localhost:${port}`, token: randomUUID() };
    await using lender = await startLender({ shopOrigin: shop.url });
    const { folder } = lender;
    await using receiver = await startReceiver(async (response, _, attempt) => {
      await pause(30);
      response.writeHead(attempt % 10 === 0 ? 503 : 204).end();
    });
    const env = { ADMIN_TOKEN: shop.token, WEBHOOKS_PRIVATE: "on" };
    const start = () => startServer({ cwd: folder, port, databaseUrl: place.url, lender, env });
    let server = await start();
    const { body } = await callAdminApi(shop, "POST", paths.admin.webhooks, { url: receiver.url });
    const { secret } = webhookWithSecretSchema.parse(body);
    const orders: string[] = [];
    for (let kill = 0; kill < KILLS; kill += 1) {
      for (let count = 0; count < ORDERS; count += 1) {
        const { id } = await placeOrder(shop);
        const path = withId(paths.admin.transitions, id);
        expect((await callAdminApi(shop, "POST", path, { to: "Cancelled" })).status).toBe(200);
        orders.push(id);
      }
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
