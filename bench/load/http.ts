import { randomUUID } from "node:crypto";
import { once } from "node:events";
import { connect } from "node:net";
import { setTimeout as pause } from "node:timers/promises";
import { anOrder } from "@keepsats/testing";
import { percentile } from "../measure.ts";
import { readSettings } from "../settings.ts";
import type { HttpLoadResult } from "./http-result.ts";

/** The settings of this load, as JSON on the command line. */
export interface HttpLoad {
  readonly port: number;
  readonly connections: number;
  readonly seconds: number;
  /**
   * Runs until it is told to end by any input, instead of for some seconds; prints "ready" after
   * the warm-up.
   */
  readonly hold?: boolean;
  /** The warm-up before the measurement, in seconds. */
  readonly warmUp?: number;
  /**
   * `order` places orders, each with a new idempotency key; a path is requested repeatedly, several
   * paths in turn.
   */
  readonly what: string | readonly string[];
  /** The source address. */
  readonly from?: string;
  readonly headers?: Readonly<Record<string, string>>;
}

const load = readSettings<HttpLoad>();
const extra = Object.entries(load.headers ?? {})
  .map(([name, value]) => `${name}: ${value}\r\n`)
  .join("");
const orderBody = JSON.stringify(anOrder());
const fetches = [load.what]
  .flat()
  .map((path) => Buffer.from(`GET ${path} HTTP/1.1\r\nHost: localhost\r\n${extra}\r\n`));
let sent = 0;

function nextRequest(): Buffer | string {
  sent += 1;
  if (load.what !== "order") return fetches[sent % fetches.length] ?? "";
  return `POST /api/orders HTTP/1.1\r\nHost: localhost\r\n${extra}Content-Type: application/json\r\nIdempotency-Key: ${randomUUID()}\r\nContent-Length: ${orderBody.length}\r\n\r\n${orderBody}`;
}

const begins = performance.now() + (load.warmUp ?? 1) * 1000;
let ends = load.hold === true ? Infinity : begins + load.seconds * 1000;
const took: number[] = [];
let refused = 0;
/** Whether all answers have the same length, because one path is requested. */
const isFixed = load.what !== "order" && fetches.length === 1;
let expected = 0;
/** The position of the status's first digit, and its value for success. */
const STATUS = 9;
const OK = "2".charCodeAt(0);

/**
 * The length of a complete answer, from its beginning; `undefined` until its headers are complete.
 */
function lengthOf(start: Buffer): number | undefined {
  const end = start.indexOf("\r\n\r\n");
  if (end < 0) return undefined;
  const length = /\r\ncontent-length: (\d+)/i.exec(start.toString("latin1", 0, end + 2))?.[1];
  return end + 4 + Number(length ?? 0);
}

/**
 * One connection that sends a request, waits for the complete answer, and repeats, with as little
 * overhead as possible.
 */
function client(): Promise<void> {
  return new Promise((resolve, reject) => {
    const socket = connect({
      port: load.port,
      host: "127.0.0.1",
      ...(load.from === undefined ? {} : { localAddress: load.from }),
    });
    socket.setNoDelay(true);
    let asked = 0;
    let missing = 0;
    let start: Buffer | undefined;

    function ask(): void {
      asked = performance.now();
      if (asked >= ends) {
        socket.destroy();
        return resolve();
      }
      start = undefined;
      socket.write(nextRequest());
    }

    function onData(data: Buffer): void {
      if (start === undefined || missing < 0) {
        start = start === undefined ? data : Buffer.concat([start, data]);
        const length = isFixed && expected > 0 ? expected : lengthOf(start);
        if (length === undefined) {
          missing = -1;
          return;
        }
        expected = length;
        missing = length - start.length;
      } else missing -= data.length;
      if (missing > 0) return;
      const now = performance.now();
      // The last request counts too, however long it takes: it may have met what all others did
      // not.
      if (asked >= begins) {
        took.push(now - asked);
        if (start[STATUS] !== OK) refused += 1;
      }
      ask();
    }

    socket.on("connect", ask);
    socket.on("error", reject);
    socket.on("data", onData);
  });
}

const clients = Promise.all(Array.from({ length: load.connections }, client));
if (load.hold === true) {
  await pause(begins - performance.now());
  console.log("ready");
  await once(process.stdin, "data");
  ends = performance.now();
}
await clients;
const result: HttpLoadResult = {
  perSecond: (took.length / (ends - begins)) * 1000,
  p50: percentile(took, 0.5),
  p99: percentile(took, 0.99),
  longest: percentile(took, 1),
  refused,
};
console.log(JSON.stringify(result));
process.exit();
