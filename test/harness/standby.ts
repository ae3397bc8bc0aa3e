import { execFileSync } from "node:child_process";
import { chownSync } from "node:fs";
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { needServer } from "../../scripts/find-servers.ts";
import { freePort } from "./free-port.ts";
import { query, serverUser } from "./postgres.ts";

/** A PostgreSQL standby with streaming replication. */
export interface Standby {
  /** The URL of the database with the name of the primary's. */
  readonly url: string;
  promote(): Promise<void>;
  stop(): Promise<void>;
}

/** Runs a PostgreSQL program as a user other than root, which PostgreSQL refuses. */
function run(program: string, ...args: string[]): void {
  execFileSync(needServer("postgres", program), args, {
    ...serverUser(),
    cwd: tmpdir(),
    stdio: "ignore",
  });
}

/**
 * Starts a synchronous standby: from then on each commit of the primary waits until the standby has
 * written it to disk.
 */
export async function startStandby(primary: string): Promise<Standby> {
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
  return {
    url: url.href,
    async promote() {
      await query(url.href, "ALTER SYSTEM RESET synchronous_standby_names");
      await query(url.href, "SELECT pg_promote()");
    },
    async stop() {
      run("pg_ctl", "stop", `--pgdata=${data}`, "--mode=fast");
      await rm(folder, { recursive: true });
    },
  };
}

/** Kills a PostgreSQL server, as if its machine crashed. */
export async function crash(url: string): Promise<void> {
  const [setting] = await query(url, "SHOW data_directory");
  run("pg_ctl", "stop", `--pgdata=${setting?.data_directory}`, "--mode=immediate");
}
