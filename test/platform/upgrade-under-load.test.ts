import { expect, test } from "vitest";
import { databaseKinds } from "../harness/databases.ts";
import { expectNothingLost, startLoad } from "../harness/load.ts";
import { startSandbox } from "../harness/sandbox.ts";
import { startServer, writeNextRelease } from "../harness/server-process.ts";
import { waitFor } from "../harness/wait-for.ts";

/** Locks tables in a different order than placing an order does, and rewrites a large one. */
const migration = `
  ALTER TABLE orders ADD COLUMN gift text;
  ALTER TABLE order_events ADD COLUMN gift text;
  CREATE INDEX orders_by_sum ON orders (total);
  CREATE TABLE gifts (order_id text PRIMARY KEY REFERENCES orders (id));
  ALTER TABLE idempotency_keys ADD COLUMN gift text;
  ALTER TABLE items ADD COLUMN gift text;
  UPDATE loans SET was_extended = was_extended;
`;

test.each(databaseKinds)(
  "a new server migrates $name and logs it while old servers take orders, all of which succeed",
  async (kind) => {
    await using testDatabase = await kind.newTestDatabase();
    await using sandbox = await startSandbox();
    const { folder } = sandbox;
    const start = (options: { args?: string[]; env?: Record<string, string> } = {}) =>
      startServer({ cwd: folder, databaseUrl: testDatabase.url, provider: sandbox, ...options });
    const old = [await start()];
    // A file is for one server, which overlaps with the next one only while it is replaced.
    if (kind.name === "PostgreSQL") old.push(await start());
    await using load = startLoad(() => old.map(({ url }) => url));
    await waitFor("orders", () => load.acknowledged.size > 200);
    const fresh = await start({
      args: [await writeNextRelease(folder, migration)],
      env: { LOG_LEVEL: "info" },
    });
    const before = load.acknowledged.size;
    await waitFor("orders after the migration", () => load.acknowledged.size > before + 200);
    await load.stop();

    expect([...load.refusals]).toEqual([]);
    await expectNothingLost(testDatabase.run, load.acknowledged);
    const version = kind.migrations.length + 1;
    expect(await testDatabase.run("SELECT max(version) AS version FROM schema_migrations")).toEqual(
      [{ version }],
    );
    const said = fresh.output();
    const next = `${String(version).padStart(3, "0")}-next-release`;
    expect(said).toContain(`"migration":"${next}","msg":"a migration started"`);
    expect(said).toMatch(
      new RegExp(`"migration":"${next}","ms":\\d+,"msg":"a migration finished"`),
    );
    if (kind.name === "PostgreSQL")
      expect(said).toContain(
        '"tables":["items","idempotency_keys","orders","order_events","loans"],"msg":"waiting to lock the tables of the migration"',
      );
    await fresh.end();
    await Promise.all(old.map((server) => server.end()));
  },
);
