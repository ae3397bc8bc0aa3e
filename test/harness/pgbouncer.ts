import { spawn } from "node:child_process";
import { once } from "node:events";
import { chownSync } from "node:fs";
import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import pg from "pg";
import { needServer } from "../../scripts/find-servers.ts";
import { freePort } from "./free-port.ts";
import { serverUser } from "./postgres.ts";
import { waitFor } from "./wait-for.ts";

/** A real PgBouncer in front of a database. */
export interface TestPgbouncer {
  /** The database's URL, through it. */
  readonly url: string;
  stop(): Promise<void>;
}

/** Starts a PgBouncer in front of the database with this URL. */
export async function startPgbouncer(
  databaseUrl: string,
  mode: "session" | "transaction",
): Promise<TestPgbouncer> {
  const program = needServer("pgbouncer");
  const { hostname, port, username, password, pathname } = new URL(databaseUrl);
  const [own, folder, owner] = [
    await freePort(),
    await mkdtemp(join(tmpdir(), "keepsats-pgbouncer-")),
    serverUser(),
  ];
  const server = [
    `host=${hostname}`,
    `port=${port || 5432}`,
    `user=${decodeURIComponent(username)}`,
  ];
  if (password !== "") server.push(`password=${decodeURIComponent(password)}`);
  const settings = [
    "[databases]",
    `* = ${server.join(" ")}`,
    "[pgbouncer]",
    "listen_addr = 127.0.0.1",
    `listen_port = ${own}`,
    "unix_socket_dir =",
    "auth_type = any",
    `pool_mode = ${mode}`,
    "default_pool_size = 40",
  ];
  const file = join(folder, "pgbouncer.ini");
  await writeFile(file, settings.join("\n"));
  if (owner !== undefined) for (const path of [folder, file]) chownSync(path, owner.uid, owner.gid);
  const child = spawn(program, [file], {
    ...owner,
    cwd: folder,
    stdio: ["ignore", "ignore", "pipe"],
  });
  let output = "";
  child.stderr.on("data", (data) => (output += data));
  const url = `postgres://keepsats@127.0.0.1:${own}${pathname}`;
  await waitFor(
    () => `PgBouncer to start; it said: ${output}`,
    () => answers(url),
  );
  return {
    url,
    async stop() {
      const ended = once(child, "exit");
      child.kill("SIGKILL");
      await ended;
      await rm(folder, { recursive: true });
    },
  };
}

async function answers(url: string): Promise<boolean> {
  const client = new pg.Client({ connectionString: url });
  client.on("error", () => {});
  try {
    await client.connect();
    await client.query("SELECT 1");
    return true;
  } catch {
    return false;
  } finally {
    await client.end().catch(() => {});
  }
}
