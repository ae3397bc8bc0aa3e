import {
  chmodSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  rmSync,
  statSync,
  writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import BetterSqlite3 from "better-sqlite3";
import { afterEach, beforeEach, expect, test, vi } from "vitest";
import { unobserved } from "./database.ts";
import { Overloaded } from "./faults.ts";
import { writeValue } from "./key-values.ts";
import { migrateSqlite, readApplied } from "./migrate-sqlite.ts";
import { migrationsFor } from "./migrations.ts";
import { createTruncateLog, openSqlite, type SqliteWaits } from "./sqlite.ts";

let folder: string;
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), "keepsats-"));
});
afterEach(() => rmSync(folder, { recursive: true }));

test("a new database uses the write-ahead log and has all migrations", async () => {
  const file = join(folder, "deep/er/shop.db");
  const database = openSqlite(file);
  await database.check();
  await database.close();
  const sqlite = new BetterSqlite3(file);
  expect(sqlite.pragma("journal_mode", { simple: true })).toBe("wal");
  expect(readApplied(sqlite)).toHaveLength(migrationsFor("sqlite").length);
  sqlite.close();
});

test("the start and end of each migration are reported for an existing database, not for a new one", () => {
  const sqlite = new BetterSqlite3(":memory:");
  const migrations = migrationsFor("sqlite");
  const report = vi.fn();
  migrateSqlite(sqlite, migrations, report);
  expect(report).not.toHaveBeenCalled();
  const version = migrations.length + 1;
  const next = { version, name: "next", sql: "CREATE TABLE gifts (id TEXT)" };
  migrateSqlite(sqlite, [...migrations, next], report);
  const migration = `00${version}-next`;
  expect(report.mock.calls).toEqual([
    ["a migration started", { migration }],
    ["a migration finished", { migration, ms: expect.any(Number) }],
  ]);
  sqlite.close();
});

/** A database whose write lock another connection holds. */
function locked(waits: Partial<SqliteWaits> = {}) {
  const file = join(folder, "shop.db");
  const database = openSqlite(file, unobserved, waits);
  const other = new BetterSqlite3(file);
  other.exec("BEGIN IMMEDIATE");
  const read = () => database.db.selectFrom("key_values").select("name").execute();
  const write = (name: string) =>
    database.db.insertInto("key_values").values({ name, value: "" }).returning("name").execute();
  const commit = (name: string) =>
    database.inTransaction(({ db }) =>
      db.insertInto("key_values").values({ name, value: "" }).execute(),
    );
  return { database, other, read, write, commit };
}

test("while another process holds the write lock, reads succeed and writes wait", async () => {
  const { database, other, read, write, commit } = locked();
  const done: string[] = [];
  const writing = [commit("a"), write("b")].map((work) => work.then(() => done.push("written")));
  // Long enough for the waiting writes to retry a few times.
  for (let round = 0; round < 5; round += 1) {
    await sleep(5);
    expect(await read()).toEqual([]);
  }
  expect(done).toEqual([]);
  other.exec("COMMIT");
  await Promise.all(writing);
  expect((await read()).map(({ name }) => name).toSorted()).toEqual(["a", "b"]);
  other.close();
  await database.close();
});

test("a write that waits too long for the lock fails with SQLITE_BUSY, and a later one succeeds", async () => {
  const { database, other, read, write, commit } = locked({ lockWait: 20 });
  const results = await Promise.allSettled([commit("a"), write("b")]);
  const refused = { status: "rejected", reason: expect.objectContaining({ code: "SQLITE_BUSY" }) };
  expect(results).toEqual([refused, refused]);
  expect(await read()).toEqual([]);
  other.exec("COMMIT");
  await commit("c");
  expect(await read()).toEqual([{ name: "c" }]);
  other.close();
  await database.close();
});

test("a lock an hour after another one gets the full `lockWait` again", async () => {
  const { database, other, write } = locked();
  const real = performance.now.bind(performance);
  let ahead = 0;
  const clock = vi.spyOn(performance, "now").mockImplementation(() => real() + ahead);
  /** Waits until the waiting query has read the clock, and so retried, a few more times. */
  async function triedAgain(): Promise<void> {
    const until = clock.mock.calls.length + 4;
    while (clock.mock.calls.length < until) await sleep(1);
  }
  const first = write("a").catch(({ code }) => code);
  await triedAgain();
  ahead += 5_000;
  expect(await first).toBe("SQLITE_BUSY");
  const later = write("b").catch(({ code }) => code);
  await triedAgain();
  ahead += 500;
  expect(await later, "while the same lock is held").toBe("SQLITE_BUSY");

  ahead += 3_600_000;
  const writing = write("c");
  await triedAgain();
  ahead += 4_000;
  await Promise.race([triedAgain(), writing]);
  other.exec("COMMIT");
  expect(await writing).toEqual([{ name: "c" }]);
  other.close();
  await database.close();
});

