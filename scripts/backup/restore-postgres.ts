import { pipeline } from "node:stream/promises";
import { DatabaseUnusable } from "../../apps/server/src/platform/database/database.ts";
import {
  type AppliedMigration,
  hasHistory,
  migrationsFor,
  missingMigrations,
} from "../../apps/server/src/platform/database/migrations.ts";
import { databaseNotEmpty } from "./database-task.ts";
import { failure, queryRows, run, splitPassword, start } from "./postgres-tools.ts";

/** The tables that a restore may replace. */
export interface Replaceable {
  /** The shop's tables. */
  readonly force: boolean;
  /** All other tables of the schema too, and objects that depend on them. */
  readonly dropOthers: boolean;
}

/** A table or function of the database; `quoted` is its name quoted for SQL. */
interface Named {
  readonly schema: string;
  readonly name: string;
  readonly quoted: string;
}

/**
 * Restores in one transaction. The SQL is piped from `pg_restore` to `psql` and never written to
 * disk.
 *
 * @throws {DatabaseUnusable} if the backup was made by a newer version, or the database has tables
 *   that must not be replaced. The database is then unchanged
 */
export async function restorePostgres(url: string, from: string, may: Replaceable): Promise<void> {
  const contents = await run("pg_restore", ["--list", from]);
  const restored = tablesIn(contents);
  missingMigrations(migrationsFor("postgres"), await appliedIn(from, restored));
  const tables = await queryRows<Named>(url, TABLES);
  if (!may.force && tables.length > 0) throw databaseNotEmpty();
  const known = new Set(["schema_migrations", ...createdByMigrations("TABLE")]);
  const others = tables.filter(
    ({ schema, name }) => !known.has(name) && !restored.has(`${schema} ${name}`),
  );
  if (others.length > 0 && !may.dropOthers)
    throw new DatabaseUnusable(
      `the database has tables that are neither in ${from} nor known to this version: ${others.map(({ name }) => name).join(", ")}; --drop-others drops them too, such as where a newer Keepsats has made them`,
    );
  const ours = new Set([...createdByMigrations("FUNCTION"), ...functionsIn(contents)]);
  const functions = (await queryRows<Named>(url, FUNCTIONS)).filter(({ name }) => ours.has(name));
  await replay(
    url,
    from,
    dropStatement("TABLE", tables, may.dropOthers) + dropStatement("FUNCTION", functions, false),
  );
}

/** Leaves out tables of extensions, which are created and dropped with the extensions. */
const TABLES = `SELECT schemaname AS schema, tablename AS name, format('%I.%I', schemaname, tablename) AS quoted
  FROM pg_tables WHERE schemaname = current_schema() AND NOT EXISTS (
    SELECT FROM pg_depend WHERE classid = 'pg_class'::regclass AND deptype = 'e'
      AND objid = format('%I.%I', schemaname, tablename)::regclass)
  ORDER BY tablename`;

/** Dropping a table does not drop the functions of its triggers. */
const FUNCTIONS = `SELECT nspname AS schema, proname AS name,
    format('%I.%I(%s)', nspname, proname, pg_get_function_identity_arguments(pg_proc.oid)) AS quoted
  FROM pg_proc JOIN pg_namespace ON pg_namespace.oid = pronamespace
  WHERE nspname = current_schema() AND prokind = 'f' AND NOT EXISTS (
    SELECT FROM pg_depend WHERE classid = 'pg_proc'::regclass AND deptype = 'e' AND objid = pg_proc.oid)
  ORDER BY proname`;

type Kind = "TABLE" | "FUNCTION";

function dropStatement(kind: Kind, found: readonly Named[], cascade: boolean): string {
  if (found.length === 0) return "";
  return `DROP ${kind} ${found.map(({ quoted }) => quoted).join(", ")}${cascade ? " CASCADE" : ""};\n`;
}

function createdByMigrations(kind: Kind): string[] {
  const create = new RegExp(`^CREATE (?:UNLOGGED )?${kind} (\\w+)`, "gm");
  return migrationsFor("postgres").flatMap(({ sql }) =>
    [...sql.matchAll(create)].map(([, name]) => name ?? ""),
  );
}

/** The migrations that a backup has, oldest first. */
async function appliedIn(backup: string, tables: ReadonlySet<string>): Promise<AppliedMigration[]> {
  if (!hasHistory([...tables].map((table) => table.replace(/.* /, ""))))
    throw new DatabaseUnusable(`${backup} is not a database of the shop`);
  const history = ["--data-only", "--table=schema_migrations", "--file=-"];
  const sql = await run("pg_restore", [...history, backup]);
  return [...sql.matchAll(/^(\d+)\t(\w+)$/gm)]
    .map(([, version, checksum = ""]) => ({ version: Number(version), checksum }))
    .sort((one, other) => one.version - other.version);
}

/** The tables in the list of a backup's contents, each as schema, space and name. */
function tablesIn(contents: string): Set<string> {
  const entries = contents.matchAll(/^\d+; \d+ \d+ TABLE (\S+ \S+) \S+$/gm);
  return new Set([...entries].map(([, name]) => name ?? ""));
}

function functionsIn(contents: string): string[] {
  const entries = contents.matchAll(/^\d+; \d+ \d+ FUNCTION \S+ (\w+)\(/gm);
  return [...entries].map(([, name]) => name ?? "");
}

/**
 * `COMMIT` is sent only after `pg_restore` has succeeded, so an incomplete restore is never committed,
 * even if this process is killed.
 */
async function replay(url: string, from: string, before: string): Promise<void> {
  const { address, password } = splitPassword(url);
  const options = ["--no-psqlrc", "--quiet", "--set=ON_ERROR_STOP=1", "--file=-"];
  const reader = start("pg_restore", ["--no-owner", "--file=-", from]);
  const writer = start("psql", [`--dbname=${address}`, ...options], password);
  writer.stdin.on("error", () => {});
  writer.stdin.write(`BEGIN;\n${before}`);
  // If one program ends early, the pipe of the other breaks; the output of the first has the reason.
  await pipeline(reader.stdout, writer.stdin, { end: false }).catch(() => {});
  const read = await reader.ended;
  writer.stdin.end(read.code === 0 ? "COMMIT;\n" : "");
  const written = await writer.ended;
  if (typeof read.code === "number" && read.code !== 0) throw failure("pg_restore", read.stderr);
  if (written.code !== 0) throw failure("psql", written.stderr);
  if (read.code !== 0) throw failure("pg_restore", read.stderr);
}
