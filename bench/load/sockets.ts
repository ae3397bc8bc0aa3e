import { once } from "node:events";
import { connect } from "node:net";
import { WebSocket } from "ws";
import { readSettings } from "../settings.ts";

/**
 * Followers and changes, all in one process, so that one clock measures both. Given as JSON on the
 * command line.
 */
export interface SocketLoad {
  readonly port: number;
  /** The path and query of each follower's socket. */
  readonly follow: readonly string[];
  /**
   * Requests that change an order, as complete HTTP texts, each with the index of its follower; -1
   * without one.
   */
  readonly changes: readonly { readonly request: string; readonly follower: number }[];
  /** The number of changes to send per second; 0 sends all at once. */
  readonly perSecond: number;
  /**
   * One follower at a time: each connects when the previous one has received its change and
   * disconnected.
   */
  readonly inTurn?: boolean;
  /** Every follower receives every change. */
  readonly broadcast?: boolean;
  /** Prints "ready" when all followers are connected, and exits on any input. */
  readonly hold?: boolean;
}

/**
 * The times from sending a change to receiving its frame, in milliseconds, and the duration of all
 * changes in seconds.
 */
export interface SocketLoadResult {
  readonly took: readonly number[];
  readonly seconds: number;
}

const OPENED_AT_ONCE = 200;
const CONNECTIONS = 64;
const load = readSettings<SocketLoad>();
const took: number[] = [];
let onFrame: (follower: number) => void = () => {};

async function open(path: string, follower: number): Promise<void> {
  const socket = new WebSocket(`ws://127.0.0.1:${load.port}${path}`, {
    origin: "http://shop.example",
    perMessageDeflate: false,
    headers: {
      "x-forwarded-for": `10.${follower >> 16}.${(follower >> 8) & 255}.${follower & 255}`,
    },
  });
  socket.on("error", (error) => {
    throw error;
  });
  await once(socket, "message");
  socket.on("message", () => {
    onFrame(follower);
    if (load.inTurn === true) socket.close();
  });
}

/** With one follower at a time: resolves when the next change may be sent. */
let ready = Promise.resolve();
let seen = () => {};
function openNext(follower: number): Promise<void> {
  const path = load.follow[follower];
  return path === undefined ? Promise.resolve() : open(path, follower);
}

async function openAll(): Promise<void> {
  for (let first = 0; first < load.follow.length; first += OPENED_AT_ONCE) {
    const some = load.follow.slice(first, first + OPENED_AT_ONCE);
    await Promise.all(some.map((path, index) => open(path, first + index)));
  }
}

if (load.inTurn === true) ready = openNext(0);
else await openAll();
if (load.hold === true) {
  console.log("ready");
  await once(process.stdin, "data");
  process.exit();
}

/** Keep-alive connections, each used by one change at a time. */
const idle = await Promise.all(
  Array.from({ length: CONNECTIONS }, async () => {
    const socket = connect(load.port, "127.0.0.1");
    socket.setNoDelay(true);
    await once(socket, "connect");
    return socket;
  }),
);
const waiting: string[] = [];
const sentAt = new Map<number, number>();
let answered = 0;

function send(request: string): void {
  const socket = idle.pop();
  if (socket === undefined) {
    waiting.push(request);
    return;
  }
  socket.write(request);
  socket.once("data", () => {
    answered += 1;
    idle.push(socket);
    const next = waiting.shift();
    if (next !== undefined) send(next);
  });
}

const expected =
  load.broadcast === true
    ? load.follow.length * load.changes.length
    : load.changes.filter(({ follower }) => follower >= 0).length;
const begun = performance.now();
const allSeen = new Promise<void>((resolve) => {
  onFrame = (follower) => {
    const at = sentAt.get(load.broadcast === true ? 0 : follower);
    if (at === undefined) return;
    took.push(performance.now() - at);
    seen();
    if (took.length === expected) resolve();
  };
});
for (const [index, { request, follower }] of load.changes.entries()) {
  const due = begun + (load.perSecond === 0 ? 0 : (index * 1000) / load.perSecond);
  while (performance.now() < due) await new Promise(setImmediate);
  if (load.inTurn === true && follower >= 0) {
    await ready;
    ready = new Promise<void>((resolve) => {
      seen = resolve;
    }).then(() => openNext(follower + 1));
  }
  sentAt.set(load.broadcast === true ? 0 : follower, performance.now());
  send(request);
}
await allSeen;
while (answered < load.changes.length) await new Promise(setImmediate);
const result: SocketLoadResult = { took, seconds: (performance.now() - begun) / 1000 };
console.log(JSON.stringify(result));
process.exit();
