import { execFileSync } from "node:child_process";
import { randomUUID } from "node:crypto";
import { chownSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import pg from "pg";
import { needProgram, ProgramMissing } from "../../scripts/test-programs.ts";
import { startService } from "./service.ts";

/** A PostgreSQL server for tests. */
export type TestPostgres = Awaited<ReturnType<typeof startPostgres>>;

/** Starts a temporary server. Its `url` is that of a database whose user may create databases. */
export async function startPostgres({ durable = false } = {}) {
  const initdb = needProgram("postgres", "initdb");
  const owner = serverUser();
  const service = await startService({
    program: "postgres",
    owner,
    prepare(folder, port) {
      if (owner !== undefined) chownSync(folder, owner.uid, owner.gid);
      const data = join(folder, "data");
      initialise(initdb, data, owner);
      const settings = [
        `fsync=${durable ? "on" : "off"}`,
        "max_connections=300",
        "shared_buffers=256MB",
        "listen_addresses=127.0.0.1",
        `unix_socket_directories=${folder}`,
        `port=${port}`,
      ];
      return ["-D", data, ...settings.flatMap((setting) => ["-c", setting])];
    },
    urlOf: (port) => `postgres://keepsats@127.0.0.1:${port}/postgres`,
    answers: answersQueries,
  });
  return { ...service, newDatabase: () => newDatabase(service.url) };
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
