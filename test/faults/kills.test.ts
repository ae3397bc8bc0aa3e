import { setTimeout as pause } from "node:timers/promises";
import { describe, expect, test } from "vitest";
import { databaseKinds } from "../harness/databases.ts";
import { expectNothingLost, startLoad } from "../harness/load.ts";
import { freePort } from "../harness/network.ts";
import { startSandbox } from "../harness/sandbox.ts";
import { startServer } from "../harness/server-process.ts";
import { testLength } from "../harness/test-length.ts";
import { waitFor } from "../harness/wait-for.ts";

const kills = { SQLite: testLength(4, 50), PostgreSQL: testLength(3, 20) };
/** The longest time from a server's first order to its kill, in milliseconds. */
const LIFE = 600;
/** The pieces of the item that all orders buy. */
const STOCK = 1_000_000;
/** The timeout for a sweep to find every loan, in milliseconds. */
const SWEEPS = 100_000;

// At the same time, because each waits for a sweep at its end.
describe.concurrent.each(databaseKinds)("on $name", ({ name, newShopDatabase }) => {
  const times = kills[name];

  test(`a server that is killed ${times} times under load loses nothing, and stores nothing partly or twice`, async () => {
    await using testDatabase = await newShopDatabase();
    const port = await freePort();
    const url = `http://localhost:${port}`;
    await using sandbox = await startSandbox({ shopOrigin: url });
    const { folder } = sandbox;
    const start = () =>
      startServer({ cwd: folder, port, databaseUrl: testDatabase.url, provider: sandbox });
    let server = await start();
    await testDatabase.run(`UPDATE items SET stock = ${STOCK} WHERE id = 'moka-pot'`);
    await using load = startLoad(() => [url]);
    const funded = new Set<string>();
    for (let kill = 0; kill < times; kill += 1) {
      const before = load.acknowledged.size;
      await waitFor("orders", () => load.acknowledged.size > before);
      // One loan per order, because a second loan would rightly be recorded as a payment issue.
      const waiting = [...load.acknowledged.values()].filter(({ id }) => !funded.has(id));
      for (const { id, total_price } of waiting.slice(-2)) {
        funded.add(id);
        await sandbox.fund({ amount: total_price.toFixed(2), orderId: id });
      }
      await pause(Math.random() * LIFE);
      await server.end("SIGKILL");
      await testDatabase.checkIntegrity();
      server = await start();
    }
    await load.stop();
    expect(load.acknowledged.size).toBeGreaterThan(times);
    // A request that waits too long for the locks of a killed server is answered 503.
    expect([...load.refusals].filter((refusal) => refusal !== "503 unavailable")).toEqual([]);
    const list = [...funded].map((id) => `'${id}'`).join(", ");
    await waitFor(
      "every loan to be found",
      async () =>
        (
          await testDatabase.run(
            `SELECT id FROM orders WHERE id IN (${list}) AND status = 'PaymentProcessed'`,
          )
        ).length === funded.size,
      SWEEPS,
    );
    await server.end();
    await testDatabase.checkIntegrity();
    await expectNothingLost(testDatabase.run, load.acknowledged);
    expect(await testDatabase.run("SELECT * FROM payment_issues")).toEqual([]);
    const pieces =
      "SELECT stock + (SELECT sum(taken) FROM order_lines) AS pieces FROM items WHERE id = 'moka-pot'";
    const [counted] = await testDatabase.run(pieces);
    expect(Number(Reflect.get(Object(counted), "pieces")), "pieces left and sold").toBe(STOCK);
  });
});
