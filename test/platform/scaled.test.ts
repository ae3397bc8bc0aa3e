import { randomUUID } from "node:crypto";
import { paths } from "@keepsats/protocol";
import { describe, expect, test } from "vitest";
import { anOrder } from "../harness/builders.ts";
import { isStatus, placeOrder, postOrder } from "../harness/customer.ts";
import { expectNothingLost, startLoad } from "../harness/load.ts";
import { startScaledShop, token } from "../harness/scaled-shop.ts";
import { callAdminApi } from "../harness/staff.ts";
import { useResource } from "../harness/use-resource.ts";
import { waitFor } from "../harness/wait-for.ts";

/** How often a server checks a subscribed loan, in milliseconds. */
const SUBSCRIBED_INTERVAL = 2_000;
/** The timeout for a sweep to settle loans without subscribers, in milliseconds. */
const SWEEP_WITHIN = 60_000;

describe.each([
  ["PostgreSQL alone", false],
  ["PostgreSQL and Redis", true],
])("three processes on %s", (_, withRedis) => {
  const shop = useResource(() => startScaledShop({ withRedis }));

  test("an order changed on one is seen by its subscribers on all others", async () => {
    const { id, loanId } = await shop.paid();
    const subscribers = await Promise.all(
      shop.servers.map((on) => shop.subscribeOn(on, id, loanId)),
    );
    for (const subscriber of subscribers)
      await subscriber.until("the payment", isStatus("PaymentProcessed"));
    await shop.move(shop.server(1), id, "Shipped");
    for (const subscriber of subscribers)
      await subscriber.until("the shipping", isStatus("Shipped"));
    await shop.move(shop.server(2), id, "Delivered");
    for (const subscriber of subscribers) {
      await subscriber.until("the delivery", isStatus("Delivered"));
      expect(subscriber.statuses()).toEqual(["PaymentProcessed", "Shipped", "Delivered"]);
      await subscriber.close();
    }
  });

  test("an item changed on one is on the list of all others", async () => {
    const price = 10 + Math.floor(Math.random() * 1_000);
    const answer = await callAdminApi(
      { ...shop.server(0), token },
      "PATCH",
      "/api/admin/items/moka-pot",
      {
        price,
      },
    );
    expect(answer.status).toBe(200);
    for (const { url } of shop.servers) {
      await waitFor("the new price", async () => {
        const items: { id: string; price: number }[] = await (
          await fetch(`${url}${paths.items}`)
        ).json();
        return items.some((item) => item.id === "moka-pot" && item.price === price);
      });
    }
    await callAdminApi({ ...shop.server(0), token }, "PATCH", "/api/admin/items/moka-pot", {
      price: 45,
    });
  });

  test("a shop setting changed on one is in the pages and the admin API of all others", async () => {
    const name = `Shop ${randomUUID().slice(0, 8)}`;
    const changed = await callAdminApi({ ...shop.server(1), token }, "PUT", paths.admin.settings, {
      name,
      accent: "#3aa6ff",
    });
    expect(changed.status).toBe(200);
    for (const on of shop.servers) {
      await waitFor("the new name in the page", async () => {
        const page = await (await fetch(on.url)).text();
        return page.includes(`<title>${name}</title>`) && page.includes("--color-accent:#3aa6ff");
      });
      const { body } = await callAdminApi({ ...on, token }, "GET", paths.admin.settings);
      expect(body).toMatchObject({ settings: { name: { value: name, changed_by: "admin" } } });
    }
  });

  test("changes during an outage of the bus are found after its recovery, and orders are accepted during it", async () => {
    const { id, loanId } = await shop.paid();
    const subscribers = await Promise.all(
      shop.servers.map((on) => shop.subscribeOn(on, id, loanId)),
    );
    for (const subscriber of subscribers)
      await subscriber.until("the payment", isStatus("PaymentProcessed"));
    if (shop.busProxy === undefined) {
      await shop.rows(
        "SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE pid <> pg_backend_pid() AND query ~ 'pg_notify|LISTEN'",
      );
    } else {
      shop.busProxy.set("cut");
      await waitFor("all to notice", () =>
        shop.servers.every((on) => on.output().includes("between the processes is disconnected")),
      );
    }
    await shop.move(shop.server(0), id, "Shipped");
    expect((await placeOrder(shop.server(1))).id).toBeDefined();
    shop.busProxy?.set("none");
    for (const subscriber of subscribers) {
      await subscriber.until("the shipping", isStatus("Shipped"));
      await subscriber.close();
    }
  });

  test("rate limits are shared by all processes, also after an outage of the bus", async () => {
    const orders = 30;
    await waitFor("all of them to be counted", async () => {
      const before = await shop.ordersCounted();
      await Promise.all(
        Array.from({ length: orders }, (_, index) => placeOrder(shop.server(index % 3))),
      );
      return (await shop.ordersCounted()) - before === orders;
    });
  });

  // The rest is kept in PostgreSQL, also with Redis as bus.
  if (withRedis) return;

  test("an order placed on one is the same order on the others, also under its idempotency key", async () => {
    const headers = { "idempotency-key": randomUUID() };
    const answers = await Promise.all(shop.servers.map((on) => postOrder(on, anOrder(), headers)));
    expect(answers.map(({ status }) => status)).toEqual([201, 201, 201]);
    const ids = await Promise.all(answers.map(async (answer) => (await answer.json()).id));
    expect(new Set(ids).size).toBe(1);
    const replayed = answers.filter(({ headers }) => headers.get("idempotent-replayed") === "true");
    expect(replayed).toHaveLength(2);
  });

  test("ten pieces are sold to exactly ten of 200 customers of all processes, and all lists are updated", async () => {
    const stockOf = async (url: string) => {
      const items: { id: string; in_stock: unknown }[] = await (
        await fetch(`${url}${paths.items}`)
      ).json();
      return items.find(({ id }) => id === "oak-chair")?.in_stock;
    };
    const item = "/api/admin/items/oak-chair";
    expect(
      await callAdminApi({ ...shop.server(0), token }, "PATCH", item, { stock: 10 }),
    ).toMatchObject({
      status: 200,
    });
    const body = anOrder({
      items: [
        { item_id: "oak-chair", quantity: 1 },
        { item_id: "moka-pot", quantity: 1 },
      ],
    });
    const answers = await Promise.all(
      Array.from({ length: 200 }, (_, index) =>
        postOrder(shop.server(index % 3), body, { "idempotency-key": randomUUID() }),
      ),
    );
    const statuses = answers.map(({ status }) => status);
    expect(statuses.filter((status) => status === 201)).toHaveLength(10);
    expect(statuses.filter((status) => status === 409)).toHaveLength(190);
    for (const { url } of shop.servers)
      await waitFor("the list", async () => (await stockOf(url)) === false, 2_000);
    const lines = await shop.rows<{ sold: number }>(
      "SELECT sum(taken)::int AS sold FROM order_lines WHERE item_id = 'oak-chair'",
    );
    expect(lines).toEqual([{ sold: 10 }]);
    await callAdminApi({ ...shop.server(0), token }, "PATCH", item, { stock: null });
  });

  test("a loan is checked by one process at a time", async () => {
    const { id } = await placeOrder(shop.server(0));
    const loanId = await shop.sandbox.fund({ amount: "45.00", orderId: id });
    const begun = Date.now();
    const subscribers = await Promise.all(
      [...shop.servers, ...shop.servers, ...shop.servers].map((on) =>
        shop.subscribeOn(on, id, loanId),
      ),
    );
    for (const subscriber of subscribers)
      await subscriber.until("the payment", isStatus("PaymentProcessed"));
    const checks = Math.floor((Date.now() - begun) / SUBSCRIBED_INTERVAL) + 1;
    expect(shop.sandbox.asked(loanId)).toBeLessThanOrEqual(checks + 1);
    await Promise.all(subscribers.map((subscriber) => subscriber.close()));
  });

  test("all processes together make at most five calls a second to the provider", async () => {
    const orders = await Promise.all(
      Array.from({ length: 12 }, (_, index) => placeOrder(shop.server(index % 3))),
    );
    const begun = shop.sandbox.calls.length;
    const subscribers = await Promise.all(
      orders.flatMap(({ id }, index) =>
        Array.from({ length: 8 }, (_, nth) =>
          shop.subscribeOn(shop.server((index + nth) % 3), id, randomUUID()),
        ),
      ),
    );
    await waitFor("thirty questions", () => shop.sandbox.calls.length - begun >= 30);
    await Promise.all(subscribers.map((subscriber) => subscriber.close()));
    const calls = shop.sandbox.calls.slice(begun);
    const WINDOW = 2;
    const most = Math.max(
      ...calls.map((from) => calls.filter((at) => at >= from && at < from + WINDOW * 1000).length),
    );
    // The budget may have saved up one second of calls, and some earlier calls may arrive in the
    // same window.
    expect(most).toBeLessThanOrEqual((WINDOW + 2) * 5);
  });

  test("after a kill, subscribers reconnect, other processes take over the checks, and no order is lost", {
    timeout: 2 * SWEEP_WITHIN,
  }, async () => {
    const { id, loanId } = await shop.paid();
    const unfinished = await placeOrder(shop.server(0));
    const load = startLoad(() => shop.servers.map(({ url }) => url));
    const subscriber = await shop.subscribeOn(shop.server(2), id, loanId);
    await subscriber.until("the payment", isStatus("PaymentProcessed"));
    await shop.sandbox.outage("down"); // The order must not be paid before the kill.
    const slow = await shop.sandbox.fund({ amount: "45.00", orderId: unfinished.id });
    const first = await shop.subscribeOn(shop.server(2), unfinished.id, slow);
    await waitFor("some orders", () => load.acknowledged.size > 50);

    await shop.server(2).end("SIGKILL");
    await shop.sandbox.outage("none");
    await shop.move(shop.server(0), id, "Shipped");
    const again = await shop.subscribeOn(shop.server(1), id, loanId);
    await again.until("what was missed", isStatus("Shipped"));
    expect(first.statuses()).not.toContain("PaymentProcessed");
    const atKill = load.acknowledged.size;
    await waitFor("orders at those who are left", () => load.acknowledged.size > atKill + 50);
    await load.stop();
    await waitFor(
      "the other loan to be settled by those who are left",
      async () => {
        const { body } = await callAdminApi(
          { ...shop.server(0), token },
          "GET",
          `/api/admin/orders/${unfinished.id}`,
        );
        return Reflect.get(Object(body), "status") === "PaymentProcessed";
      },
      SWEEP_WITHIN,
    );
    await shop.startAgain(2);
    await expectNothingLost(shop.rows, load.acknowledged);
    await again.close();
  });

  test("a restart of PostgreSQL under load causes only 503, loses no acknowledged order and duplicates none", async () => {
    const { id, loanId } = await shop.paid();
    const subscribers = await Promise.all(
      shop.servers.map((on) => shop.subscribeOn(on, id, loanId)),
    );
    for (const subscriber of subscribers)
      await subscriber.until("the payment", isStatus("PaymentProcessed"));
    const load = startLoad(() => shop.servers.map(({ url }) => url));
    await waitFor("some orders", () => load.acknowledged.size > 50);
    const before = load.acknowledged.size;
    await shop.postgres.restart();
    await waitFor("more orders", () => load.acknowledged.size > before + 50);
    await load.stop();
    expect([...load.refusals].sort()).toEqual(load.refusals.size === 0 ? [] : ["503 unavailable"]);
    await expectNothingLost(shop.rows, load.acknowledged);
    await waitFor(
      "the move",
      async () => (await shop.move(shop.server(0), id, "Shipped")).status === 200,
    );
    for (const subscriber of subscribers) {
      await subscriber.until("the shipping", isStatus("Shipped"));
      await subscriber.close();
    }
    for (const on of shop.servers) {
      expect((await fetch(`${on.url}/readyz`)).status).toBe(200);
      expect(on.output()).toContain("the database is unreachable");
      expect(on.output()).not.toContain("background work failed");
    }
  });
});
