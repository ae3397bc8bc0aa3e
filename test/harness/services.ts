import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { chownSync } from "node:fs";
import { mkdtemp, readFile, rm, writeFile } from "node:fs/promises";
import { connect } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { needProgram, type TestProgramName } from "../../scripts/test-programs.ts";
import { freePort } from "./network.ts";
import { answersQueries, serverUser } from "./postgres.ts";
import { waitFor } from "./wait-for.ts";

/** A third-party program that serves a test, such as Redis. */
export interface Service extends AsyncDisposable {
  readonly url: string;
  /** Its output so far. */
  output(): string;
  stop(): Promise<void>;
}

interface ServiceOptions {
  readonly program: TestProgramName;
  /** Writes its files into a new folder. Returns its arguments. */
  readonly prepare: (
    folder: string,
    port: number,
  ) => readonly string[] | Promise<readonly string[]>;
  readonly urlOf: (port: number) => string;
  readonly answers: (url: string) => Promise<boolean>;
  readonly env?: (folder: string, port: number) => Readonly<Record<string, string>>;
  /** The user who runs it; by default the one who runs the tests. */
  readonly owner?: { readonly uid: number; readonly gid: number } | undefined;
}

/** Starts a program in a new folder at a free port, and waits until it answers. */
export async function startService(options: ServiceOptions): Promise<Service> {
  const { program, prepare, urlOf, answers, env, owner } = options;
  const executable = needProgram(program);
  const port = await freePort();
  const folder = await mkdtemp(join(tmpdir(), `keepsats-${program}-`));
  const args = await prepare(folder, port);
  const child: ChildProcess = spawn(executable, args, {
    ...owner,
    ...(env && { env: env(folder, port) }),
    cwd: folder,
    stdio: ["ignore", "pipe", "pipe"],
  });
  const exit = once(child, "exit");
  let output = "";
  for (const stream of [child.stdout, child.stderr]) stream?.on("data", (data) => (output += data));
  async function stop(): Promise<void> {
    child.kill("SIGKILL");
    await exit;
    await rm(folder, { recursive: true });
  }
  const url = urlOf(port);
  try {
    await waitFor(
      () => `${program} to answer; it said: ${output}`,
      () => {
        if (child.exitCode !== null) throw new Error(`${program} did not start: ${output}`);
        return answers(url);
      },
    );
  } catch (error) {
    await stop();
    throw error;
  }
  return { url, output: () => output, stop, [Symbol.asyncDispose]: stop };
}

/** Starts a temporary Redis, or uses the one in `TEST_REDIS_URL`. */
export async function startRedis(): Promise<Service> {
  const named = process.env.TEST_REDIS_URL ?? "";
  const stop = async () => {};
  if (named !== "") return { url: named, output: () => "", stop, [Symbol.asyncDispose]: stop };
  return startService({
    program: "redis",
    prepare: (folder, port) => [
      "--port",
      String(port),
      "--bind",
      "127.0.0.1",
      "--dir",
      folder,
      "--save",
      "",
      "--appendonly",
      "no",
    ],
    urlOf: (port) => `redis://127.0.0.1:${port}`,
    answers: isListening,
  });
}

function isListening(url: string): Promise<boolean> {
  return new Promise((resolve) => {
    const socket = connect(Number(new URL(url).port), "127.0.0.1");
    socket.once("connect", () => {
      socket.destroy();
      resolve(true);
    });
    socket.once("error", () => resolve(false));
  });
}

/** Starts a PgBouncer in front of the database with this URL. Returns its URL of that database. */
export function startPgbouncer(
  databaseUrl: string,
  mode: "session" | "transaction",
): Promise<Service> {
  const { hostname, port, username, password, pathname } = new URL(databaseUrl);
  const server = [
    `host=${hostname}`,
    `port=${port || 5432}`,
    `user=${decodeURIComponent(username)}`,
  ];
  if (password !== "") server.push(`password=${decodeURIComponent(password)}`);
  const owner = serverUser();
  return startService({
    program: "pgbouncer",
    owner,
    async prepare(folder, own) {
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
      if (owner !== undefined)
        for (const path of [folder, file]) chownSync(path, owner.uid, owner.gid);
      return [file];
    },
    urlOf: (own) => `postgres://keepsats@127.0.0.1:${own}${pathname}`,
    answers: answersQueries,
  });
}

const deploy = join(import.meta.dirname, "../../deploy");

/**
 * Starts a real reverse proxy with the settings of `deploy/`, in front of servers of the shop,
 * given as `host:port`; a test may change its settings.
 */
export type StartProxy = (
  servers: readonly string[],
  change?: (settings: string) => string,
) => Promise<Service>;

const common = {
  urlOf: (port: number) => `http://localhost:${port}`,
  answers: (url: string) =>
    fetch(`${url}/livez`).then(
      ({ ok }) => ok,
      () => false,
    ),
};

/** Caddy: its settings read the shop's address and the servers from the environment. */
export function startCaddy(
  servers: readonly string[],
  change: (settings: string) => string = (settings) => settings,
  env: Readonly<Record<string, string>> = {},
): Promise<Service> {
  return startService({
    ...common,
    program: "caddy",
    async prepare(folder) {
      const file = join(folder, "Caddyfile");
      const settings = change(await readFile(join(deploy, "Caddyfile"), "utf8"));
      // The port of the admin API may be in use by another Caddy on this machine.
      await writeFile(file, settings.replace(/^\{\n/m, "{\n\tadmin off\n"));
      return ["run", "--config", file, "--adapter", "caddyfile"];
    },
    env: (folder, port) => ({
      HOME: folder,
      XDG_DATA_HOME: folder,
      XDG_CONFIG_HOME: folder,
      SHOP_DOMAIN: common.urlOf(port),
      SHOP_SERVERS: servers.join(" "),
      ...env,
    }),
  });
}

/** HAProxy: the ports and the servers in its settings are replaced by those of the test. */
export const startHaproxy: StartProxy = (servers, change = (settings) => settings) =>
  startService({
    ...common,
    program: "haproxy",
    async prepare(folder, port) {
      const settings = (await readFile(join(deploy, "haproxy.cfg"), "utf8"))
        .replace(/^\tbind :80\n/m, `\tbind 127.0.0.1:${port}\n`)
        .replace(/^\tbind :443 .*\n\thttp-request redirect scheme https .*\n/m, "")
        .replace(/shop-(\d):3000/g, (_, number) => servers[Number(number) - 1] ?? "nothing");
      const file = join(folder, "haproxy.cfg");
      await writeFile(file, change(settings));
      return ["-db", "-f", file];
    },
  });
