import { type ChildProcess, execFileSync, spawn, spawnSync } from "node:child_process";
import { randomUUID } from "node:crypto";
import { once } from "node:events";
import { availableParallelism } from "node:os";
import { join } from "node:path";
import { createInterface } from "node:readline";
import { freePort } from "../test/harness/free-port.ts";
import { lenderSettings } from "../test/harness/server-process.ts";
import type { Commands } from "./commands.ts";
import type { HttpLoadResult } from "./load/http-result.ts";
import { findWrk, runWrk, type WrkLoad } from "./load/wrk.ts";
import { writeSettings } from "./settings.ts";

const root = join(import.meta.dirname, "..");
/** Pins the measured program to one core and the load to another, if `taskset` exists. */
const canPin = availableParallelism() >= 2 && spawnSync("taskset", ["-V"]).status === 0;

/** A measured program: the shop, or a bare one for the raw limit. */
export interface Program {
  readonly port: number;
  readonly pid: number;
  /** From its start to its first line of output, in seconds. */
  readonly startedWithin: number;
  stop(): Promise<void>;
}

export const MERCHANT_TOKEN = randomUUID();

function onCore(core: 0 | 1, args: readonly string[]): [string, string[]] {
  const node = process.execPath;
  return canPin ? ["taskset", ["-c", String(core), node, ...args]] : [node, [...args]];
}

async function start(
  args: readonly string[],
  env: Record<string, string>,
  port: number,
): Promise<Program> {
  const begun = performance.now();
  const [command, rest] = onCore(0, args);
  const child = spawn(command, rest, {
    cwd: root,
    env: { PATH: process.env.PATH, ...env, PORT: String(port) },
    stdio: ["ignore", "pipe", "inherit"],
  });
  const end = () => child.kill();
  process.once("exit", end);
  await firstLine(child);
  return {
    port,
    pid: child.pid ?? 0,
    startedWithin: (performance.now() - begun) / 1000,
    async stop() {
      const ended = once(child, "exit");
      process.off("exit", end);
      child.kill();
      await ended;
    },
  };
}

function firstLine(child: ChildProcess): Promise<void> {
  return new Promise((resolve, reject) => {
    child.once("exit", (code) =>
      reject(new Error(`a program of the bench ended at once (${code})`)),
    );
    child.stdout?.once("data", () => resolve());
  });
}

/** Starts the shop's server like `npm run serve`, with very high rate limits. */
export async function startOurs(env: Record<string, string>): Promise<Program> {
  const nobody = { url: "http://127.0.0.1:9", key: "bench" };
  return start(
    ["--max-semi-space-size=4", "--import", "./scripts/load-env.mjs", "apps/server/src/main.mjs"],
    {
      ...lenderSettings(nobody),
      PUBLIC_URL: "http://shop.example",
      MERCHANT_TOKEN,
      METRICS_TOKEN: MERCHANT_TOKEN,
      RATE_LIMIT_ORDERS: "1000000",
      RATE_LIMIT_SOCKETS: "1000000",
      MAX_SOCKETS_PER_ADDRESS: "1000000",
      TRUST_PROXY: "1",
      LOG_LEVEL: "warn",
      SAMPLE_CATALOGUE: "on",
      ...env,
    },
    await freePort(),
  );
}

/** Starts and stops the shop once, so that it creates its tables. */
export async function makeTables(DATABASE_URL: string): Promise<void> {
  const first = await startOurs({ DATABASE_URL });
  await first.stop();
}

/** Starts one of the bare programs in `bench/raw`. */
export async function startRaw(name: string, env: Record<string, string> = {}): Promise<Program> {
  return start([`bench/raw/${name}.ts`], env, await freePort());
}

/** Runs a load program on the other core. @returns its output, parsed as JSON */
export function runLoad<Result>(name: string, settings: object): Promise<Result> {
  return run(1, `bench/load/${name}.ts`, settings);
}

/** A load program that runs until it is stopped. */
export interface HeldLoad {
  /** Gives a command to a program that knows it. Resolves when the program answers. */
  say(command: keyof Commands): Promise<void>;
  /** Stops it. @returns the last line of its output */
  end(): Promise<string>;
}

/** Starts a load program and waits until it prints that it is ready. */
export async function holdLoad(name: string, settings: object): Promise<HeldLoad> {
  const [command, rest] = onCore(1, [`bench/load/${name}.ts`, writeSettings(settings)]);
  const child = spawn(command, rest, { cwd: root, stdio: ["pipe", "pipe", "inherit"] });
  const lines = createInterface({ input: child.stdout });
  let last = "";
  lines.on("line", (line) => {
    last = line;
  });
  const ended = once(child, "exit").then(() => {
    throw new Error(`bench/load/${name}.ts ended by itself`);
  });
  ended.catch(() => {});
  const answered = () => Promise.race([once(lines, "line"), ended]);
  await answered();
  return {
    async say(command) {
      const answer = answered();
      child.stdin.write(`${command}\n`);
      await answer;
    },
    async end() {
      child.stdin.write("end\n");
      await ended.catch(() => {});
      return last;
    },
  };
}

/**
 * Loads an HTTP server from the other core, with `wrk` where it is installed, because it takes the
 * least of the processor, or else with the generator in Node.
 *
 * @param isFree whether the load may run on all cores
 */
export async function loadHttp(load: WrkLoad, { isFree = false } = {}): Promise<HttpLoadResult> {
  const wrk = findWrk();
  if (wrk === undefined) return runLoad<HttpLoadResult>("http", load);
  return runWrk(load, [...(canPin && !isFree ? ["taskset", "-c", "1"] : []), wrk]);
}

/** Lets a program run on all cores. */
export function freeOfPins(pid: number): void {
  if (!canPin) return;
  const all = `0-${availableParallelism() - 1}`;
  execFileSync("taskset", ["-a", "-c", "-p", all, String(pid)], { stdio: "ignore" });
}

/** Runs a bare database benchmark, on the core that the shop uses in its measurement. */
export function runBare(name: string, settings: object): Promise<{ perSecond: number }> {
  return run(0, `bench/raw/${name}.ts`, settings);
}

async function run<Result>(core: 0 | 1, file: string, settings: object): Promise<Result> {
  const [command, rest] = onCore(core, [file, writeSettings(settings)]);
  const child = spawn(command, rest, { cwd: root, stdio: ["ignore", "pipe", "inherit"] });
  let last = "";
  for await (const line of createInterface({ input: child.stdout })) last = line;
  if (child.exitCode === null) await once(child, "exit");
  if (child.exitCode !== 0) throw new Error(`${file} failed`);
  return JSON.parse(last);
}

/** The memory that a process uses, in megabytes. */
export function residentMemory(pid: number): number {
  return Number(execFileSync("ps", ["-o", "rss=", "-p", String(pid)], { encoding: "utf8" })) / 1024;
}
