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
import { Kysely } from "kysely";
import { afterEach, beforeEach, expect, test, vi } from "vitest";
import { unobserved } from "./database.ts";
import { Overloaded } from "./faults.ts";
import { migrateSqlite, readApplied } from "./migrate-sqlite.ts";
import { migrationsFor } from "./migrations.ts";
import { openSqlite } from "./sqlite.ts";
import { createSharedSqliteDialect, type SqliteWaits } from "./sqlite-driver.ts";

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

/** A database and its queries. */
function opened(waits?: Partial<SqliteWaits>) {
  const file = join(folder, "shop.db");
  const unavailable = vi.fn();
  const database = openSqlite(file, { ...unobserved, unavailable }, waits);
  return {
    file,
    database,
    unavailable,
    read: () => database.db.selectFrom("key_values").select("name").execute(),
    commit: (name: string) =>
      database.inTransaction(({ db }) =>
        db.insertInto("key_values").values({ name, value: "" }).execute(),
      ),
  };
}

/** {@link opened}, with the write lock held by another connection. */
function locked(waits?: Partial<SqliteWaits>) {
  const used = opened(waits);
  const other = new BetterSqlite3(used.file);
  other.exec("BEGIN IMMEDIATE");
  return { ...used, other };
}

test("while another process holds the write lock, reads succeed and transactions wait", async () => {
  const { database, other, read, commit } = locked();
  const done: string[] = [];
  const writing = ["a", "b"].map((name) => commit(name).then(() => done.push(name)));
  // Long enough for the waiting transactions to retry a few times.
  for (let round = 0; round < 10; round += 1) {
    await sleep(10);
    expect(await read()).toEqual([]);
  }
  expect(done).toEqual([]);
  other.exec("COMMIT");
  await Promise.all(writing);
  expect((await read()).map(({ name }) => name).toSorted()).toEqual(["a", "b"]);
  other.close();
  await database.close();
});

test("transactions that wait for the lock neither block the process nor are reported", async () => {
  const { database, other, commit, unavailable } = locked();
  const committing = Promise.all(Array.from({ length: 20 }, (_, index) => commit(`${index}`)));
  const begun = performance.now();
  for (let round = 0; round < 10; round += 1) await sleep(5);
  expect(performance.now() - begun).toBeLessThan(1_000);
  other.exec("COMMIT");
  await committing;
  expect(unavailable).not.toHaveBeenCalled();
  other.close();
  await database.close();
});

test("a transaction that waits too long for the lock fails with SQLITE_BUSY, and a later one succeeds", async () => {
  const { database, other, read, commit, unavailable } = locked({ lockWait: 50 });
  await expect(commit("a")).rejects.toMatchObject({ code: "SQLITE_BUSY" });
  expect(unavailable).toHaveBeenCalledTimes(1);
  expect(await read()).toEqual([]);
  other.exec("COMMIT");
  await commit("b");
  expect(await read()).toEqual([{ name: "b" }]);
  other.close();
  await database.close();
});

test("a transaction that cannot begin for another reason is rejected at once, and reported", async () => {
  const broken = (): never => {
    throw Object.assign(new Error("disk I/O error"), { code: "SQLITE_IOERR" });
  };
  const log = vi.fn();
  const dialect = createSharedSqliteDialect({
    database: { prepare: broken, close() {} },
    beginAtOnce: broken,
    isInTransaction: () => false,
    lockWait: 60_000,
    maxWaiting: 1,
    maxWait: 60_000,
  });
  const db = new Kysely({ dialect, log });
  await expect(db.transaction().execute(async () => {})).rejects.toThrow("disk I/O error");
  expect(log).toHaveBeenCalledWith(expect.objectContaining({ level: "error" }));
});

test("a query is rejected at once if the queue is full", async () => {
  const { database, commit, read } = opened({ maxWaiting: 3 });
  const results = await Promise.allSettled([commit("a"), ...Array.from({ length: 4 }, read)]);
  expect(results.filter(({ status }) => status === "rejected")).toEqual([
    { status: "rejected", reason: expect.any(Overloaded) },
  ]);
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

test("an existing database is restricted to its owner", async () => {
  const file = join(folder, "data/shop.db");
  mkdirSync(join(folder, "data"), { mode: 0o755 });
  for (const path of [file, `${file}-wal`, `${file}-html`]) {
    writeFileSync(path, "");
    chmodSync(path, 0o644);
  }
  const database = openSqlite(file);
  await database.check();
  expect([file, `${file}-wal`, `${file}-html`].map(modeOf)).toEqual(["600", "600", "644"]);
  await database.close();
});

test("an existing folder keeps its mode", async () => {
  chmodSync(folder, 0o755);
  await openSqlite(join(folder, "shop.db")).close();
  expect(modeOf(folder)).toBe("755");
  expect(modeOf(join(folder, "shop.db"))).toBe("600");
});

test("a query is rejected after `maxWait`, and a later one succeeds", async () => {
  const { database, read } = opened({ maxWait: 20 });
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
  await database.close();
});

test("the write-ahead log is truncated, unless another process uses it", async () => {
  const { file, database, commit } = opened();
  const reader = new BetterSqlite3(file, { readonly: true });
  reader.exec("BEGIN; SELECT count(*) FROM key_values");
  await commit("since");
  const logSize = () => statSync(`${file}-wal`).size;
  await database.truncateLog();
  expect(logSize()).toBeGreaterThan(0);
  reader.exec("COMMIT");
  await database.truncateLog();
  expect(logSize()).toBe(0);
  reader.close();
  await database.close();
});
