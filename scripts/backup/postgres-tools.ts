import { execFileSync, spawn } from "node:child_process";
import { existsSync, rmSync } from "node:fs";
import { dirname } from "node:path";
import type { Readable, Writable } from "node:stream";
import pg from "pg";
import { DatabaseUnusable } from "../../apps/server/src/platform/database/database.ts";
import { APPLICATION_NAME } from "../../apps/server/src/platform/database/postgres-pool.ts";
import { makePrivateFolder } from "../../apps/server/src/platform/database/private-files.ts";
import { findPostgres } from "../test-programs.ts";
import { finishBackup } from "./checksum.ts";

/** Writes a consistent snapshot with `pg_dump`, and reads its table of contents to check it. */
export function backUpPostgres(url: string, to: string): void {
  if (existsSync(to)) throw new DatabaseUnusable(`${to} already exists and is not overwritten`);
  const part = `${to}.part`;
  makePrivateFolder(dirname(to));
  try {
    const plain = ["--no-owner", "--no-privileges", "--no-unlogged-table-data"];
    const { address, password } = splitPassword(url);
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
    env: environment(password),
  });
  let stderr = "";
  child.stderr.setEncoding("utf8").on("data", (text: string) => {
    stderr = (stderr + text).slice(-10_000);
  });
  const ended = new Promise<Exit>((resolve, reject) => {
    child.once("error", (error) => reject(notRun(program, error)));
    child.once("close", (code) => resolve({ code, stderr }));
  });
  // Prevents an unhandled rejection; the caller awaits `ended` later.
  ended.catch(() => {});
  return { stdin: child.stdin, stdout: child.stdout, ended };
}

/**
 * @returns the output of the program
 * @throws {DatabaseUnusable} if it is not installed or fails
 */
export function run(program: Program, args: readonly string[], password = ""): string {
  try {
    return execFileSync(findPostgres(program) ?? program, args, {
      stdio: ["ignore", "pipe", "pipe"],
      encoding: "utf8",
      maxBuffer: MAX_OUTPUT,
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

/** The error for a failed program: the line of its output that names the error, or the last line. */
export function failure(program: Program, stderr: string): DatabaseUnusable {
  const lines = stderr.trim().split("\n");
  const line = lines.find((line) => /\bERROR:|\berror:/.test(line)) ?? lines.at(-1) ?? "";
  return new DatabaseUnusable(`${program} failed${line === "" ? "" : `: ${line}`}`);
}

/** In bytes; the table of contents of a backup has about 10 KB. */
const MAX_OUTPUT = 16 << 20;

/** Removes the password from a URL, because other users can see the arguments of programs. */
export function splitPassword(url: string): { address: string; password: string } {
  const address = new URL(url);
  const password = decodeURIComponent(address.password);
  address.password = "";
  return { address: address.href, password };
}
