import { pipeline } from "node:stream/promises";
import { DatabaseUnusable, notEmpty } from "../apps/server/src/db/database.ts";
import { migrationsFor } from "../apps/server/src/db/migrations.ts";
import { ask, failure, run, split, start } from "./postgres-tools.ts";

/** What a restore may replace. */
export interface Replaceable {
  /** The shop's tables. */
  readonly force: boolean;
  /** All other tables of the schema too, and whatever depends on one of them. */
  readonly dropOthers: boolean;
}

/** A table of the database; `quoted` is its name as SQL takes it. */
interface Table {
  readonly schema: string;
  readonly name: string;
  readonly quoted: string;
}

/**
 * Brings a PostgreSQL database back to what a copy holds, in one transaction. The SQL goes from `pg_restore` to `psql` and
 * is never on a disk.
 *
 * @throws {DatabaseUnusable} when the database has tables that may not be replaced; it is left as it is then
 */
export async function restorePostgres(url: string, from: string, may: Replaceable): Promise<void> {
  const tables = await ask<Table>(url, TABLES);
  if (!may.force && tables.length > 0) throw notEmpty();
  const [known, copied] = [tablesOfTheShop(), tablesIn(from)];
  const others = tables.filter(({ schema, name }) => !known.has(name) && !copied.has(`${schema} ${name}`));
  if (others.length > 0 && !may.dropOthers)
    throw new DatabaseUnusable(
      `the database has tables that are neither in ${from} nor known to this version: ${others.map(({ name }) => name).join(", ")}; --drop-others drops them too, such as where a newer Keepsats has made them`,
    );
  await replay(url, from, dropping(tables, may.dropOthers));
}

/** Tables of extensions come and go with those. */
const TABLES = `SELECT schemaname AS schema, tablename AS name, format('%I.%I', schemaname, tablename) AS quoted
  FROM pg_tables WHERE schemaname = current_schema() AND NOT EXISTS (
    SELECT FROM pg_depend WHERE classid = 'pg_class'::regclass AND deptype = 'e'
      AND objid = format('%I.%I', schemaname, tablename)::regclass)
  ORDER BY tablename`;

function dropping(tables: readonly Table[], cascade: boolean): string {
  if (tables.length === 0) return "";
  return `DROP TABLE ${tables.map(({ quoted }) => quoted).join(", ")}${cascade ? " CASCADE" : ""};\n`;
}

/** The names of all tables that this version, or one before it, has made. */
function tablesOfTheShop(): Set<string> {
  const made = migrationsFor("postgres").flatMap(({ sql }) => [
    ...sql.matchAll(/^CREATE (?:UNLOGGED )?TABLE (\w+)/gm),
  ]);
  return new Set(["schema_version", ...made.map(([, name]) => name ?? "")]);
}

/** The tables that a copy holds, each as its schema, a space and its name. */
function tablesIn(copy: string): Set<string> {
  const entries = run("pg_restore", ["--list", copy]).matchAll(/^\d+; \d+ \d+ TABLE (\S+ \S+) \S+$/gm);
  return new Set([...entries].map(([, name]) => name ?? ""));
}

/**
 * Has `psql` do what a copy says. The line that commits it is written once `pg_restore` has ended well, so a part is never
 * taken for the whole, also when this process is killed.
 */
async function replay(url: string, from: string, before: string): Promise<void> {
  const { address, password } = split(url);
  const options = ["--no-psqlrc", "--quiet", "--set=ON_ERROR_STOP=1", "--file=-"];
  const reader = start("pg_restore", ["--no-owner", "--file=-", from]);
  const writer = start("psql", [`--dbname=${address}`, ...options], password);
  writer.stdin.on("error", () => {});
  writer.stdin.write(`BEGIN;\n${before}`);
  // Where one of the two ends early, the other's pipe breaks; the reason is in what the first one has said.
  await pipeline(reader.stdout, writer.stdin, { end: false }).catch(() => {});
  const read = await reader.ended;
  writer.stdin.end(read.code === 0 ? "COMMIT;\n" : "");
  const written = await writer.ended;
  if (typeof read.code === "number" && read.code !== 0) throw failure("pg_restore", read.said);
  if (written.code !== 0) throw failure("psql", written.said);
  if (read.code !== 0) throw failure("pg_restore", read.said);
}
