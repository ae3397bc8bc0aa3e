import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { Database } from "../apps/server/src/platform/database/database.ts";
import { openPostgres } from "../apps/server/src/platform/database/postgres.ts";
import { openSqlite } from "../apps/server/src/platform/database/sqlite.ts";
import { query, startPostgres, type TestPostgres } from "../test/harness/postgres.ts";
import type { Row } from "./measure.ts";

/** A separate database for one part of the benchmark. */
export interface BenchDatabase {
  readonly name: "SQLite" | "PostgreSQL";
  readonly url: string;
  /** Runs `work` on the open database. */
  within(work: (database: Database) => Promise<unknown>): Promise<void>;
  /** Runs the maintenance that is due after many inserts. */
  settle(): Promise<void>;
  remove(): Promise<void>;
}

let postgres: TestPostgres | undefined;

/** Starts the PostgreSQL that all parts share. Each of its commits is synced to its disk. */
export async function startDatabases(): Promise<void> {
  postgres = await startPostgres({ durable: true });
}

export async function endDatabases(): Promise<void> {
  await postgres?.stop();
}

export async function newSqlite(): Promise<BenchDatabase> {
  const folder = await mkdtemp(join(tmpdir(), "keepsats-bench-"));
  const file = join(folder, "shop.db");
  return {
    name: "SQLite",
    url: `file:${file}`,
    async within(work) {
      const database = openSqlite(file);
      await work(database);
      await database.close();
    },
    settle: async () => {},
    remove: () => rm(folder, { recursive: true }),
  };
}

export async function newPostgres(): Promise<BenchDatabase> {
  if (postgres === undefined) throw new Error("PostgreSQL has not been started");
  const url = await postgres.newDatabase();
  return {
    name: "PostgreSQL",
    url,
    async within(work) {
      const database = await openPostgres(url);
      await work(database);
      await database.close();
    },
    async settle() {
      await query(url, "VACUUM ANALYZE");
      await query(url, "CHECKPOINT");
    },
    remove: async () => {},
  };
}

/** Runs a measurement on an empty database of each kind. */
export async function onEachDatabase(
  measure: (database: BenchDatabase) => Promise<Row[]>,
): Promise<Row[]> {
  const rows: Row[] = [];
  for (const newDatabase of [newSqlite, newPostgres]) {
    const database = await newDatabase();
    rows.push(...(await measure(database)));
    await database.remove();
  }
  return rows;
}
