import { execFileSync } from "node:child_process";
import { existsSync, mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import pg from "pg";
import { DatabaseUnusable, notEmpty } from "../apps/server/src/db/database.ts";
import { giveName } from "../apps/server/src/db/durable-file.ts";
import { APPLICATION_NAME } from "../apps/server/src/db/postgres-pool.ts";
import { makePrivateFolder } from "../apps/server/src/db/private-files.ts";
import { findPostgres } from "./find-servers.ts";

/** Writes a copy of a PostgreSQL database, as it is at one moment, with PostgreSQL's own `pg_dump`, and has its contents read once. */
export function backUpPostgres(url: string, to: string): void {
  if (existsSync(to)) throw new DatabaseUnusable(`${to} is there already, and is left as it is`);
  const part = `${to}.part`;
  makePrivateFolder(dirname(to));
  try {
    const plain = ["--no-owner", "--no-privileges", "--no-unlogged-table-data"];
    const { address, password } = split(url);
    run("pg_dump", [`--dbname=${address}`, "--format=custom", ...plain, `--file=${part}`], password);
    run("pg_restore", ["--list", part]);
  } catch (error) {
    rmSync(part, { force: true });
    throw error;
  }
  giveName(part, to);
}

/**
 * Brings a PostgreSQL database back to what a copy holds and nothing else, in one transaction. The copy is written as SQL
 * into the temporary folder first.
 *
 * @throws {DatabaseUnusable} when the database has tables already and `force` is not given
 */
export async function restorePostgres(url: string, from: string, force: boolean): Promise<void> {
  if (!force && (await hasTables(url))) throw notEmpty();
  const { address, password } = split(url);
  const folder = mkdtempSync(join(tmpdir(), "keepsats-"));
  try {
    const script = join(folder, "restore.sql");
    run("pg_restore", ["--no-owner", `--file=${script}`, from]);
    const inOne = ["--no-psqlrc", "--quiet", "--single-transaction", "--set=ON_ERROR_STOP=1"];
    const work = [`--command=${DROP_ALL}`, `--file=${script}`];
    run("psql", [`--dbname=${address}`, ...inOne, ...work], password);
  } finally {
    rmSync(folder, { recursive: true });
  }
}

/** Drops every table, also those that a later version has added and the copy does not know. */
const DROP_ALL = `DO $$ DECLARE name text; BEGIN
  FOR name IN SELECT tablename FROM pg_tables WHERE schemaname = current_schema() LOOP
    EXECUTE format('DROP TABLE %I CASCADE', name);
  END LOOP;
END $$`;

/**
 * Refuses to go on while servers of the shop are connected: they would sell on from what is being replaced.
 *
 * @throws {DatabaseUnusable} when there are any
 */
export async function refuseWhileServersRun(url: string): Promise<void> {
  const connections = await ask(
    url,
    `SELECT count(*)::int AS found FROM pg_stat_activity
      WHERE datname = current_database() AND application_name = '${APPLICATION_NAME}' AND pid <> pg_backend_pid()`,
  );
  if (connections === 0) return;
  throw new DatabaseUnusable(
    `servers of the shop have ${connections} connections to this database: stop them first; --while-running goes on all the same, such as where a pooler keeps connections of stopped servers`,
  );
}

async function hasTables(url: string): Promise<boolean> {
  const tables = "SELECT count(*)::int AS found FROM pg_tables WHERE schemaname = current_schema()";
  return (await ask(url, tables)) > 0;
}

/** @returns the number that a query finds */
async function ask(url: string, query: string): Promise<number> {
  const client = new pg.Client({ connectionString: url });
  await client.connect();
  try {
    const { rows } = await client.query<{ found: number }>(query);
    return rows[0]?.found ?? 0;
  } finally {
    await client.end();
  }
}

/** Runs one of PostgreSQL's programs. The password goes by the environment, where others do not see it. */
function run(program: "pg_dump" | "pg_restore" | "psql", args: readonly string[], password = ""): void {
  try {
    execFileSync(findPostgres(program) ?? program, args, {
      stdio: ["ignore", "ignore", "pipe"],
      encoding: "utf8",
      env: { ...process.env, ...(password === "" ? {} : { PGPASSWORD: password }) },
    });
  } catch (error) {
    if (!(error instanceof Error)) throw error;
    if ("code" in error && error.code === "ENOENT")
      throw new DatabaseUnusable(`${program} is needed for this: install PostgreSQL's client programs`);
    const said = "stderr" in error ? String(error.stderr).trim() : "";
    throw new DatabaseUnusable(`${program} failed${said === "" ? "" : `: ${said.split("\n").at(-1)}`}`);
  }
}

function split(url: string): { address: string; password: string } {
  const address = new URL(url);
  const password = decodeURIComponent(address.password);
  address.password = "";
  return { address: address.href, password };
}
