import { type ChildProcess, spawn } from "node:child_process";
import { randomUUID } from "node:crypto";
import { once } from "node:events";
import { cp, readdir, readFile, rename, rm, symlink, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { migrationsFor } from "../../apps/server/src/platform/database/migrations.ts";
import { freePort } from "./network.ts";
import type { Sandbox } from "./sandbox.ts";
import { waitFor } from "./wait-for.ts";

const root = join(import.meta.dirname, "../..");
const server = join(root, "apps/server/src/main.mjs");

const running = new Set<ChildProcess>();

/** Kills the processes that tests have left running, for example after a failure. */
export async function endAll(): Promise<void> {
  const exits = [...running].map((child) => once(child, "exit"));
  for (const child of running) child.kill("SIGKILL");
  await Promise.all(exits);
}

/**
 * A program of the shop that runs as a separate process. One that is left running is killed when
 * the tests of its file have ended.
 */
export type Started = Awaited<ReturnType<typeof startProcess>>;

export interface StartOptions {
  readonly env?: Readonly<Record<string, string>>;
  /** The file for Node to run, and its arguments; by default the server. */
  readonly args?: readonly string[];
  /** Its working directory. */
  readonly cwd: string;
  readonly port?: number;
  /** A program, with its arguments, that starts Node. */
  readonly through?: readonly string[];
}

/**
 * What every program gets from the environment of the tests: where programs are, and where Node
 * keeps compiled code.
 */
export function inheritedEnvironment(): Record<string, string | undefined> {
  const { PATH, NODE_COMPILE_CACHE } = process.env;
  return NODE_COMPILE_CACHE === undefined ? { PATH } : { PATH, NODE_COMPILE_CACHE };
}

/**
 * Starts a program with exactly this environment. A server gets the sample catalogue, unless `env`
 * says otherwise.
 */
export async function startProcess(options: StartOptions) {
  const { env = {}, args = [server], cwd, through = [] } = options;
  const port = options.port ?? (await freePort());
  let output = "";
  const [program = process.execPath, ...rest] = [...through, process.execPath, ...args];
  const child = spawn(program, rest, {
    cwd,
    env: { ...inheritedEnvironment(), PORT: String(port), SAMPLE_CATALOGUE: "on", ...env },
    stdio: ["ignore", "pipe", "pipe"],
  });
  running.add(child);
  const exit = once(child, "exit").finally(() => running.delete(child));
  for (const stream of [child.stdout, child.stderr]) stream.on("data", (data) => (output += data));
  async function end(signal: NodeJS.Signals = "SIGTERM"): Promise<void> {
    child.kill(signal);
    await exit;
  }
  return {
    child,
    url: `http://localhost:${port}`,
    /** Its standard output and standard error so far. */
    output: () => output,
    /** The exit code when the process has exited; `null` when a signal has killed it. */
    ended: async (): Promise<number | null> => (await exit)[0],
    /** Sends a signal and waits until the process has exited. */
    end,
    /** Kills the process. */
    [Symbol.asyncDispose]: () => end("SIGKILL"),
  };
}

/** The environment variables with which a server calls this provider. */
export function providerSettings({
  url,
  key,
}: Pick<Sandbox, "url" | "key">): Record<string, string> {
  return { LOAN_API_URL: url, LOAN_API_KEY: key, LOAN_POPUP_URL_TEST: url };
}

/** A server of a test: its working directory, its database and its loan provider. */
interface OwnServer extends Pick<StartOptions, "cwd" | "env" | "port" | "through"> {
  readonly databaseUrl: string;
  readonly provider: Pick<Sandbox, "url" | "key">;
}

/**
 * Starts a server that takes any number of orders from one address, and waits until it is open. It
 * logs errors only.
 */
export async function startServer({
  databaseUrl,
  provider,
  env,
  ...options
}: OwnServer): Promise<Started> {
  return open(
    await startProcess({
      ...options,
      env: {
        DATABASE_URL: databaseUrl,
        ADMIN_TOKEN: randomUUID(),
        RATE_LIMIT_ORDERS: "1000000",
        LOG_LEVEL: "error",
        ...providerSettings(provider),
        ...env,
      },
    }),
  );
}

/** Waits until a program prints that it is open; kills it when it does not. */
export async function open(started: Started): Promise<Started> {
  const { child, output } = started;
  try {
    await waitFor(
      () => `a program to open; it said: ${output()}`,
      () => {
        if (!running.has(child)) throw new Error(`a program did not start: ${output()}`);
        return output().includes("is open at");
      },
    );
  } catch (error) {
    await started.end("SIGKILL");
    throw error;
  }
  return started;
}

/**
 * Runs `npm run backup` or `npm run restore` on a database. Returns its exit code and what it
 * printed.
 */
export async function runDatabaseTask(
  cwd: string,
  command: "backup" | "restore",
  databaseUrl: string,
  ...args: string[]
): Promise<{ code: number | null; said: string }> {
  const env = { DATABASE_URL: databaseUrl };
  const started = await startProcess({
    cwd,
    env,
    args: [join(root, `scripts/${command}.ts`), ...args],
  });
  return { code: await started.ended(), said: started.output().trim() };
}

const dist = join(root, "apps/server/dist");

/**
 * Writes the server of a later release with an additional migration, `next-release`.
 *
 * @param sql the migration; the same for both kinds of database
 * @returns the entry of the server
 */
export async function writeNextRelease(folder: string, sql: string): Promise<string> {
  const current = await readFile(join(dist, "server.mjs"), "utf8");
  const [, build = ""] = /"\.\/(.+)\/server\.mjs"/.exec(current) ?? [];
  await cp(join(dist, build), join(folder, "next"), { recursive: true });
  for (const kind of ["sqlite", "postgres"] as const) {
    const number = String(migrationsFor(kind).length + 1).padStart(3, "0");
    await writeFile(join(folder, `next/migrations/${number}-next-release.${kind}.sql`), sql);
  }
  await symlink(join(root, "node_modules"), join(folder, "node_modules"));
  const entry = join(folder, "next.mjs");
  await writeFile(
    entry,
    `import { run } from "./next/server.mjs";\nawait run(${JSON.stringify(root)});\n`,
  );
  return entry;
}

/** The folder of the web app's build that the tests serve. */
export const thisBuild = join(root, "apps/storefront/dist");

/**
 * Writes a build that works like this one but has other names for all its assets, like the build of
 * another release.
 *
 * @param to a folder that does not exist yet
 */
export async function writeOtherBuild(to: string): Promise<void> {
  await cp(thisBuild, to, { recursive: true });
  const assets = join(to, "assets");
  const names = (await readdir(assets)).filter((name) => !/\.(?:br|gz)$/.test(name));
  async function renameReferences(path: string): Promise<void> {
    let text = await readFile(path, "utf8");
    for (const name of names) text = text.replaceAll(name, `other-${name}`);
    await writeFile(path, text);
  }
  await renameReferences(join(to, "index.html"));
  for (const name of await readdir(assets)) {
    const path = join(assets, name);
    if (!names.includes(name)) await rm(path);
    else {
      if (/\.(?:js|css)$/.test(name)) await renameReferences(path);
      await rename(path, join(assets, `other-${name}`));
    }
  }
}
