import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import BetterSqlite3 from "better-sqlite3";
import { afterEach, beforeEach, expect, test } from "vitest";
import { unobserved } from "./database.ts";
import { Overloaded } from "./faults.ts";
import { migrationsFor } from "./migrations.ts";
import { openSqlite, type SqliteWaits } from "./sqlite.ts";

let folder: string;
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), "keepsats-"));
});
afterEach(() => rmSync(folder, { recursive: true }));

test("a new database has every table, is durable, and is of the newest version", async () => {
  const file = join(folder, "deep/er/shop.db");
  const database = openSqlite(file);
  await database.check();
  await database.close();
  const sqlite = new BetterSqlite3(file);
  expect(sqlite.pragma("journal_mode", { simple: true })).toBe("wal");
  expect(sqlite.pragma("user_version", { simple: true })).toBe(migrationsFor("sqlite").length);
  sqlite.close();
});

/** A database whose write lock another program holds. */
function locked(waits: Partial<SqliteWaits> = {}) {
  const file = join(folder, "shop.db");
  const database = openSqlite(file, unobserved, waits);
  const other = new BetterSqlite3(file);
  other.exec("BEGIN IMMEDIATE");
  const read = () => database.db.selectFrom("facts").select("name").execute();
  const write = (name: string) =>
    database.db.insertInto("facts").values({ name, value: "" }).returning("name").execute();
  const commit = (name: string) =>
    database.inTransaction(({ db }) => db.insertInto("facts").values({ name, value: "" }).execute());
  return { database, other, read, write, commit };
}

test("while another program holds the write lock reads go on, and what writes is done when it lets go", async () => {
  const { database, other, read, write, commit } = locked();
  const done: string[] = [];
  const writing = [commit("a"), write("b")].map((work) => work.then(() => done.push("written")));
  // A pause or two of those who wait for the lock.
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

test("what waits too long for the lock fails, and later work succeeds", async () => {
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

test("a query that finds too many others waiting is refused at once", async () => {
  const { database, other, commit, read } = locked({ maxWaiting: 3 });
  other.exec("COMMIT");
  const results = await Promise.allSettled([commit("a"), ...Array.from({ length: 4 }, read)]);
  expect(results.filter(({ status }) => status === "rejected")).toEqual([
    { status: "rejected", reason: expect.any(Overloaded) },
  ]);
  other.close();
  await database.close();
});
