import { existsSync, statSync } from "node:fs";
import { chmod, chown, mkdir, readdir, rm, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { anOrder } from "../harness/builders.ts";
import { postOrder } from "../harness/customer.ts";
import { databaseKinds, postgres, sqlite } from "../harness/databases.ts";
import { expectNothingLost, type Placed, startLoad } from "../harness/load.ts";
import { startSandbox } from "../harness/sandbox.ts";
import { runDatabaseTask, type Started, startServer } from "../harness/server-process.ts";
import { callAdminApi } from "../harness/staff.ts";
import { useResource } from "../harness/use-resource.ts";
import { waitFor } from "../harness/wait-for.ts";

const sandbox = useResource(() => startSandbox());

const run = (command: "backup" | "restore", databaseUrl: string, ...args: string[]) =>
  runDatabaseTask(sandbox.folder, command, databaseUrl, ...args);

const TOKEN = "the-admin-token-of-these-tests";

const start = (databaseUrl: string) =>
  startServer({ cwd: sandbox.folder, databaseUrl, provider: sandbox, env: { ADMIN_TOKEN: TOKEN } });

describe.each(databaseKinds)("on $name", ({ name, newTestDatabase, newShopDatabase }) => {
  test("a backup made under load is complete, and a shop restored from it accepts orders", async () => {
    await using testDatabase = await newShopDatabase();
    await using other = await newTestDatabase();
    const server = await start(testDatabase.url);
    const load = startLoad(() => [server.url]);
    const copy = join(sandbox.folder, `${name}.backup`);
    await waitFor("orders", () => load.acknowledged.size > 30);
    const before = new Map(load.acknowledged);
    expect(await run("backup", testDatabase.url, "--to", copy)).toMatchObject({ code: 0 });
    await waitFor("more orders", () => load.acknowledged.size > before.size + 30);
    await load.stop();
    await server.end();
    await expectNothingLost(testDatabase.run, load.acknowledged);

    expect(await run("restore", other.url, "--from", copy)).toMatchObject({ code: 0 });
    await expectNothingLost(other.run, before);
    const again = await start(other.url);
    const more = startLoad(() => [again.url]);
    await waitFor("orders of the restored shop", () => more.acknowledged.size > 20);
    await more.stop();
    await again.end();
    await expectNothingLost(other.run, new Map([...before, ...more.acknowledged]));

    const refused = await run("backup", testDatabase.url, "--to", copy);
    expect(refused).toEqual({ code: 1, said: `${copy} already exists and is not overwritten` });
  });
});

test("a SQLite restore refuses a damaged backup and a running shop, and keeps the replaced database", async () => {
  await using testDatabase = await sqlite.newTestDatabase();
  const file = testDatabase.url.replace("file:", "");
  const server = await start(testDatabase.url);
  const copy = join(sandbox.folder, "good.backup");
  expect(await run("backup", testDatabase.url, "--to", copy)).toMatchObject({ code: 0 });
  const running = await run("restore", testDatabase.url, "--from", copy);
  expect(running.code).toBe(1);
  expect(running.said).toMatch(/is in use: stop the shop first/);
  expect((await fetch(`${server.url}/readyz`)).status).toBe(200);
  await server.end();

  const damaged = join(sandbox.folder, "damaged.backup");
  await writeFile(
    damaged,
    "no database at all, though quite a long text that could be mistaken for one",
  );
  const refused = await run("restore", testDatabase.url, "--from", damaged, "--no-checksum");
  expect(refused.code).toBe(1);
  expect(refused.said).toMatch(/damaged\.backup is not a database of the shop/);
  expect(await testDatabase.run("SELECT count(*) AS items FROM items")).toEqual([{ items: 12 }]);

  expect(await run("restore", testDatabase.url, "--from", copy)).toMatchObject({ code: 0 });
  expect(
    (await readdir(join(file, ".."))).filter((name) => name.startsWith("shop.db.before-")),
  ).toHaveLength(1);
  expect(existsSync(`${file}.part`)).toBe(false);
});

test("a backup can replace a damaged database, and one of which only the log is left", async () => {
  await using testDatabase = await sqlite.newTestDatabase();
  const file = testDatabase.url.replace("file:", "");
  const copy = join(sandbox.folder, "early.backup");
  const server = await start(testDatabase.url);
  expect(await run("backup", testDatabase.url, "--to", copy)).toMatchObject({ code: 0 });
  const load = startLoad(() => [server.url]);
  await waitFor("orders", () => load.acknowledged.size > 30);
  await load.stop();
  await server.end("SIGKILL");

  expect(existsSync(`${file}-wal`)).toBe(true);
  await rm(file);
  expect(await run("restore", testDatabase.url, "--from", copy)).toMatchObject({ code: 0 });
  expect(await testDatabase.run("SELECT count(*) AS orders FROM orders")).toEqual([{ orders: 0 }]);

  await writeFile(
    file,
    "a disk that has lost its mind writes things like this, in place of a database",
  );
  expect(await run("restore", testDatabase.url, "--from", copy)).toMatchObject({ code: 0 });
  expect(await testDatabase.run("SELECT count(*) AS items FROM items")).toEqual([{ items: 12 }]);
  await testDatabase.checkIntegrity();
});

test("a SQLite shop that is copied to PostgreSQL sells there, and is replaced only with --force", async () => {
  await using small = await sqlite.newTestDatabase();
  await using large = await postgres.newTestDatabase();
  const placed = new Map<string, Placed>();
  const place = async (server: Started, key: string) => {
    const answer = await postOrder(server, anOrder(), { "idempotency-key": key });
    placed.set(key, await answer.json());
  };
  const before = await start(small.url);
  await place(before, "first");
  await before.end();
  const copy = join(sandbox.folder, "to-copy-database.backup");
  expect(await run("backup", small.url, "--to", copy)).toMatchObject({ code: 0 });
  expect(await run("restore", large.url, "--from", copy)).toEqual({
    code: 0,
    said: `The shop is copied from ${copy} to PostgreSQL.`,
  });
  const copied = new Map(placed);

  const after = await start(large.url);
  await place(after, "first");
  expect(placed, "the same answer for the same key").toEqual(copied);
  await place(after, "second");
  const item = { name: "New", description: "New.", price: 1, image_url: "/pictures/moka-pot.svg" };
  const at = { url: after.url, token: TOKEN };
  const put = await callAdminApi(at, "PUT", "/api/admin/items/a-new-thing", item);
  expect(put.status).toBe(200);
  await after.end();
  await expectNothingLost(large.run, placed);

  expect(await run("restore", large.url, "--from", copy)).toMatchObject({
    code: 1,
    said: expect.stringMatching(/not empty.*--force/),
  });
  expect(await run("restore", large.url, "--from", copy, "--force")).toMatchObject({ code: 0 });
  await expectNothingLost(large.run, copied);
  expect(await large.run("SELECT 1 FROM items WHERE id = 'a-new-thing'")).toEqual([]);
});

test.each([
  [["--to"], /--to/],
  [[], /^--to is not given, expected a file$/],
  [["--frm", "x"], /--frm/],
])("a backup with the invalid arguments %j prints one line with the error", async (args, line) => {
  const { code, said } = await run("backup", "file:nowhere.db", ...args);
  expect(code).toBe(1);
  expect(said).toMatch(line);
  expect(said.split("\n")).toHaveLength(1);
});

test("a backup creates a missing folder, and is accessible to its owner only", async () => {
  await using testDatabase = await sqlite.newTestDatabase();
  await (await testDatabase.open()).close();
  const copies = join(sandbox.folder, "not/there/yet");
  const copy = join(copies, "2026-11-21.db");
  expect(await run("backup", testDatabase.url, "--to", copy)).toMatchObject({ code: 0 });
  expect([copies, copy].map((path) => statSync(path).mode & 0o777)).toEqual([0o700, 0o600]);

  expect(await run("backup", testDatabase.url, "--to", copies)).toEqual({
    code: 1,
    said: `--to: ${copies} is a folder, expected a file, or a folder with --keep and a number`,
  });
  const inAFile = await run("backup", testDatabase.url, "--to", join(copy, "x.db"));
  expect(inAFile.code).toBe(1);
  expect(inAFile.said).toMatch(/^EEXIST.*$/);
});

test("--keep keeps the newest backups, and changes no other file in their folder", async () => {
  await using testDatabase = await sqlite.newTestDatabase();
  await (await testDatabase.open()).close();
  const copies = join(sandbox.folder, "kept");
  await mkdir(copies);
  const made = (day: string) => `keepsats-2026-11-${day}T03-30-00Z.db`;
  for (const name of [
    made("01"),
    made("02"),
    made("03"),
    "by-hand.db",
    `${made("01")}.part`,
    `${made("01")}.sha256`,
  ])
    await writeFile(join(copies, name), "", { mode: 0o644 });
  expect(await run("backup", testDatabase.url, "--to", copies, "--keep", "3")).toMatchObject({
    code: 0,
  });
  const names = (await readdir(copies)).sort();
  expect(names.slice(0, 4)).toEqual(["by-hand.db", `${made("01")}.part`, made("02"), made("03")]);
  expect(names).toHaveLength(6);
  expect(names[5]).toBe(`${names[4]}.sha256`);
  expect(statSync(join(copies, made("03"))).mode & 0o777).toBe(0o600);
  const newest = join(copies, names[4] ?? "");
  expect(await run("restore", testDatabase.url, "--from", newest)).toMatchObject({ code: 0 });

  const wrong = await run("backup", testDatabase.url, "--to", copies, "--keep", "0");
  expect(wrong).toEqual({ code: 1, said: '--keep: got "0", expected a whole number from 1' });
});

test("a SQLite restore creates a missing folder, and a refused one leaves nothing behind", async () => {
  await using testDatabase = await sqlite.newTestDatabase();
  const server = await start(testDatabase.url);
  const copy = join(sandbox.folder, "to-be-refused.backup");
  expect(await run("backup", testDatabase.url, "--to", copy)).toMatchObject({ code: 0 });
  const file = testDatabase.url.replace("file:", "");
  expect(await run("restore", testDatabase.url, "--from", copy)).toMatchObject({ code: 1 });
  expect(existsSync(`${file}.part`)).toBe(false);
  await server.end();

  await chmod(copy, 0o644);
  const elsewhere = join(sandbox.folder, "else/where/shop.db");
  expect(await run("restore", `file:${elsewhere}`, "--from", copy)).toMatchObject({ code: 0 });
  expect(statSync(elsewhere).mode & 0o777).toBe(0o600);
});

test.runIf(process.getuid?.() === 0)(
  "a database that root restores belongs to the owner of the replaced one",
  { meta: { needs: "root" } },
  async () => {
    await using testDatabase = await sqlite.newTestDatabase();
    await (await testDatabase.open()).close();
    const copy = join(sandbox.folder, "by-root.backup");
    expect(await run("backup", testDatabase.url, "--to", copy)).toMatchObject({ code: 0 });
    const NOBODY = 65_534;
    const file = testDatabase.url.replace("file:", "");
    await chown(file, NOBODY, NOBODY);
    expect(await run("restore", testDatabase.url, "--from", copy)).toMatchObject({ code: 0 });
    expect(statSync(file)).toMatchObject({ uid: NOBODY, gid: NOBODY });

    const empty = join(sandbox.folder, "of-nobody");
    await mkdir(empty);
    await chown(empty, NOBODY, NOBODY);
    expect(await run("restore", `file:${empty}/shop.db`, "--from", copy)).toMatchObject({
      code: 0,
    });
    expect(statSync(join(empty, "shop.db"))).toMatchObject({ uid: NOBODY, gid: NOBODY });
  },
);