test("a query is rejected at once if the queue is full", async () => {
  const { database, other, commit, read } = locked({ maxWaiting: 3 });
  other.exec("COMMIT");
  const results = await Promise.allSettled([commit("a"), ...Array.from({ length: 4 }, read)]);
  expect(results.filter(({ status }) => status === "rejected")).toEqual([
    { status: "rejected", reason: expect.any(Overloaded) },
  ]);
  other.close();
  await database.close();
});

test("closing a database on which no query has run removes its log", async () => {
  const file = join(folder, "unused.db");
  await openSqlite(file).close();
  expect(existsSync(`${file}-wal`)).toBe(false);
});

const modeOf = (path: string) => (statSync(path).mode & 0o777).toString(8);

test("a new database, its log and its new folder are accessible to the owner only", async () => {
  const umask = process.umask(0o022);
  const file = join(folder, "data/shop.db");
  const database = openSqlite(file);
  await database.check();
  expect([file, `${file}-wal`, `${file}-shm`].map(modeOf)).toEqual(["600", "600", "600"]);
  expect(modeOf(join(folder, "data"))).toBe("700");
  await database.close();
  process.umask(umask);
});

test("an existing database is restricted to its owner, as is a folder with files of the shop only", async () => {
  const file = join(folder, "data/shop.db");
  const beside = ["", "-wal", ".before-2026-11-21T10-00-00.000Z"].map((end) => file + end);
  mkdirSync(join(folder, "data"), { mode: 0o755 });
  for (const name of beside) writeFileSync(name, "");
  for (const name of beside) chmodSync(name, 0o644);
  await openSqlite(file).close();
  expect(modeOf(join(folder, "data"))).toBe("700");
  for (const name of [beside[0] ?? "", beside[2] ?? ""]) expect(modeOf(name)).toBe("600");
});

test("a folder with other files keeps its mode", async () => {
  writeFileSync(join(folder, "a-email.txt"), "");
  chmodSync(folder, 0o755);
  await openSqlite(join(folder, "shop.db")).close();
  expect(modeOf(folder)).toBe("755");
  expect(modeOf(join(folder, "shop.db"))).toBe("600");
});

test("files whose names only begin with the database's name keep their mode", async () => {
  mkdirSync(join(folder, "shop-site"));
  for (const name of ["shop.html", "shop", "shop.part", "shop.before-the-fire"])
    writeFileSync(join(folder, name), "");
  const modes = {
    "shop-site": 0o755,
    "shop.html": 0o644,
    shop: 0o644,
    "shop.part": 0o644,
    "shop.before-the-fire": 0o644,
  };
  for (const [name, mode] of Object.entries(modes)) chmodSync(join(folder, name), mode);
  await openSqlite(join(folder, "shop")).close();
  const found = Object.keys(modes).map((name) => modeOf(join(folder, name)));
  expect(found).toEqual(["755", "644", "600", "600", "644"]);
});

test.each([
  ["is empty", []],
  ["has databases of other programs", ["other.db"]],
  ["has the shop's database and those of other programs", ["other.db", "shop.db"]],
])("an existing folder that %s keeps its mode", async (_, names) => {
  const place = join(folder, "place");
  mkdirSync(place);
  for (const name of names) writeFileSync(join(place, name), "");
  chmodSync(place, 0o755);
  await openSqlite(join(place, "shop.db")).close();
  expect(modeOf(place)).toBe("755");
});

test("a query is rejected after `maxWait`, and a later one succeeds", async () => {
  const { database, other, read } = locked({ maxWait: 20 });
  other.exec("COMMIT");
  const [begun, end] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()];
  const long = database.inTransaction(async () => {
    begun.resolve();
    await end.promise;
  });
  await begun.promise;
  await expect(read()).rejects.toThrow(Overloaded);
  end.resolve();
  await long;
  expect(await read()).toEqual([]);
  other.close();
  await database.close();
});

test("the write-ahead log is truncated after another process closes its snapshot", async () => {
  const file = join(folder, "shop.db");
  const database = openSqlite(file);
  const reader = new BetterSqlite3(file, { readonly: true });
  reader.exec("BEGIN; SELECT count(*) FROM key_values");
  await writeValue(database.db, "written", "since");
  const logSize = () => statSync(`${file}-wal`).size;

  const { truncateLog, stop } = createTruncateLog(database.db, 5);
  await truncateLog();
  expect(logSize()).toBeGreaterThan(0);
  reader.exec("COMMIT");
  await expect.poll(logSize).toBe(0);
  stop();
  reader.close();
  await database.close();
});
