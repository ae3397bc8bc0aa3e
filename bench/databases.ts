import { randomUUID } from "node:crypto";
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
}

/** The folder of all SQLite files. */
let folder = "";
let postgres: TestPostgres | undefined;

/** Starts the PostgreSQL that all parts share. Each of its commits is synced to its disk. */
export async function startDatabases(): Promise<void> {
  folder = await mkdtemp(join(tmpdir(), "keepsats-bench-"));
  postgres = await startPostgres({ durable: true });
}

export async function endDatabases(): Promise<void> {
  await postgres?.stop();
  await rm(folder, { recursive: true, force: true });
}

async function newSqlite(): Promise<BenchDatabase> {
  const file = join(folder, `${randomUUID()}.db`);
  return {
    name: "SQLite",
    url: `file:${file}`,
    within: (work) => withDatabase(openSqlite(file), work),
    settle: async () => {},
  };
}

export async function newPostgres(): Promise<BenchDatabase> {
  if (postgres === undefined) throw new Error("PostgreSQL has not been started");
  const url = await postgres.newDatabase();
  return {
    name: "PostgreSQL",
    url,
    within: async (work) => withDatabase(await openPostgres(url), work),
    async settle() {
      await query(url, "VACUUM ANALYZE");
      await query(url, "CHECKPOINT");
    },
  };
}

async function withDatabase(
  database: Database,
  work: (database: Database) => Promise<unknown>,
): Promise<void> {
  await work(database);
  await database.close();
}

/**
 * Runs a measurement for each kind of database. It gets an empty database, and a function that
 * creates further ones.
 */
export async function onEachDatabase(
  measure: (database: BenchDatabase, newDatabase: () => Promise<BenchDatabase>) => Promise<Row[]>,
): Promise<Row[]> {
  const onSqlite = await measure(await newSqlite(), newSqlite);
  return [...onSqlite, ...(await measure(await newPostgres(), newPostgres))];
}
