import { execFileSync, spawn, spawnSync } from "node:child_process";
import { randomUUID } from "node:crypto";
import { once } from "node:events";
import { availableParallelism } from "node:os";
import { join } from "node:path";
import { Worker } from "node:worker_threads";
import { freePort } from "../test/harness/network.ts";
import { providerSettings } from "../test/harness/server-process.ts";
import { callAdminApi } from "../test/harness/staff.ts";

const root = join(import.meta.dirname, "..");
/** Counted before this process is pinned to one of them. */
export const CORES = availableParallelism();
const canPin = CORES >= 2 && spawnSync("taskset", ["-V"]).status === 0;

/** The shop, or a bare program for the raw limit. It runs on the first core. */
export interface Program {
  readonly port: number;
  readonly url: string;
  readonly pid: number;
  stop(): Promise<void>;
}

export const ADMIN_TOKEN = randomUUID();

/** Starts the shop's server like `npm run serve`, with rate limits that no load reaches. */
export async function startShop(env: Readonly<Record<string, string>>): Promise<Program> {
  const limits = ["RATE_LIMIT_ORDERS", "RATE_LIMIT_SOCKETS", "MAX_SOCKETS_PER_ADDRESS"];
  return start(
    ["--max-semi-space-size=4", "--import", "./scripts/load-env.mjs", "apps/server/src/main.mjs"],
    {
      ...providerSettings({ url: "http://127.0.0.1:9", key: "bench" }),
      ...Object.fromEntries(limits.map((limit) => [limit, "1000000"])),
      PUBLIC_URL: "http://shop.example",
      ADMIN_TOKEN,
      TRUST_PROXY: "1",
      LOG_LEVEL: "warn",
      SAMPLE_CATALOGUE: "on",
      ...env,
    },
  );
}

/** @param name a program in `bench/raw` */
export function startRaw(name: string, env: Record<string, string> = {}): Promise<Program> {
  return start([`bench/raw/${name}.ts`], env);
}

/** The program prints a line when it listens. */
async function start(args: readonly string[], env: Record<string, string>): Promise<Program> {
  const port = await freePort();
  const pinned = canPin ? ["taskset", "-c", "0"] : [];
  const [command = "", ...rest] = [...pinned, process.execPath, ...args];
  const child = spawn(command, rest, {
    cwd: root,
    env: { PATH: process.env.PATH, ...env, PORT: String(port) },
    stdio: ["ignore", "pipe", "inherit"],
  });
  const kill = () => child.kill();
  process.once("exit", kill);
  const exit = once(child, "exit");
  const isOpen = await Promise.race([once(child.stdout, "data").then(() => true), exit]);
  if (isOpen !== true) throw new Error(`${args.at(-1)} ended at once`);
  return {
    port,
    url: `http://127.0.0.1:${port}`,
    pid: child.pid ?? 0,
    async stop() {
      process.off("exit", kill);
      kill();
      await exit;
    },
  };
}

/** Moves a running process, with all its threads, to the second core or to all of them. */
export function pin(pid: number, core: 1 | "all"): void {
  if (!canPin) return;
  const cores = core === "all" ? `0-${CORES - 1}` : String(core);
  execFileSync("taskset", ["-a", "-c", "-p", cores, String(pid)], { stdio: "ignore" });
}

export interface Requests {
  /** `order` places orders, each with a new idempotency key; paths are requested in turn. */
  readonly target: "order" | readonly string[];
  readonly headers?: Readonly<Record<string, string>>;
}

/**
 * Runs one client in a separate thread, which sends one request after another while `during` runs.
 * The last request counts too.
 *
 * @returns the 99th percentile, in milliseconds
 */
export async function oneClient(
  { port }: Program,
  requests: Requests,
  during: () => Promise<unknown>,
): Promise<{ p99: number }> {
  const file = new URL("client.ts", import.meta.url);
  const worker = new Worker(file, { workerData: { port, ...requests } });
  await once(worker, "message");
  await during();
  worker.postMessage("end");
  const [p99] = await once(worker, "message");
  return { p99 };
}

/** Calls the admin API. Throws if it refuses. */
export async function asStaff(
  { url }: Program,
  method: string,
  path: string,
  body?: object,
): Promise<object> {
  const answer = await callAdminApi({ url, token: ADMIN_TOKEN }, method, path, body);
  if (answer.status >= 300) throw new Error(`${method} ${path} was answered ${answer.status}`);
  return Object(answer.body);
}

/** In megabytes. */
export function residentMemory(pid: number): number {
  return Number(execFileSync("ps", ["-o", "rss=", "-p", String(pid)], { encoding: "utf8" })) / 1024;
}
