import { execFile } from "node:child_process";
import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { promisify } from "node:util";
import { paths } from "@keepsats/protocol";
import { anOrder } from "@keepsats/testing";

/** Requests to repeat on each connection, one at a time. */
interface Load {
  readonly port: number;
  readonly connections: number;
  readonly seconds: number;
  /** `order` places orders, each with a new idempotency key; a path is requested. */
  readonly what: string;
}

interface LoadResult {
  readonly perSecond: number;
  /** In milliseconds. */
  readonly p99: number;
}

let runs = 0;

/**
 * Runs `wrk`, a load generator in C that takes little of the processor. Its percentiles count a
 * slow answer also for the requests that would have been sent during it.
 *
 * @throws if a request failed
 */
export async function wrk({ port, connections, seconds, what }: Load): Promise<LoadResult> {
  const folder = await mkdtemp(join(tmpdir(), "keepsats-bench-"));
  const script = join(folder, "load.lua");
  runs += 1;
  await writeFile(script, what === "order" ? placingOrders(runs) + done : done);
  const { stdout } = await promisify(execFile)("wrk", [
    ...["-t1", `-c${connections}`, `-d${seconds}s`, "--timeout", "30s", "-s", script],
    ...["-H", "Accept-Encoding: br"],
    `http://127.0.0.1:${port}${what === "order" ? paths.orders : what}`,
  ]);
  await rm(folder, { recursive: true });
  const { failed, ...result } = JSON.parse(stdout.trim().split("\n").at(-1) ?? "");
  if (failed > 0) throw new Error(`${failed} requests (${what}) failed`);
  return result;
}

/** A script whose idempotency keys are new in every run of every bench. */
function placingOrders(run: number): string {
  const body = JSON.stringify(anOrder());
  const head = [
    `POST ${paths.orders} HTTP/1.1`,
    "Host: localhost",
    "Content-Type: application/json",
    `Content-Length: ${body.length}`,
    `Idempotency-Key: ${Date.now().toString(16)}-${run}-`,
  ];
  // JSON's escapes of printable ASCII are those of Lua.
  return `
local head = ${JSON.stringify(head.join("\r\n"))}
local rest = ${JSON.stringify(`\r\n\r\n${body}`)}
local sent = 0
function request()
  sent = sent + 1
  return head .. sent .. rest
end
`;
}

/** Prints a {@link LoadResult} and the number of failed requests in one line. */
const done = `
function done(summary, latency)
  local errors = summary.errors
  io.write(string.format(
    '\\n{"perSecond": %.1f, "p99": %.3f, "failed": %d}\\n',
    summary.requests / summary.duration * 1000000, latency:percentile(99) / 1000,
    errors.status + errors.connect + errors.read + errors.write + errors.timeout))
end
`;
