import { execFile } from "node:child_process";
import { randomUUID } from "node:crypto";
import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { promisify } from "node:util";
import { paths } from "@keepsats/protocol";
import { anOrder } from "../test/harness/builders.ts";
import { unlessShort } from "./measure.ts";
import type { Program } from "./programs.ts";

const SECONDS = unlessShort(4);

/**
 * Runs `wrk`, a load generator in C that takes little processor time. Each connection sends one
 * request at a time. The percentile, in milliseconds, counts a slow answer also for the requests that
 * it delayed.
 *
 * @param target a path, or `order` to place orders, each with a new idempotency key
 * @throws if a request failed
 */
export async function wrk(
  { url }: Pick<Program, "url">,
  connections: number,
  target: string,
): Promise<{ perSecond: number; p99: number }> {
  const folder = await mkdtemp(join(tmpdir(), "keepsats-bench-"));
  const script = join(folder, "load.lua");
  await writeFile(script, target === "order" ? placingOrders() + done : done);
  const { stdout } = await promisify(execFile)("wrk", [
    "-t1",
    `-c${connections}`,
    `-d${SECONDS}s`,
    "--timeout",
    "30s",
    "-s",
    script,
    "-H",
    "Accept-Encoding: br",
    url + (target === "order" ? paths.orders : target),
  ]);
  await rm(folder, { recursive: true });
  const { failed, ...result } = JSON.parse(stdout.trim().split("\n").at(-1) ?? "");
  if (failed > 0) throw new Error(`${failed} requests (${target}) failed`);
  return result;
}

/** A script whose idempotency keys are new in every run. */
function placingOrders(): string {
  const body = JSON.stringify(anOrder());
  const head = [
    `POST ${paths.orders} HTTP/1.1`,
    "Host: localhost",
    "Content-Type: application/json",
    `Content-Length: ${body.length}`,
    `Idempotency-Key: ${randomUUID()}-`,
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

/** Prints the rate, the 99th percentile in milliseconds and the failed requests in one line. */
const done = `
function done(summary, latency)
  local errors = summary.errors
  io.write(string.format(
    '\\n{"perSecond": %.1f, "p99": %.3f, "failed": %d}\\n',
    summary.requests / summary.duration * 1000000, latency:percentile(99) / 1000,
    errors.status + errors.connect + errors.read + errors.write + errors.timeout))
end
`;
