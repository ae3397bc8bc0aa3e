import { spawn } from "node:child_process";
import { once } from "node:events";
import type { Readable, Writable } from "node:stream";
import { text } from "node:stream/consumers";
import pg from "pg";
import { DatabaseUnusable } from "../../apps/server/src/platform/database/database.ts";
import { APPLICATION_NAME } from "../../apps/server/src/platform/database/postgres-pool.ts";
import { codeOf } from "../../apps/server/src/platform/errors.ts";
import { findPostgres } from "../test-programs.ts";
import { createBackup } from "./backup-file.ts";

/** Writes a consistent snapshot with `pg_dump`, and reads its table of contents to check it. */
export async function backUpPostgres(url: string, to: string): Promise<void> {
  const { address, password } = splitPassword(url);
  const plain = ["--no-owner", "--no-privileges", "--no-unlogged-table-data"];
  await createBackup(to, async (part) => {
    const where = [`--dbname=${address}`, `--file=${part}`];
    await run("pg_dump", [...where, "--format=custom", ...plain], password);
    await run("pg_restore", ["--list", part]);
  });
}

/**
 * @throws {DatabaseUnusable} if servers of the shop are connected: they would write to the database
 *   that is being replaced
 */
export async function refuseWhileServersRun(url: string): Promise<void> {
  const [found] = await queryRows<{ connections: number }>(
    url,
    `SELECT count(*)::int AS connections FROM pg_stat_activity
      WHERE datname = current_database() AND application_name = '${APPLICATION_NAME}' AND pid <> pg_backend_pid()`,
  );
  const connections = found?.connections ?? 0;
  if (connections === 0) return;
  throw new DatabaseUnusable(
    `servers of the shop have ${connections} connections to this database: stop them first, or add --while-running if a pooler keeps the connections of stopped servers`,
  );
}

export async function queryRows<Row extends object>(url: string, query: string): Promise<Row[]> {
  const client = new pg.Client({ connectionString: url });
  await client.connect();
  try {
    return (await client.query<Row>(query)).rows;
  } finally {
    await client.end();
  }
}

type Program = "pg_dump" | "pg_restore" | "psql";

/** How a program ended: its exit code (`null` after a signal), and the end of its error output. */
interface Exit {
  readonly code: number | null;
  readonly stderr: string;
}

interface Running {
  readonly stdin: Writable;
  readonly stdout: Readable;
  readonly ended: Promise<Exit>;
}

/** Starts a PostgreSQL program. `ended` rejects if it is not installed. */
export function start(program: Program, args: readonly string[], password = ""): Running {
  const child = spawn(findPostgres(program) ?? program, args, {
    stdio: ["pipe", "pipe", "pipe"],
    // Other users cannot see the environment.
    env: { ...process.env, ...(password === "" ? {} : { PGPASSWORD: password }) },
  });
  let stderr = "";
  child.stderr.setEncoding("utf8").on("data", (part: string) => {
    stderr = (stderr + part).slice(-10_000);
  });
  const ended = once(child, "close").then(
    ([code]): Exit => ({ code, stderr }),
    (error) => {
      if (codeOf(error) !== "ENOENT") throw error;
      throw new DatabaseUnusable(
        `${program} is needed for this: install PostgreSQL's client programs`,
      );
    },
  );
  // Prevents an unhandled rejection; the caller awaits `ended` later.
  ended.catch(() => {});
  return { stdin: child.stdin, stdout: child.stdout, ended };
}

/**
 * @returns the output of the program
 * @throws {DatabaseUnusable} if it is not installed or fails
 */
export async function run(
  program: Program,
  args: readonly string[],
  password = "",
): Promise<string> {
  const { stdin, stdout, ended } = start(program, args, password);
  stdin.end();
  const [{ code, stderr }, output] = await Promise.all([ended, text(stdout)]);
  if (code !== 0) throw failure(program, stderr);
  return output;
}

/** The error for a failed program: the line of its output that names the error, or the last line. */
export function failure(program: Program, stderr: string): DatabaseUnusable {
  const lines = stderr.trim().split("\n");
  const line = lines.find((line) => /\bERROR:|\berror:/.test(line)) ?? lines.at(-1) ?? "";
  return new DatabaseUnusable(`${program} failed${line === "" ? "" : `: ${line}`}`);
}

/** Removes the password from a URL, because other users can see the arguments of programs. */
export function splitPassword(url: string): { address: string; password: string } {
  const address = new URL(url);
  const password = decodeURIComponent(address.password);
  address.password = "";
  return { address: address.href, password };
}
