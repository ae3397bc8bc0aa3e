import { createHash } from "node:crypto";
import { mkdtempDisposable, open, readFile, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { databaseKinds, postgres, type TestDatabase, withMigration } from "../harness/databases.ts";
import { startSandbox } from "../harness/sandbox.ts";
import { runDatabaseTask, startServer } from "../harness/server-process.ts";
import { useResource } from "../harness/use-resource.ts";

const folder = useResource(() => mkdtempDisposable(join(tmpdir(), "keepsats-")));

const run = (command: "backup" | "restore", url: string, ...args: string[]) =>
  runDatabaseTask(folder.path, command, url, ...args);

/** Changes four bytes in the middle of a file. */
async function damage(file: string): Promise<void> {
  await using handle = await open(file, "r+");
  await handle.write("XXXX", Math.floor((await handle.stat()).size / 2));
}

const note = (testDatabase: TestDatabase) =>
  testDatabase.run("SELECT value FROM key_values WHERE name = 'here'");

/** Creates a database, backs it up, and changes it after the backup. */
async function backedUp(testDatabase: TestDatabase, copy: string): Promise<void> {
  await (await testDatabase.open()).close();
  await testDatabase.run("INSERT INTO key_values (name, value) VALUES ('here', 'first')");
  expect(await run("backup", testDatabase.url, "--to", copy)).toMatchObject({ code: 0 });
  await testDatabase.run("UPDATE key_values SET value = 'second' WHERE name = 'here'");
}

describe.each(databaseKinds)("on $name", ({ name, newShopDatabase }) => {
  const testDatabase = useResource(newShopDatabase);

  test("a backup with four changed bytes is refused, and the database is unchanged", async () => {
    const copy = join(folder.path, `${name}-damaged.backup`);
    await backedUp(testDatabase, copy);
    const sum = createHash("sha256")
      .update(await readFile(copy))
      .digest("hex");
    expect(await readFile(`${copy}.sha256`, "utf8")).toBe(`${sum}  ${name}-damaged.backup\n`);
    await damage(copy);
    expect(await run("restore", testDatabase.url, "--from", copy, "--force")).toEqual({
      code: 1,
      said: `${copy} is damaged: its checksum is not the one in ${copy}.sha256`,
    });
    expect(await note(testDatabase)).toEqual([{ value: "second" }]);
  });

  test("a backup without its checksum is restored only with --no-checksum", async () => {
    const copy = join(folder.path, `${name}-alone.backup`);
    await testDatabase.run("DELETE FROM key_values WHERE name = 'here'");
    await backedUp(testDatabase, copy);
    await rm(`${copy}.sha256`);
    const refused = await run("restore", testDatabase.url, "--from", copy, "--force");
    expect(refused).toMatchObject({
      code: 1,
      said: expect.stringMatching(/\.sha256 is missing.*--no-checksum/),
    });
    expect(await note(testDatabase)).toEqual([{ value: "second" }]);
    expect(
      await run("restore", testDatabase.url, "--from", copy, "--force", "--no-checksum"),
    ).toMatchObject({
      code: 0,
    });
    expect(await note(testDatabase)).toEqual([{ value: "first" }]);
  });

  test("the metrics have the age of the newest backup", async () => {
    await using sandbox = await startSandbox();
    const env = { METRICS_TOKEN: "the-token-of-the-metrics" };
    await using server = await startServer({
      cwd: sandbox.folder,
      databaseUrl: testDatabase.url,
      provider: sandbox,
      env,
    });
    await testDatabase.run(
      "UPDATE key_values SET value = '1000000000000' WHERE name = 'last-backup'",
    );
    const age = async () => {
      const headers = { authorization: `Bearer ${env.METRICS_TOKEN}` };
      const text = await (await fetch(`${server.url}/metrics`, { headers })).text();
      return Number(/^keepsats_last_backup_seconds (\S+)$/m.exec(text)?.[1]);
    };
    expect(await age()).toBeGreaterThan(1_000_000);
    expect(
      await run("backup", testDatabase.url, "--to", join(folder.path, `${name}-recorded.backup`)),
    ).toMatchObject({
      code: 0,
    });
    expect(await age()).toBeLessThan(60);
  });
});

test("a backup by a newer version is refused even with --force, and the PostgreSQL database is unchanged", async () => {
  const [testDatabase, newer] = [
    await postgres.newShopDatabase(),
    await postgres.newShopDatabase(),
  ];
  await newer.migrate(withMigration(postgres, "CREATE TABLE gifts (id text)"));
  const copy = join(folder.path, "newer.backup");
  expect(await run("backup", newer.url, "--to", copy)).toMatchObject({ code: 0 });
  await testDatabase.run("INSERT INTO key_values (name, value) VALUES ('here', 'kept')");
  expect(await run("restore", testDatabase.url, "--from", copy, "--force")).toMatchObject({
    code: 1,
    said: expect.stringMatching(/^the database is of version \d+, made by a newer Keepsats/),
  });
  expect(await note(testDatabase)).toEqual([{ value: "kept" }]);
});

test("a backup of a read-only PostgreSQL succeeds, and warns that its time is not recorded", async () => {
  const testDatabase = await postgres.newShopDatabase();
  const url = `${testDatabase.url}?options=-c%20default_transaction_read_only%3Don`;
  expect(await run("backup", url, "--to", join(folder.path, "standby.backup"))).toMatchObject({
    code: 0,
    said: expect.stringMatching(/is backed up to .*\n?.*could not be recorded.*read-only/s),
  });
});
