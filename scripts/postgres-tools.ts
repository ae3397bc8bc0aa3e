import { execFileSync, spawn } from "node:child_process";
import { existsSync, rmSync } from "node:fs";
import { dirname } from "node:path";
import type { Readable, Writable } from "node:stream";
import pg from "pg";
import { finishBackup } from "../apps/server/src/db/backup-checksum.ts";
import { DatabaseUnusable } from "../apps/server/src/db/database.ts";
import { APPLICATION_NAME } from "../apps/server/src/db/postgres-pool.ts";
import { makePrivateFolder } from "../apps/server/src/db/private-files.ts";
import { findPostgres } from "./find-servers.ts";

/**
 * Writes a consistent copy of a PostgreSQL database with `pg_dump`, and reads the copy's table of
 * contents to check it.
 */
export function backUpPostgres(url: string, to: string): void {
  if (existsSync(to)) throw new DatabaseUnusable(`${to} exists already and is not overwritten`);
  const part = `${to}.part`;
  makePrivateFolder(dirname(to));
  try {
    const plain = ["--no-owner", "--no-privileges", "--no-unlogged-table-data"];
    const { address, password } = split(url);
    run(
      "pg_dump",
      [`--dbname=${address}`, "--format=custom", ...plain, `--file=${part}`],
      password,
    );
    run("pg_restore", ["--list", part]);
  } catch (error) {
    rmSync(part, { force: true });
    throw error;
  }
  finishBackup(part, to);
}

/**
 * Refuses to go on while servers of the shop are connected, because they would write to the
 * database that is being replaced.
 *
 * @throws {DatabaseUnusable} if any are connected
 */
export async function refuseWhileServersRun(url: string): Promise<void> {
  const [found] = await ask<{ connections: number }>(
    url,
    `SELECT count(*)::int AS connections FROM pg_stat_activity
      WHERE datname = current_database() AND application_name = '${APPLICATION_NAME}' AND pid <> pg_backend_pid()`,
  );
  const connections = found?.connections ?? 0;
  if (connections === 0) return;
  throw new DatabaseUnusable(
    `servers of the shop have ${connections} connections to this database: stop them first; --while-running goes on all the same, such as where a pooler keeps connections of stopped servers`,
  );
}

/** Runs a query with `psql`. @returns the rows */
export async function ask<Row extends object>(url: string, query: string): Promise<Row[]> {
  const client = new pg.Client({ connectionString: url });
  await client.connect();
  try {
    return (await client.query<Row>(query)).rows;
  } finally {
    await client.end();
  }
}

type Program = "pg_dump" | "pg_restore" | "psql";

/** A running program. `ended` has its exit code (`null` after a signal) and its error output. */
interface Running {
  readonly stdin: Writable;
  readonly stdout: Readable;
  readonly ended: Promise<{ readonly code: number | null; readonly said: string }>;
}

/** Starts a PostgreSQL program. `ended` rejects if it is not installed. */
export function start(program: Program, args: readonly string[], password = ""): Running {
  const child = spawn(findPostgres(program) ?? program, args, {
    stdio: ["pipe", "pipe", "pipe"],
    env: environment(password),
  });
  let said = "";
  child.stderr.setEncoding("utf8").on("data", (text: string) => {
    said = (said + text).slice(-10_000);
  });
  const ended = new Promise<{ code: number | null; said: string }>((resolve, reject) => {
    child.once("error", (error) => reject(notRun(program, error)));
    child.once("close", (code) => resolve({ code, said }));
  });
  // Prevents an unhandled rejection; the caller awaits `ended` later.
  ended.catch(() => {});
  return { stdin: child.stdin, stdout: child.stdout, ended };
}

/**
 * Runs a PostgreSQL program. @returns its output
 *
 * @throws {DatabaseUnusable} if it is not installed or fails
 */
export function run(program: Program, args: readonly string[], password = ""): string {
  try {
    return execFileSync(findPostgres(program) ?? program, args, {
      stdio: ["ignore", "pipe", "pipe"],
      encoding: "utf8",
      maxBuffer: MOST_SAID,
      env: environment(password),
    });
  } catch (error) {
    throw notRun(program, error);
  }
}

/** Passes the password in the environment, where other users cannot see it. */
function environment(password: string): NodeJS.ProcessEnv {
  return { ...process.env, ...(password === "" ? {} : { PGPASSWORD: password }) };
}

function notRun(program: Program, error: unknown): unknown {
  if (!(error instanceof Error)) return error;
  if ("code" in error && error.code === "ENOENT")
    return new DatabaseUnusable(
      `${program} is needed for this: install PostgreSQL's client programs`,
    );
  return failure(program, "stderr" in error ? String(error.stderr) : "");
}

/**
 * The message for a failed program: the line of its output that names the error, or the last line.
 */
export function failure(program: Program, said: string): DatabaseUnusable {
  const lines = said.trim().split("\n");
  const line = lines.find((line) => /\bERROR:|\berror:/.test(line)) ?? lines.at(-1) ?? "";
  return new DatabaseUnusable(`${program} failed${line === "" ? "" : `: ${line}`}`);
}

/** The limit of a program's output, in bytes: the table of contents of a copy has about 10 KB. */
const MOST_SAID = 16 << 20;

/**
 * Removes the password from a database URL, because other users can see the arguments of programs.
 */
export function split(url: string): { address: string; password: string } {
  const address = new URL(url);
  const password = decodeURIComponent(address.password);
  address.password = "";
  return { address: address.href, password };
}
