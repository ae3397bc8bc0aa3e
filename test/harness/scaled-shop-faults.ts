import { expect, test } from "vitest";
import { isStatus, merchant, placeOrder } from "./client.ts";
import { expectNothingLost, startLoad } from "./load.ts";
import { type ScaledShop, token } from "./scaled-shop.ts";
import { waitFor } from "./wait-for.ts";

/** The timeout for a sweep to settle contracts that nobody follows, in milliseconds. */
const SWEEP_WITHIN = 60_000;

/**
 * The tests of a shop of several processes that loses one of them, its bus, or its database for a
 * while.
 */
export function testFaults(shop: ScaledShop): void {
  test("changes during an outage of the bus are found after its recovery, and orders are accepted meanwhile", async () => {
    const { id, contract } = await shop.paid();
    const followers = await Promise.all(shop.servers.map((on) => shop.followOn(on, id, contract)));
    for (const follower of followers)
      await follower.until("the payment", isStatus("PaymentProcessed"));
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
    for (const follower of followers) {
      await follower.until("the shipping", isStatus("Shipped"));
      await follower.close();
    }
  });

  test("rate limits are counted for all processes together, also after an outage of the bus", async () => {
    const orders = 30;
    await waitFor("all of them to be counted", async () => {
      const before = await shop.ordersCounted();
      await Promise.all(
        Array.from({ length: orders }, (_, index) => placeOrder(shop.server(index % 3))),
      );
      return (await shop.ordersCounted()) - before === orders;
    });
  });

  test("after a process was killed its followers reconnect to others and miss nothing, others take over its checks, and no acknowledged order is lost", {
    timeout: 2 * SWEEP_WITHIN,
  }, async () => {
    const { id, contract } = await shop.paid();
    const unfinished = await placeOrder(shop.server(0));
    const load = startLoad(() => shop.servers.map(({ url }) => url));
    const follower = await shop.followOn(shop.server(2), id, contract);
    await follower.until("the payment", isStatus("PaymentProcessed"));
    await shop.lender.outage("down"); // The order must not be paid before the kill.
    const slow = await shop.lender.fund({ amount: "45.00", orderId: unfinished.id });
    const first = await shop.followOn(shop.server(2), unfinished.id, slow);
    await waitFor("some orders", () => load.acknowledged.size > 50);

    await shop.server(2).end("SIGKILL");
    await shop.lender.outage("none");
    await shop.move(shop.server(0), id, "Shipped");
    const again = await shop.followOn(shop.server(1), id, contract);
    await again.until("what was missed", isStatus("Shipped"));
    expect(first.statuses()).not.toContain("PaymentProcessed");
    const atKill = load.acknowledged.size;
    await waitFor("orders at those who are left", () => load.acknowledged.size > atKill + 50);
    await load.stop();
    await waitFor(
      "the other loan to be settled by those who are left",
      async () => {
        const { body } = await merchant(
          { ...shop.server(0), token },
          "GET",
          `/api/merchant/orders/${unfinished.id}`,
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
    const { id, contract } = await shop.paid();
    const followers = await Promise.all(shop.servers.map((on) => shop.followOn(on, id, contract)));
    for (const follower of followers)
      await follower.until("the payment", isStatus("PaymentProcessed"));
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
    for (const follower of followers) {
      await follower.until("the shipping", isStatus("Shipped"));
      await follower.close();
    }
    for (const on of shop.servers) {
      expect((await fetch(`${on.url}/readyz`)).status).toBe(200);
      expect(on.output()).toContain("the database is unreachable");
      expect(on.output()).not.toContain("work in the background failed");
    }
  });
}
