import type { ClientBase } from "pg";
import { migrationsFor, missingMigrations } from "./migrations.ts";

/** The key of the advisory lock that a migrating process holds; an arbitrary number. */
const LOCK = 7_365_702_010;

/**
 * Runs all missing migrations in one transaction. Processes that start together migrate one after another.
 *
 * @throws {DatabaseUnusable} when the database has been used by a newer version of the shop
 */
export async function migratePostgres(
  client: ClientBase,
  migrations = migrationsFor("postgres"),
): Promise<void> {
  await client.query("BEGIN");
  try {
    await client.query("SELECT pg_advisory_xact_lock($1)", [LOCK]);
    await client.query("CREATE TABLE IF NOT EXISTS schema_version (version integer NOT NULL)");
    const { rows } = await client.query<{ version: number }>("SELECT version FROM schema_version");
    const missing = missingMigrations(migrations, rows[0]?.version ?? 0);
    for (const { sql } of missing) await client.query(sql);
    if (rows.length === 0) await client.query("INSERT INTO schema_version VALUES ($1)", [migrations.length]);
    else await client.query("UPDATE schema_version SET version = $1", [migrations.length]);
    await client.query("COMMIT");
  } catch (error) {
    await client.query("ROLLBACK").catch(() => {});
    throw error;
  }
}
