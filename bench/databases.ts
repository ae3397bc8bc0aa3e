import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import BetterSqlite3 from "better-sqlite3";
import pg from "pg";
import { startPostgres, type TestPostgres } from "../test/harness/postgres.ts";
import type { Row } from "./row.ts";

/** A separate database for one part of the benchmark. */
export interface BenchDatabase {
  readonly name: "SQLite" | "PostgreSQL";
  readonly url: string;
  /** Runs SQL directly, not through the shop. */
  run(sql: string): Promise<void>;
  /**
   * Runs the maintenance (vacuum, analyze, checkpoint) that the database would run some time after
   * many inserts.
   */
  settle(): Promise<void>;
  remove(): Promise<void>;
}

let postgres: Promise<TestPostgres> | undefined;

/** An empty SQLite file. */
export async function newSqlite(): Promise<BenchDatabase> {
  const folder = await mkdtemp(join(tmpdir(), "keepsats-bench-"));
  const file = join(folder, "shop.db");
  return {
    name: "SQLite",
    url: `file:${file}`,
    async run(sql) {
      const database = new BetterSqlite3(file);
      database.pragma("cache_size = -500000");
      database.exec(sql);
      database.close();
    },
    settle: async () => {},
    remove: () => rm(folder, { recursive: true }),
  };
}

/** An empty database of a PostgreSQL that syncs every commit to its disk. */
export async function newPostgres(): Promise<BenchDatabase> {
  postgres ??= startPostgres({ durable: true });
  const url = await (await postgres).newDatabase();
  async function run(...statements: string[]): Promise<void> {
    const client = new pg.Client({ connectionString: url });
    await client.connect();
    for (const statement of statements) await client.query(statement);
    await client.end();
  }
  return {
    name: "PostgreSQL",
    url,
    run: (sql) => run(sql),
    settle: () => run("VACUUM ANALYZE", "CHECKPOINT"),
    remove: async () => {},
  };
}

/** Both kinds of database. */
export const databases = [newSqlite, newPostgres];

/** Runs a measurement on an empty database of each kind. */
export async function onEachDatabase(
  measure: (database: BenchDatabase) => Promise<Row[]>,
): Promise<Row[]> {
  const rows: Row[] = [];
  for (const newDatabase of databases) {
    const database = await newDatabase();
    rows.push(...(await measure(database)));
    await database.remove();
  }
  return rows;
}

/** Stops the servers that the parts of the benchmark share. */
export async function endDatabases(): Promise<void> {
  if (postgres !== undefined) await (await postgres).stop();
}
