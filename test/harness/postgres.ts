import { type ChildProcess, execFileSync, spawn } from "node:child_process";
import { randomUUID } from "node:crypto";
import { once } from "node:events";
import { chownSync } from "node:fs";
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import pg from "pg";
import { needProgram, ProgramMissing } from "../../scripts/test-programs.ts";
import { freePort } from "./network.ts";
import { waitFor } from "./wait-for.ts";

/** A PostgreSQL server for tests: the one in `TEST_DATABASE_URL`, or a temporary one. */
export interface TestPostgres extends AsyncDisposable {
  /** The URL of a database whose user may create databases. */
  readonly url: string;
  /** Creates an empty database. Returns its URL. */
  newDatabase(): Promise<string>;
  /** Restarts the server; all connections break at once, as in a crash. */
  restart(): Promise<void>;
  stop(): Promise<void>;
}

/** Starts a temporary server, or uses the one in `TEST_DATABASE_URL`. */
export async function startPostgres({ durable = false } = {}): Promise<TestPostgres> {
  const named = process.env.TEST_DATABASE_URL ?? "";
  return named === "" ? startOwn(durable) : useNamed(named);
}

function useNamed(url: string): TestPostgres {
  const made: string[] = [];
  async function stop(): Promise<void> {
    for (const database of made) {
      await query(
        url,
        `DROP DATABASE IF EXISTS "${new URL(database).pathname.slice(1)}" WITH (FORCE)`,
      );
    }
  }
  return {
    url,
    newDatabase: async () => {
      const database = await newDatabase(url);
      made.push(database);
      return database;
    },
    async restart() {
      await query(
        url,
        "SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE pid <> pg_backend_pid() AND datname LIKE 'keepsats_test_%'",
      );
    },
    stop,
    [Symbol.asyncDispose]: stop,
  };
}

async function startOwn(durable: boolean): Promise<TestPostgres> {
  const [program, initdb] = [needProgram("postgres"), needProgram("postgres", "initdb")];
  const owner = serverUser();
  const folder = await mkdtemp(join(tmpdir(), "keepsats-pg-"));
  if (owner !== undefined) chownSync(folder, owner.uid, owner.gid);
  const data = join(folder, "data");
  initialise(initdb, data, owner);
  const port = await freePort();
  const url = `postgres://keepsats@127.0.0.1:${port}/postgres`;
  const options = [
    `fsync=${durable ? "on" : "off"}`,
    "max_connections=300",
    "shared_buffers=256MB",
  ];

  let child: ChildProcess;
  async function start(): Promise<void> {
    child = spawn(
      program,
      [
        "-D",
        data,
        "-p",
        String(port),
        "-k",
        folder,
        "-h",
        "127.0.0.1",
        ...options.flatMap((o) => ["-c", o]),
      ],
      { ...owner, cwd: folder, stdio: "ignore" },
    );
    await waitFor("PostgreSQL to start", () => answersQueries(url));
  }
  async function end(signal: NodeJS.Signals): Promise<void> {
    if (child.exitCode !== null || child.signalCode !== null) return;
    const ended = once(child, "exit");
    child.kill(signal);
    await ended;
  }

  async function stop(): Promise<void> {
    await end("SIGINT");
    await rm(folder, { recursive: true });
  }

  await start();
  return {
    url,
    newDatabase: () => newDatabase(url),
    async restart() {
      await end("SIGQUIT");
      await start();
    },
    stop,
    [Symbol.asyncDispose]: stop,
  };
}

/**
 * PostgreSQL and PgBouncer refuse to run as root; if the tests do, the user `postgres` runs them.
 */
export function serverUser(): { uid: number; gid: number } | undefined {
  if (process.getuid?.() !== 0) return undefined;
  const id = (flag: string) => Number(execFileSync("id", [flag, "postgres"], { encoding: "utf8" }));
  return { uid: id("-u"), gid: id("-g") };
}

/** A locale with a language's sort order, if the system has one, because most databases use one. */
function initialise(
  initdb: string,
  data: string,
  owner: { uid: number; gid: number } | undefined,
): void {
  const common = ["-D", data, "-U", "keepsats", "-A", "trust", "-E", "UTF8", "--no-sync"];
  const run = (...more: string[]) =>
    execFileSync(initdb, [...common, ...more], { ...owner, cwd: tmpdir(), stdio: "ignore" });
  try {
    run("--locale=C.UTF-8", "--locale-provider=icu", "--icu-locale=en-US");
  } catch {
    run("--locale=C");
  }
}

/**
 * Creates a database on a server. Returns its URL.
 *
 * @param url "" if there is no PostgreSQL for this run
 * @param template the name of the database to copy; without it the database is empty
 * @throws {ProgramMissing}
 */
export async function newDatabase(url: string, template = "template1"): Promise<string> {
  if (url === "") throw new ProgramMissing("postgres");
  const name = `keepsats_test_${randomUUID().replaceAll("-", "").slice(0, 16)}`;
  await query(url, `CREATE DATABASE ${name} TEMPLATE ${template}`);
  const database = new URL(url);
  database.pathname = `/${name}`;
  return database.href;
}

export function answersQueries(url: string): Promise<boolean> {
  return query(url, "SELECT 1").then(
    () => true,
    () => false,
  );
}

/** Runs SQL outside a transaction. Returns the rows. */
export async function query(url: string, sql: string): Promise<Record<string, unknown>[]> {
  const client = new pg.Client({ connectionString: url });
  client.on("error", () => {});
  try {
    await client.connect();
    return (await client.query(sql)).rows;
  } finally {
    await client.end();
  }
}
