import type { ClientBase } from "pg";
import { codeOf, reasonOf } from "../errors.ts";
import { DatabaseUnreachable } from "./database.ts";
import { migrationsFor, missingMigrations } from "./migrations.ts";

/** The key of the advisory lock that a migrating process holds; an arbitrary number. */
const LOCK = 7_365_702_010;

/**
 * How long a migration waits for each table that other transactions use. All later queries of that table wait behind it, so
 * this limits how long processes of the previous version are blocked. It is shorter than PostgreSQL's default
 * `deadlock_timeout` of one second, so that in a deadlock the migration gives way and not the other transaction.
 */
const TABLE_WAIT = "900ms";

/**
 * Runs all missing migrations in one transaction. Processes that start together migrate one after another.
 *
 * @throws {DatabaseUnreachable} when another transaction uses a table that a migration changes, such as a backup's; nothing
 *   is changed then, and a retry later may succeed
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
    await client.query(`SET LOCAL lock_timeout = '${TABLE_WAIT}'`);
    for (const { sql } of missing) await client.query(sql);
    if (rows.length === 0) await client.query("INSERT INTO schema_version VALUES ($1)", [migrations.length]);
    else await client.query("UPDATE schema_version SET version = $1", [migrations.length]);
    await client.query("COMMIT");
  } catch (error) {
    await client.query("ROLLBACK").catch(() => {});
    throw isBlocked(error)
      ? new DatabaseUnreachable(
          `another program uses a table that the update must change (${reasonOf(error)})`,
        )
      : error;
  }
}

/** Whether a migration gave way to another transaction: 55P03 lock timeout, 40P01 deadlock. */
function isBlocked(error: unknown): boolean {
  return /^(?:55P03|40P01)$/.test(codeOf(error));
}
