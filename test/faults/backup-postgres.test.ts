import { existsSync } from "node:fs";
import { mkdir, readdir, readFile, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { expect, test } from "vitest";
import { findPostgres } from "../../scripts/test-programs.ts";
import { postgres } from "../harness/databases.ts";
import { startSandbox } from "../harness/sandbox.ts";
import { runDatabaseTask, startProcess, startServer } from "../harness/server-process.ts";
import { useResource } from "../harness/use-resource.ts";
import { waitFor } from "../harness/wait-for.ts";

const root = join(import.meta.dirname, "../..");
const sandbox = useResource(() => startSandbox());

const run = (command: "backup" | "restore", databaseUrl: string, ...args: string[]) =>
  runDatabaseTask(sandbox.folder, command, databaseUrl, ...args);

test("a PostgreSQL database with connected servers is replaced only with --while-running", async () => {
  await using testDatabase = await postgres.newShopDatabase();
  const server = await startServer({
    cwd: sandbox.folder,
    databaseUrl: testDatabase.url,
    provider: sandbox,
  });
  const copy = join(sandbox.folder, "under-servers.backup");
  expect(await run("backup", testDatabase.url, "--to", copy)).toMatchObject({ code: 0 });
  const refused = await run("restore", testDatabase.url, "--from", copy, "--force");
  expect(refused.code).toBe(1);
  expect(refused.said).toMatch(
    /^servers of the shop have \d+ connections.*stop them first.*--while-running/,
  );
  expect(
    await run("restore", testDatabase.url, "--from", copy, "--force", "--while-running"),
  ).toMatchObject({
    code: 0,
  });
  await server.end();
  expect(await run("restore", testDatabase.url, "--from", copy, "--force")).toMatchObject({
    code: 0,
  });
});

test("a PostgreSQL database that is not empty is replaced only with --force", async () => {
  await using testDatabase = await postgres.newShopDatabase();
  await testDatabase.run("INSERT INTO key_values (name, value) VALUES ('here', 'first')");
  const copy = join(sandbox.folder, "forced.backup");
  expect(await run("backup", testDatabase.url, "--to", copy)).toMatchObject({ code: 0 });
  await testDatabase.run("UPDATE key_values SET value = 'second' WHERE name = 'here'");
  const refused = await run("restore", testDatabase.url, "--from", copy);
  expect(refused.code).toBe(1);
  expect(refused.said).toMatch(/is not empty.*--force/);
  expect(await run("restore", testDatabase.url, "--from", copy, "--force")).toMatchObject({
    code: 0,
  });
  const value = () => testDatabase.run("SELECT value FROM key_values WHERE name = 'here'");
  expect(await value()).toEqual([{ value: "first" }]);

  await testDatabase.run("UPDATE key_values SET value = 'third' WHERE name = 'here'");
  const cutOff = join(sandbox.folder, "cut-off.backup");
  await writeFile(cutOff, (await readFile(copy)).subarray(0, -2_000));
  expect(
    await run("restore", testDatabase.url, "--from", cutOff, "--force", "--no-checksum"),
  ).toMatchObject({
    code: 1,
  });
  expect(await value()).toEqual([{ value: "third" }]);
});

test("a restore to PostgreSQL drops unknown tables only with --drop-others", async () => {
  await using testDatabase = await postgres.newShopDatabase();
  const copy = join(sandbox.folder, "beside-others.backup");
  expect(await run("backup", testDatabase.url, "--to", copy)).toMatchObject({ code: 0 });
  // Like a table of another program, or of a newer version that was rolled back.
  await testDatabase.run("CREATE TABLE of_others (order_id text REFERENCES orders (id))");
  const others = () =>
    testDatabase.run("SELECT tablename FROM pg_tables WHERE tablename = 'of_others'");
  const refused = await run("restore", testDatabase.url, "--from", copy, "--force");
  expect(refused.code).toBe(1);
  expect(refused.said).toMatch(/known to this version: of_others; --drop-others/);
  expect(await others()).toHaveLength(1);
  const asked = await run("restore", testDatabase.url, "--from", copy, "--force", "--drop-others");
  expect(asked).toMatchObject({ code: 0 });
  expect(await others()).toEqual([]);

  await testDatabase.run("CREATE VIEW of_others AS SELECT id FROM orders");
  const viewed = await run("restore", testDatabase.url, "--from", copy, "--force");
  expect(viewed).toEqual({
    code: 1,
    said: expect.stringMatching(/cannot drop .* because other objects/),
  });
});

test("a restore to PostgreSQL that is killed changes nothing, and leaves nothing behind", async () => {
  await using testDatabase = await postgres.newShopDatabase();
  await testDatabase.run("INSERT INTO key_values (name, value) VALUES ('here', 'first')");
  const copy = join(sandbox.folder, "killed.backup");
  expect(await run("backup", testDatabase.url, "--to", copy)).toMatchObject({ code: 0 });
  const [programs, temporary] = [
    join(sandbox.folder, "programs"),
    join(sandbox.folder, "temporary"),
  ];
  for (const made of [programs, temporary]) await mkdir(made);
  // It writes a part, reports that, and then blocks until the restore is killed.
  const slow = `#!/bin/sh
    case "$*" in *--list*|*--data-only*) exec "${findPostgres("pg_restore")}" "$@";; esac
    echo "CREATE TABLE half_way ();" && touch "${programs}/wrote" && while kill -0 $PPID 2>/dev/null; do sleep 0.1; done`;
  await writeFile(join(programs, "pg_restore"), slow, { mode: 0o755 });
  const env = {
    DATABASE_URL: testDatabase.url,
    TMPDIR: temporary,
    PATH: `${programs}:${process.env.PATH}`,
  };
  const args = [join(root, "scripts/restore.ts"), "--from", copy, "--force"];
  const restoring = await startProcess({ cwd: sandbox.folder, env, args });
  const isConnected = async () => {
    const connections = "datname = current_database() AND application_name = 'psql'";
    return (
      (await testDatabase.run(`SELECT pid FROM pg_stat_activity WHERE ${connections}`)).length > 0
    );
  };
  await waitFor(
    "psql, and a part",
    async () => existsSync(join(programs, "wrote")) && (await isConnected()),
  );
  await restoring.end("SIGKILL");
  expect(await readdir(temporary)).toEqual([]);
  await waitFor("psql to end", async () => !(await isConnected()));
  expect(await testDatabase.run("SELECT value FROM key_values WHERE name = 'here'")).toEqual([
    { value: "first" },
  ]);
  expect(await testDatabase.run("SELECT FROM pg_tables WHERE tablename = 'half_way'")).toEqual([]);
});
