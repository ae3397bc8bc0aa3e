import { execFileSync } from "node:child_process";
import { chownSync } from "node:fs";
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, test } from "vitest";
import { needProgram } from "../../scripts/test-programs.ts";
import { expectNothingLost, startLoad } from "../harness/load.ts";
import { freePort, startFaultProxy } from "../harness/network.ts";
import { query, serverUser, startPostgres } from "../harness/postgres.ts";
import { startSandbox } from "../harness/sandbox.ts";
import { runDatabaseTask, startServer } from "../harness/server-process.ts";
import { waitFor } from "../harness/wait-for.ts";

test("when a standby takes over under load, the servers recover and no acknowledged order is lost", async () => {
  await using postgres = await startPostgres();
  const primary = await postgres.newDatabase();
  await using standby = await startStandby(primary);
  await using sandbox = await startSandbox();
  const { folder } = sandbox;
  // The address that moves from one PostgreSQL to the other.
  await using address = await startFaultProxy(primary);
  const databaseUrl = address.url;
  const servers = [
    await startServer({ cwd: folder, databaseUrl, provider: sandbox }),
    await startServer({ cwd: folder, databaseUrl, provider: sandbox }),
  ];
  await using load = startLoad(() => servers.map(({ url }) => url));
  await waitFor("orders", () => load.acknowledged.size > 200);
  const backup = join(folder, "of-standby.pgdump");
  expect(await runDatabaseTask(folder, "backup", standby.url, "--to", backup)).toMatchObject({
    code: 0,
  });
  await crash(primary);
  const before = load.acknowledged.size;
  await standby.promote();
  address.target.port = new URL(standby.url).port;
  await waitFor("orders on the standby", () => load.acknowledged.size > before + 200);
  await load.stop();
  await expectNothingLost((sql) => query(standby.url, sql), load.acknowledged);
  expect([...load.refusals].filter((refusal) => refusal !== "503 unavailable")).toEqual([]);
  await Promise.all(servers.map((server) => server.end()));
});

/** A PostgreSQL standby with streaming replication. */
interface Standby extends AsyncDisposable {
  /** The URL of the database with the name of the primary's. */
  readonly url: string;
  promote(): Promise<void>;
  stop(): Promise<void>;
}

/** Runs a PostgreSQL program as a user other than root, which PostgreSQL refuses. */
function run(program: string, ...args: string[]): void {
  execFileSync(needProgram("postgres", program), args, {
    ...serverUser(),
    cwd: tmpdir(),
    stdio: "ignore",
  });
}

/**
 * Starts a synchronous standby: from then on each commit of the primary waits until the standby has
 * written it to disk.
 */
async function startStandby(primary: string): Promise<Standby> {
  const folder = await mkdtemp(join(tmpdir(), "keepsats-standby-"));
  const user = serverUser();
  if (user !== undefined) chownSync(folder, user.uid, user.gid);
  const data = join(folder, "data");
  run(
    "pg_basebackup",
    `--dbname=${primary}`,
    `--pgdata=${data}`,
    "--write-recovery-conf",
    "--checkpoint=fast",
  );
  const port = await freePort();
  const [most] = await query(primary, "SHOW max_connections");
  const options = `-p ${port} -k ${folder} -h 127.0.0.1 -c max_connections=${most?.max_connections}`;
  run(
    "pg_ctl",
    "start",
    "--wait",
    `--pgdata=${data}`,
    `--log=${join(folder, "log")}`,
    `--options=${options}`,
  );
  await query(primary, "ALTER SYSTEM SET synchronous_standby_names = '*'");
  await query(primary, "SELECT pg_reload_conf()");
  const url = new URL(primary);
  url.port = String(port);
  async function stop(): Promise<void> {
    run("pg_ctl", "stop", `--pgdata=${data}`, "--mode=fast");
    await rm(folder, { recursive: true });
  }
  return {
    url: url.href,
    async promote() {
      await query(url.href, "ALTER SYSTEM RESET synchronous_standby_names");
      await query(url.href, "SELECT pg_promote()");
    },
    stop,
    [Symbol.asyncDispose]: stop,
  };
}

/** Kills a PostgreSQL server, as if its machine crashed. */
async function crash(url: string): Promise<void> {
  const [setting] = await query(url, "SHOW data_directory");
  run("pg_ctl", "stop", `--pgdata=${setting?.data_directory}`, "--mode=immediate");
}
