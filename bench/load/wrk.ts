import { execFile } from "node:child_process";
import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { promisify } from "node:util";
import { anOrder } from "@keepsats/testing";
import { findProgram } from "../../scripts/find-program.ts";
import type { HttpLoadResult } from "./http-result.ts";

/** What `wrk` sends. One connection sends one request at a time. */
export interface WrkLoad {
  readonly port: number;
  readonly connections: number;
  readonly seconds: number;
  /** `order` places orders, each with a new idempotency key; a path is requested. */
  readonly what: string;
  readonly headers?: Readonly<Record<string, string>>;
}

let runs = 0;

/** The path of `wrk`; `undefined` if it is not installed. */
export function findWrk(): string | undefined {
  return findProgram(["wrk"]);
}

/**
 * Runs `wrk`, a load generator in C. Its percentiles count a slow answer also for the requests that
 * would have been sent meanwhile.
 *
 * @param command the command that starts it, such as `taskset -c 1 /usr/bin/wrk`
 */
export async function runWrk(load: WrkLoad, command: readonly string[]): Promise<HttpLoadResult> {
  const folder = await mkdtemp(join(tmpdir(), "keepsats-bench-"));
  const script = join(folder, "load.lua");
  runs += 1;
  await writeFile(script, scriptOf(load, runs));
  const options = [
    "-t1",
    `-c${load.connections}`,
    `-d${load.seconds}s`,
    "--timeout",
    "30s",
    "-s",
    script,
  ];
  const [program = "", ...args] = [...command, ...options, `http://127.0.0.1:${load.port}`];
  const { stdout } = await promisify(execFile)(program, args);
  await rm(folder, { recursive: true });
  return JSON.parse(stdout.trim().split("\n").at(-1) ?? "");
}

/** The script of one run. Its idempotency keys are new in every run of every bench. */
function scriptOf({ what, headers = {} }: WrkLoad, run: number): string {
  const given = Object.entries(headers).map(([name, value]) => `${name}: ${value}\r\n`);
  const common = `HTTP/1.1\r\nHost: localhost\r\n${given.join("")}`;
  return what === "order"
    ? ordersScript(common, run)
    : `
local text = ${lua(`GET ${what} ${common}\r\n`)}
function request() return text end
${done}`;
}

function ordersScript(common: string, run: number): string {
  const body = JSON.stringify(anOrder());
  const length = `Content-Type: application/json\r\nContent-Length: ${body.length}\r\n`;
  const key = `Idempotency-Key: ${Date.now().toString(16)}-${run}-`;
  return `
local head = ${lua(`POST /api/orders ${common}${length}${key}`)}
local rest = ${lua(`\r\n\r\n${body}`)}
local sent = 0
function request()
  sent = sent + 1
  return head .. sent .. rest
end
${done}`;
}

/** Prints the results as {@link HttpLoadResult} in one line. */
const done = `
function done(summary, latency)
  local errors = summary.errors
  io.write(string.format(
    '\\n{"perSecond": %.1f, "p50": %.3f, "p99": %.3f, "longest": %.3f, "refused": %d}\\n',
    summary.requests / summary.duration * 1000000,
    latency:percentile(50) / 1000, latency:percentile(99) / 1000, latency.max / 1000,
    errors.status + errors.connect + errors.read + errors.write + errors.timeout))
end
`;

/** A text as Lua writes it. JSON's escapes of printable ASCII are the same. */
function lua(text: string): string {
  return JSON.stringify(text);
}
