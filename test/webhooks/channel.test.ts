import { randomUUID } from "node:crypto";
import { afterEach, describe, expect, test } from "vitest";
import { system } from "../../apps/server/src/modules/staff/principal.ts";
import { retryDelivery } from "../../apps/server/src/platform/outbox/change-deliveries.ts";
import { listDeliveries } from "../../apps/server/src/platform/outbox/deliveries.ts";
import { HOUR } from "../../apps/server/src/platform/scheduling/clock.ts";
import { databaseKinds, useDatabase } from "../harness/databases.ts";
import { emitEventsOn, noContent, type Posted, webhooksOn } from "../harness/outbox.ts";
import { isSignedWith, messageOf } from "../harness/receiver.ts";
import { waitFor } from "../harness/wait-for.ts";

const url = "https://books.example/hooks";
const busy = { status: 500, body: "busy", retryAfter: undefined };
const placed = (subject: string = randomUUID()) => ({ type: "order.placed", subject }) as const;

describe.each(databaseKinds)("webhooks on $name", (kind) => {
  const used = useDatabase(kind);
  let shop: Awaited<ReturnType<typeof webhooksOn>> | undefined;

  /** Opens the webhooks with receivers that answer like this, and adds one. */
  async function withWebhook(answer: Parameters<typeof webhooksOn>[1] = () => noContent, to = url) {
    // Attempts that are never answered are aborted soon when the process stops.
    shop = await webhooksOn(used.database, answer, { stop: 300 });
    const { edit } = shop;
    const webhook = await edit.create({ url: to }, { ...system, name: "Ada" });
    if (webhook === undefined) throw new Error("the webhook was not created");
    const stateOf = async () => (await edit.list()).find(({ id }) => id === webhook.id);
    return { shop, webhook, stateOf };
  }
  afterEach(async () => {
    await shop?.stop();
    expect(shop?.errors()).toEqual([]);
    await used.database.db.deleteFrom("webhooks").execute();
    await used.database.db.deleteFrom("outbox").execute();
  });

  const ended = async (target: string, count: number) => {
    const rows = (await shop?.deliveriesOf(target)) ?? [];
    return rows.length === count && rows.every(({ state }) => state !== "waiting") && rows;
  };
  const tried = async (target: string) =>
    (await shop?.deliveriesOf(target))?.every(({ answer }) => answer !== null);

  test("are sent in order for each order, whatever fails, and with the same id each time", async () => {
    const { shop, webhook } = await withWebhook(({ attempt, id }) =>
      attempt <= Number.parseInt(id[0] ?? "0", 16) % 3 ? busy : noContent,
    );
    const orders = Array.from({ length: 6 }, () => randomUUID());
    const types = ["order.placed", "order.corrected", "order.payment_failed"] as const;
    for (const type of types)
      await shop.emitEvents(...orders.map((subject) => ({ type, subject })));
    await waitFor("every delivery", async () => {
      await shop.skipPauses();
      return ended(webhook.id, 18);
    });
    for (const order of orders) {
      const seen = shop.posted.filter(({ subject }) => subject === order).map(({ type }) => type);
      expect(seen.filter((type, index) => type !== seen[index - 1])).toEqual(types);
    }
    const ids = (await shop.deliveriesOf(webhook.id)).map(({ id }) => id);
    expect(new Set(shop.posted.map(({ id }) => id))).toEqual(new Set(ids));
  });

  test("rotating a secret twice to the same one changes nothing, and the previous one keeps signing", async () => {
    const { shop, webhook } = await withWebhook();
    const another = `whsec_${Buffer.alloc(32, 7).toString("base64")}`;
    const changed = await shop.edit.changeSecret(webhook.id, another, system);
    expect(changed?.secret).toBe(another);
    expect(await shop.edit.changeSecret(webhook.id, another, system)).toEqual(changed);
    await shop.emitEvents(placed());
    await waitFor("the delivery", () => ended(webhook.id, 1));
    const [sent] = shop.posted;
    const message = sent && messageOf(sent.headers, sent.body);
    expect(
      [webhook.secret, another].map((secret) => message && isSignedWith(secret, message)),
    ).toEqual([true, true]);
  });

  test("adding one with the address and secret of an existing one returns that", async () => {
    const { shop } = await withWebhook(undefined, "https://other.example");
    const secret = `whsec_${Buffer.alloc(32, 7).toString("base64")}`;
    const add = (fields: object = {}) => shop.edit.create({ url, secret, ...fields }, system);
    const added = await add({ events: ["order.placed"] });
    expect(await add({ events: ["order.placed"] })).toEqual(added);
    expect(await add({ events: ["order.paid"] })).toEqual({ ...added, events: ["order.paid"] });
    expect(await shop.edit.list()).toHaveLength(2);
    await add({ secret: undefined });
    await add({ url: `${url}/2` });
    expect(await shop.edit.list()).toHaveLength(4);
  });

  test("one that is off is not reused when one with its address is added", async () => {
    const { shop, webhook } = await withWebhook();
    await shop.edit.change(webhook.id, { enabled: false }, system);
    const added = await shop.edit.create({ url, secret: webhook.secret }, system);
    expect(added).toMatchObject({ enabled: true });
    expect(added?.id).not.toBe(webhook.id);
  });

  test("after a secret is changed both sign, the previous one for 24 hours", async () => {
    const { shop, webhook } = await withWebhook();
    const changed = await shop.edit.changeSecret(webhook.id, undefined, system);
    expect(changed?.secret).not.toBe(webhook.secret);
    const until = changed?.old_secret_until ?? 0;
    expect(Math.abs(until - used.database.now() - 24 * HOUR)).toBeLessThan(60_000);
    await shop.emitEvents(placed());
    await waitFor("the delivery", () => ended(webhook.id, 1));
    const end = { old_secret_until: used.database.now() - 1 };
    await used.database.db.updateTable("webhooks").set(end).where("id", "=", webhook.id).execute();
    await shop.emitEvents(placed());
    await waitFor("the next", () => ended(webhook.id, 2));
    const secrets = [webhook.secret, changed?.secret ?? ""];
    const signedWith = ({ headers, body }: Posted) =>
      secrets.map((secret) => isSignedWith(secret, messageOf(headers, body)));
    expect(shop.posted.map(signedWith)).toEqual([
      [true, true],
      [false, true],
    ]);
  });

  test("410 switches a webhook off: waiting deliveries fail, and it gets no further ones", async () => {
    const { shop, webhook, stateOf } = await withWebhook(({ type }) =>
      type === "order.paid" ? { ...busy, status: 410, body: "gone" } : busy,
    );
    await shop.emitEvents(placed(), placed());
    await waitFor("the first attempts", () => tried(webhook.id));
    await shop.emitEvents({
      type: "order.paid",
      subject: randomUUID(),
      data: { from: "Pending", to: "PaymentProcessed" },
    });
    const rows = await waitFor("the end", () => ended(webhook.id, 3));
    expect(rows.map(({ state, answer }) => [state, answer])).toEqual([
      ["failed", "The webhook was switched off. It answered 410 Gone."],
      ["failed", "The webhook was switched off. It answered 410 Gone."],
      ["failed", "410 gone"],
    ]);
    expect(await stateOf()).toMatchObject({ enabled: false, off_reason: "It answered 410 Gone." });
    expect([shop.switchedOff, shop.targets.switchedOff()]).toEqual([[webhook.id], 1]);
    await shop.emitEvents(placed());
    expect(await shop.deliveriesOf(webhook.id)).toHaveLength(3);
    expect(await shop.edit.change(webhook.id, { enabled: true }, system)).toMatchObject({
      enabled: true,
      off_reason: null,
    });
    await shop.emitEvents(placed());
    expect(await shop.deliveriesOf(webhook.id)).toHaveLength(4);
  });

  test("a webhook that fails for days is switched off when a delivery fails for good, and not before", async () => {
    const { shop, webhook, stateOf } = await withWebhook(() =>
      Promise.reject(new Error("connect ECONNREFUSED")),
    );
    await shop.emitEvents(placed());
    await waitFor("the first attempt", () => tried(webhook.id));
    const { failing_since: since } = (await stateOf()) ?? {};
    expect(Math.abs((since ?? 0) - used.database.now())).toBeLessThan(60_000);
    const long = { failing_since: used.database.now() - 60 * HOUR };
    await used.database.db.updateTable("webhooks").set(long).where("id", "=", webhook.id).execute();
    const attempts = shop.channel.retryDelays.length + 1;
    await waitFor("the last attempt but one", async () => {
      if (shop.posted.length < attempts - 1) await shop.skipPauses();
      return shop.posted.length === attempts - 1;
    });
    expect(await stateOf()).toMatchObject({ enabled: true });
    await waitFor("the end", async () => {
      await shop.skipPauses();
      return ended(webhook.id, 1);
    });
    expect(await stateOf()).toMatchObject({
      enabled: false,
      off_reason: "No delivery has succeeded for days.",
    });
    expect(shop.posted).toHaveLength(attempts);
    const [row] = await shop.deliveriesOf(webhook.id);
    expect(row).toMatchObject({ state: "failed", answer: "connect ECONNREFUSED" });
  });

  test("an attempt that is aborted because the process stops is no failure", async () => {
    const { shop, webhook, stateOf } = await withWebhook(
      ({ signal }) =>
        new Promise((_, reject) =>
          signal.addEventListener("abort", () => reject(new Error("aborted"))),
        ),
    );
    await shop.emitEvents(placed());
    await waitFor("the attempt", () => shop.posted.length === 1);
    await shop.stop();
    expect((await stateOf())?.failing_since).toBe(null);
    expect(await shop.deliveriesOf(webhook.id)).toMatchObject([{ state: "waiting", attempts: 0 }]);
  });

  test("a success resets the failures", async () => {
    const { shop, webhook, stateOf } = await withWebhook(({ attempt }) =>
      attempt === 1 ? busy : noContent,
    );
    await shop.emitEvents(placed());
    await waitFor("the failure", async () => (await stateOf())?.failing_since != null);
    await waitFor("the success", async () => {
      await shop.skipPauses();
      return ended(webhook.id, 1);
    });
    expect((await stateOf())?.failing_since).toBe(null);
  });

  test.each([
    ["9".repeat(30), HOUR],
    ["600", 600_000],
    [new Date(Date.now() + 900_000).toUTCString(), 900_000],
    ["-5", 5_000],
    ["soon", 5_000],
    ["Thu, 01 Jan 1970 00:00:00 GMT", 5_000],
  ])("Retry-After: %s is respected within limits", async (retryAfter, pause) => {
    const { shop, webhook } = await withWebhook(() => ({ ...busy, status: 429, retryAfter }));
    await shop.emitEvents(placed());
    await waitFor("the attempt", () => tried(webhook.id));
    const [row] = await shop.deliveriesOf(webhook.id);
    const until = (row?.next_at ?? 0) - used.database.now();
    expect(until).toBeGreaterThan(pause * 0.75 - 3_000);
    expect(until).toBeLessThanOrEqual(pause + 1_000);
  });

  test("answers are stored up to a limit, without characters that a database or a terminal cannot handle", async () => {
    const body = `\u0000\u001b[31mred\ud800${"é".repeat(1_020)}`;
    const { shop, webhook } = await withWebhook(() => ({ ...busy, status: 200, body }));
    await shop.emitEvents(placed());
    const [row] = await waitFor("the delivery", () => ended(webhook.id, 1));
    expect(row?.answer).toMatch(/^200 ��\[31mred�é{100}/);
    expect(row?.answer?.length).toBeLessThanOrEqual(1_001);
  });

  test("removing a webhook skips its waiting deliveries, also one that another process stores a moment later", async () => {
    const { shop, webhook } = await withWebhook(() => busy);
    await shop.emitEvents(placed(), placed());
    await waitFor("the attempts", () => tried(webhook.id));
    expect(await shop.edit.remove(webhook.id)).toMatchObject({ id: webhook.id, url });
    const stale = { ...shop.channel, targetsOf: () => [webhook.id] };
    await emitEventsOn(used.database, [stale], [placed()]);
    await shop.skipPauses();
    const rows = await waitFor("the end", () => ended(webhook.id, 3));
    expect(rows.map(({ state, answer }) => `${state}: ${answer}`)).toEqual(
      Array(3).fill("skipped: The webhook was removed."),
    );
    expect(shop.posted).toHaveLength(2);
    expect(await shop.edit.remove(webhook.id)).toBe(undefined);
  });

  test("a webhook that staff switch off gets no deliveries, and waiting ones are skipped", async () => {
    const { shop, webhook } = await withWebhook(() => busy);
    await shop.emitEvents(placed());
    await waitFor("the attempt", () => tried(webhook.id));
    expect(await shop.edit.change(webhook.id, { enabled: false }, system)).toMatchObject({
      enabled: false,
      off_reason: null,
    });
    await shop.emitEvents(placed());
    expect(await shop.deliveriesOf(webhook.id)).toMatchObject([{ state: "skipped" }]);
  });

  test("deliveries are paged, newest first, and retried under their id", async () => {
    const { shop, webhook } = await withWebhook();
    for (let n = 0; n < 5; n += 1) await shop.emitEvents(placed());
    const rows = await waitFor("the deliveries", () => ended(webhook.id, 5));
    const partition = { channel: "webhook", target: webhook.id };
    const first = await listDeliveries(used.database.db, partition, { limit: 3 });
    const before = first.at(-1)?.position;
    const rest = await listDeliveries(used.database.db, partition, { limit: 3, before });
    expect([...first, ...rest].map(({ id }) => id)).toEqual(rows.map(({ id }) => id).toReversed());
    expect(
      await listDeliveries(used.database.db, partition, { limit: 3, state: "failed" }),
    ).toEqual([]);

    const id = rows[1]?.id ?? "";
    const repeated = await used.within((unit) => retryDelivery(unit, id, used.database.now()));
    expect(repeated).toMatchObject({
      state: "waiting",
      attempts: 0,
      manual_retries: 1,
      ended_at: null,
    });
    await shop.skipPauses();
    await waitFor("the repetition", () => ended(webhook.id, 5));
    expect(shop.posted.filter((one) => one.id === id)).toHaveLength(2);
    expect(await used.within((unit) => retryDelivery(unit, "unknown", 0))).toBe(undefined);
  });

  test("a webhook gets only the events that it subscribes to", async () => {
    const { shop, webhook } = await withWebhook();
    await shop.edit.change(webhook.id, { events: ["order.refunded"] }, system);
    await shop.emitEvents(placed());
    expect(await shop.deliveriesOf(webhook.id)).toEqual([]);
    await shop.emitEvents(
      { type: "webhook.test", subject: webhook.id },
      { type: "webhook.test", subject: "another" },
    );
    await waitFor("the test", () => ended(webhook.id, 1));
    const subject = randomUUID();
    await shop.emitEvents({
      type: "order.refunded",
      subject,
      data: { refund_id: "r", cents: 1_250, currency: "USD", refund_due: 50 },
    });
    await waitFor("the deliveries", () => ended(webhook.id, 2));
    expect(shop.posted.map(({ body }) => JSON.parse(body).data)).toEqual([
      { webhook_id: webhook.id },
      { order_id: subject, refund_id: "r", amount: 12.5, currency: "USD", refund_due: 0.5 },
    ]);
  });

  test("a thousand deliveries to a webhook that does not answer delay no other", async () => {
    const dead = "https://dead.example/";
    const { shop, webhook } = await withWebhook(
      ({ url, signal }) =>
        url === dead
          ? new Promise((_, reject) =>
              signal.addEventListener("abort", () => reject(signal.reason)),
            )
          : noContent,
      dead,
    );
    await shop.emitEvents(...Array.from({ length: 1_000 }, () => placed()));
    await waitFor("attempts to the dead one", () => shop.posted.length > 0);
    const other = await shop.edit.create({ url }, { ...system, name: "Ada" });
    await shop.emitEvents(...Array.from({ length: 20 }, () => placed()));
    const began = performance.now();
    await waitFor("the deliveries to the other", () => ended(other?.id ?? "", 20));
    expect(performance.now() - began).toBeLessThan(10_000);
    expect(await shop.edit.remove(webhook.id)).toBeDefined();
  });
});
