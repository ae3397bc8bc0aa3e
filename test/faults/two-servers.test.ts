import { randomUUID } from "node:crypto";
import { describe, expect, test } from "vitest";
import { databaseKinds } from "../harness/databases.ts";
import { expectNothingLost, startLoad } from "../harness/load.ts";
import { startSandbox } from "../harness/sandbox.ts";
import { startServer } from "../harness/server-process.ts";
import { testLength } from "../harness/test-length.ts";
import { waitFor } from "../harness/wait-for.ts";

const LOANS = testLength(20, 300);

// At the same time, because each waits for leases and sweeps most of the time.
describe.concurrent.each(databaseKinds)("on $name", ({ newShopDatabase }) => {
  test("two servers that check the same loans change the status of each order once", async () => {
    await using testDatabase = await newShopDatabase();
    await using sandbox = await startSandbox({ step: 2_000 });
    const env = { ADMIN_TOKEN: randomUUID() };
    const start = () =>
      startServer({ cwd: sandbox.folder, databaseUrl: testDatabase.url, provider: sandbox, env });
    const servers = [await start(), await start()];
    await using load = startLoad(() => servers.map(({ url }) => url));
    await waitFor("orders", () => load.acknowledged.size >= LOANS, 60_000);
    await load.stop();
    const orders = [...load.acknowledged.values()].slice(0, LOANS);
    for (const { id, total_price } of orders)
      await sandbox.fund({ amount: total_price.toFixed(2), orderId: id });
    await waitFor(
      "every loan to be found",
      async () =>
        (await testDatabase.run("SELECT id FROM orders WHERE status = 'PaymentProcessed'"))
          .length === LOANS,
      120_000,
    );
    await expectNothingLost(testDatabase.run, load.acknowledged);
    expect(await testDatabase.run("SELECT * FROM payment_issues")).toEqual([]);
    expect(
      await testDatabase.run(
        "SELECT order_id FROM order_events WHERE to_status = 'PaymentProcessed'",
      ),
    ).toHaveLength(LOANS);
    await Promise.all(servers.map((server) => server.end()));
  });
});
