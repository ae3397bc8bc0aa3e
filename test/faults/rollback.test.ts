import { readdir } from "node:fs/promises";
import { basename, dirname, join } from "node:path";
import BetterSqlite3 from "better-sqlite3";
import { describe, expect, test } from "vitest";
import { placeOrder } from "../harness/customer.ts";
import { databaseKinds } from "../harness/databases.ts";
import { startSandbox } from "../harness/sandbox.ts";
import {
  providerSettings,
  runDatabaseTask,
  startProcess,
  startServer,
  writeNextRelease,
} from "../harness/server-process.ts";

/** The next release adds a table and a column. */
const migration = `CREATE TABLE gifts (order_id text PRIMARY KEY REFERENCES orders (id));
  ALTER TABLE orders ADD COLUMN gift text;`;

describe.each(databaseKinds)("docs/rollback.md on $name", ({ name, newTestDatabase }) => {
  test("the earlier version refuses a migrated database, and sells again once its backup is restored", async () => {
    await using testDatabase = await newTestDatabase();
    await using sandbox = await startSandbox();
    const { folder } = sandbox;
    const start = (args?: string[]) =>
      startServer({
        cwd: folder,
        databaseUrl: testDatabase.url,
        provider: sandbox,
        ...(args && { args }),
      });
    const run = (command: "backup" | "restore", ...args: string[]) =>
      runDatabaseTask(folder, command, testDatabase.url, ...args);
    const stored = async () =>
      (await testDatabase.run("SELECT id FROM orders")).map((row) => Object(row).id);
    const earlier = await start();
    const before = await placeOrder(earlier);
    const backup = join(folder, "before-upgrade.backup");
    expect(await run("backup", "--to", backup)).toMatchObject({ code: 0 });
    await earlier.end();

    const later = await start([await writeNextRelease(folder, migration)]);
    const since = await placeOrder(later);
    await later.end();

    const env = {
      DATABASE_URL: testDatabase.url,
      ADMIN_TOKEN: "t".repeat(24),
      ...providerSettings(sandbox),
    };
    const refused = await startProcess({ cwd: folder, env });
    expect(await refused.ended()).toBe(1);
    expect(refused.output()).toMatch(
      /^DATABASE_URL: the database is of version \d+, made by a newer Keepsats.*\n$/,
    );

    if (name === "PostgreSQL") {
      expect(await run("restore", "--from", backup, "--force")).toMatchObject({
        code: 1,
        said: expect.stringMatching(/known to this version: gifts; --drop-others/),
      });
    }
    const options = name === "PostgreSQL" ? ["--force", "--drop-others"] : [];
    expect(await run("restore", "--from", backup, ...options)).toMatchObject({ code: 0 });
    expect(await stored()).toEqual([before.id]);
    const again = await start();
    const after = await placeOrder(again);
    await again.end();
    expect((await stored()).sort()).toEqual([before.id, after.id].sort());
    if (name === "SQLite") expect(await ordersReplacedIn(testDatabase.url)).toContain(since.id);
  });
});

/** The orders in the database file that a restore kept. */
async function ordersReplacedIn(url: string): Promise<unknown[]> {
  const file = url.replace("file:", "");
  const names = await readdir(dirname(file));
  const replaced = names.find((name) => name.startsWith(`${basename(file)}.before-`)) ?? "";
  const database = new BetterSqlite3(join(dirname(file), replaced), { readonly: true });
  try {
    return database
      .prepare<[], { id: string }>("SELECT id FROM orders")
      .all()
      .map(({ id }) => id);
  } finally {
    database.close();
  }
}
