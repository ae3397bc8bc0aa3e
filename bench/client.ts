import { randomUUID } from "node:crypto";
import { once } from "node:events";
import { connect } from "node:net";
import { parentPort, workerData } from "node:worker_threads";
import { anOrder } from "../test/harness/builders.ts";
import { percentile } from "./measure.ts";
import type { Requests } from "./programs.ts";

// One client, which sends one request after another. It posts a message after its warm-up, and its
// 99th percentile when it gets a message. It uses a socket directly, because `http.request` takes as
// long as the list of items.

/** In milliseconds. */
const WARM_UP = 200;
const { port, target, headers = {} }: Requests & { port: number } = workerData;
const lines = Object.entries(headers).map(([name, value]) => `${name}: ${value}\r\n`);
const head = `HTTP/1.1\r\nHost: localhost\r\n${lines.join("")}`;
const order = JSON.stringify(anOrder());
const socket = connect(port, "127.0.0.1").setNoDelay(true);
await once(socket, "connect");
let sent = 0;

function nextRequest(): string {
  sent += 1;
  if (target !== "order") return `GET ${target[sent % target.length]} ${head}\r\n`;
  const key = `Idempotency-Key: ${randomUUID()}\r\n`;
  const type = `Content-Type: application/json\r\nContent-Length: ${order.length}\r\n`;
  return `POST /api/orders ${head}${key}${type}\r\n${order}`;
}

/** Resolves when the answer is complete. */
function answered(): Promise<void> {
  const { promise, resolve, reject } = Promise.withResolvers<void>();
  let answer = Buffer.alloc(0);
  function onData(data: Buffer): void {
    answer = Buffer.concat([answer, data]);
    if (answer.length < lengthOf(answer)) return;
    socket.off("data", onData);
    const status = answer.toString("latin1", 9, 12);
    if (status.startsWith("2")) resolve();
    else reject(new Error(`a request of the bench was answered ${status}`));
  }
  socket.on("data", onData);
  return promise;
}

/** The length of an answer by its head; infinite until the head is complete. */
function lengthOf(answer: Buffer): number {
  const end = answer.indexOf("\r\n\r\n");
  if (end < 0) return Number.POSITIVE_INFINITY;
  const length = /\r\ncontent-length: (\d+)/i.exec(answer.toString("latin1", 0, end + 2))?.[1];
  return end + 4 + Number(length ?? 0);
}

/** @returns the durations of the requests, in milliseconds */
async function repeatUntil(isOver: () => boolean): Promise<number[]> {
  const durations: number[] = [];
  while (!isOver()) {
    const start = performance.now();
    socket.write(nextRequest());
    await answered();
    durations.push(performance.now() - start);
  }
  return durations;
}

let isOver = false;
parentPort?.once("message", () => {
  isOver = true;
});
const warmAt = performance.now() + WARM_UP;
await repeatUntil(() => performance.now() >= warmAt);
parentPort?.postMessage("warm");
parentPort?.postMessage(percentile(await repeatUntil(() => isOver), 0.99));
socket.destroy();
