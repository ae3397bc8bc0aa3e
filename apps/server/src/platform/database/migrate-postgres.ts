import type { ClientBase } from "pg";
import { codeOf, reasonOf } from "../errors.ts";
import { DatabaseUnreachable } from "./database.ts";
import {
  type AppliedMigration,
  CREATE_HISTORY,
  checksumOf,
  hasHistory,
  type Migration,
  migrationsFor,
  missingMigrations,
  quiet,
  READ_HISTORY,
  type ReportMigration,
  reportStart,
} from "./migrations.ts";

/** The key of the advisory lock of a migrating process; an arbitrary number. */
const LOCK = 7_365_702_010;

/**
 * How long a migration waits for a table that other transactions use. Later queries of that table
 * wait behind it, so this limits how long processes of the previous version are blocked. It is
 * shorter than PostgreSQL's default `deadlock_timeout` of one second, so that in a deadlock the
 * migration yields and not the other transaction.
 */
const TABLE_WAIT = "900ms";

/**
 * The order in which placing an order locks tables. Migrations use the same one; otherwise each
 * would deadlock in a busy shop.
 */
const LOCK_ORDER = [
  "items",
  "idempotency_keys",
  "orders",
  "order_lines",
  "order_events",
  "order_search_index",
  "outbox",
];

/**
 * Runs all missing migrations in one transaction. Processes that start together migrate one after
 * another.
 *
 * @throws {DatabaseUnreachable} if another transaction, such as a backup, uses a table that a
 *   migration changes; nothing is changed then
 * @throws {DatabaseUnusable} if this version cannot migrate the database
 */
export async function migratePostgres(
  client: ClientBase,
  migrations = migrationsFor("postgres"),
  report: ReportMigration = quiet,
): Promise<void> {
  await client.query("BEGIN");
  try {
    await lockMigrations(client, report);
    const applied = await readApplied(client);
    const missing = missingMigrations(migrations, applied);
    await client.query(CREATE_HISTORY);
    await client.query(`SET LOCAL lock_timeout = '${TABLE_WAIT}'`);
    await lockTables(client, missing, report);
    for (const migration of missing) {
      const ended = reportStart(migration, applied.length === 0 ? quiet : report);
      await client.query(migration.sql);
      await client.query("INSERT INTO schema_migrations VALUES ($1, $2)", [
        migration.version,
        checksumOf(migration),
      ]);
      ended();
    }
    await client.query("COMMIT");
  } catch (error) {
    await client.query("ROLLBACK").catch(() => {});
    if (!isBlocked(error)) throw error;
    const why = reasonOf(error);
    report("the migration yields to another program and will be retried", { why });
    throw new DatabaseUnreachable(
      `another program uses a table that the update must change (${why})`,
    );
  }
}

/** Serializes migrations of several processes until the transaction ends. */
async function lockMigrations(client: ClientBase, report: ReportMigration): Promise<void> {
  const attempt = "SELECT pg_try_advisory_xact_lock($1) AS locked";
  const { rows } = await client.query<{ locked: boolean }>(attempt, [LOCK]);
  if (rows[0]?.locked === true) return;
  report("another server is migrating the database; waiting for it", {});
  await client.query("SELECT pg_advisory_xact_lock($1)", [LOCK]);
}

/** Oldest first; none for an empty database. */
async function readApplied(client: ClientBase): Promise<AppliedMigration[]> {
  const tables = await client.query<{ name: string }>(
    "SELECT tablename AS name FROM pg_tables WHERE schemaname = current_schema()",
  );
  if (!hasHistory(tables.rows.map(({ name }) => name))) return [];
  return (await client.query<AppliedMigration>(READ_HISTORY)).rows;
}

/** Locks all tables that the migrations name, before the first one runs. */
async function lockTables(
  client: ClientBase,
  missing: readonly Migration[],
  report: ReportMigration,
): Promise<void> {
  const words = new Set(
    missing.flatMap(({ sql }) => sql.replaceAll(/--.*/g, "").match(/\w+/g) ?? []),
  );
  const { rows } = await client.query<{ name: string; quoted: string }>(
    `SELECT tablename AS name, format('%I', tablename) AS quoted FROM pg_tables
      WHERE schemaname = current_schema() AND tablename = ANY($1) ORDER BY array_position($2, tablename::text), tablename`,
    [[...words], LOCK_ORDER],
  );
  if (rows.length === 0) return;
  const start = performance.now();
  report("waiting to lock the tables of the migration", { tables: rows.map(({ name }) => name) });
  await client.query(
    `LOCK TABLE ${rows.map(({ quoted }) => quoted).join(", ")} IN ACCESS EXCLUSIVE MODE`,
  );
  report("the tables of the migration are locked", { ms: Math.round(performance.now() - start) });
}

/** 55P03 lock timeout, 40P01 deadlock. */
function isBlocked(error: unknown): boolean {
  return /^(?:55P03|40P01)$/.test(codeOf(error));
}
