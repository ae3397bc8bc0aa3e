import { once } from "node:events";
import { connect, createServer, type Socket } from "node:net";
import { setTimeout as pause } from "node:timers/promises";
import { type ClientOptions, WebSocket } from "ws";
import { waitFor } from "./wait-for.ts";

/**
 * Below the range of ephemeral ports, from which an outgoing connection could take a free port
 * before we listen on it, and above the last port that browsers and `fetch` block.
 */
const [LOWEST, HIGHEST] = [11_000, 30_000];
/**
 * Each test worker has a separate range of ports, so that two workers never choose the same one.
 */
const WORKERS = 16;
const PORTS = Math.floor((HIGHEST - LOWEST) / WORKERS);
const worker = Number(process.env.VITEST_POOL_ID ?? process.env.TEST_PARALLEL_INDEX ?? 0) % WORKERS;

/** Ports that were returned before; their programs may not listen yet. */
const taken = new Set<number>();

/** Finds a port on which no program listens. */
export async function freePort(): Promise<number> {
  for (;;) {
    const port = LOWEST + worker * PORTS + Math.floor(Math.random() * PORTS);
    if (taken.has(port)) continue;
    taken.add(port);
    if (await isFree(port)) return port;
  }
}

async function isFree(port: number): Promise<boolean> {
  const server = createServer().listen(port, "127.0.0.1");
  try {
    await once(server, "listening");
  } catch {
    return false;
  }
  server.close();
  await once(server, "close");
  return true;
}

/** Sends a request with a JSON body, and reads the JSON or text of the answer. */
export async function callJson(
  url: string,
  method: string,
  body?: unknown,
  headers: Readonly<Record<string, string>> = {},
): Promise<{ status: number; headers: Headers; body: unknown }> {
  const response = await fetch(url, {
    method,
    headers: { ...(body === undefined ? {} : { "content-type": "application/json" }), ...headers },
    ...(body === undefined ? {} : { body: JSON.stringify(body) }),
  });
  const text = await response.text();
  const isJson = response.headers.get("content-type")?.includes("json") === true;
  return {
    status: response.status,
    headers: response.headers,
    body: isJson ? JSON.parse(text) : text,
  };
}

/** The fault that a {@link FaultProxy} injects. */
export type Fault =
  | "none"
  /** All connections are closed, and new ones are refused. */
  | "cut"
  /** No data passes; connections stay open. */
  | "stalled"
  /** No data reaches the server; data from the server passes. */
  | "mute"
  /** Data reaches the server; when the server answers, the connection is closed instead. */
  | "unanswered"
  /** All data is delayed by half a second. */
  | "slow"
  /** Data from the server is corrupted. */
  | "garbled";

export type FaultProxy = Awaited<ReturnType<typeof startFaultProxy>>;

const LATE = 500;

/** Starts a TCP proxy in front of the server with this URL, which injects network faults on command. */
export async function startFaultProxy(url: string) {
  const target = new URL(url);
  let fault: Fault = "none";
  const sockets = new Set<Socket>();
  let clients = 0;
  let refused = 0;

  function track(socket: Socket): void {
    sockets.add(socket);
    socket.on("error", () => socket.destroy());
    socket.on("close", () => sockets.delete(socket));
  }

  async function pass(data: Buffer, to: Socket, back: boolean): Promise<void> {
    while (fault === "stalled" || (fault === "mute" && !back)) {
      await pause(20);
      if (to.destroyed) return;
    }
    if (fault === "slow") await pause(LATE);
    if (fault === "unanswered" && back) to.destroy();
    if (to.destroyed) return;
    to.write(
      back && fault === "garbled"
        ? data.map((byte, index) => (index % 7 === 3 ? byte ^ 0x15 : byte))
        : data,
    );
  }

  const server = createServer((near) => {
    if (fault === "cut") {
      refused += 1;
      return near.resetAndDestroy();
    }
    const far = connect(Number(target.port), target.hostname);
    track(near);
    clients += 1;
    near.on("close", () => {
      clients -= 1;
    });
    track(far);
    for (const [from, to] of [
      [near, far],
      [far, near],
    ] as const) {
      let passing = Promise.resolve();
      from.on("data", (data: Buffer) => {
        passing = passing.then(() => pass(data, to, to === near));
      });
      from.on("close", () => passing.then(() => to.destroy()));
    }
  }).listen(0, "127.0.0.1");
  await once(server, "listening");
  const address = server.address();
  if (address === null || typeof address === "string") throw new Error("no port");
  async function close(): Promise<void> {
    fault = "cut";
    for (const socket of sockets) socket.destroy();
    server.close();
    await once(server, "close");
  }

  return {
    /** The URL of the server through the proxy. */
    url: url.replace(target.host, `127.0.0.1:${address.port}`),
    /** The server; a test may change its port. */
    target,
    /** The number of connected clients. */
    get connections() {
      return clients;
    },
    /** The number of refused connections. */
    get refused() {
      return refused;
    },
    set(next: Fault): void {
      fault = next;
      if (next === "cut") for (const socket of sockets) socket.resetAndDestroy();
    },
    close,
    [Symbol.asyncDispose]: close,
  };
}

/** An open WebSocket. */
export interface TestSocket<Message> {
  readonly socket: WebSocket;
  /** The messages received so far. */
  readonly messages: readonly Message[];
  /** The close code; `undefined` while it is open. */
  closed(): number | undefined;
  /** Resolves when a message for which the predicate is true has been received. */
  until(what: string, test: (message: Message) => boolean): Promise<void>;
  close(): Promise<void>;
}

/** Opens a WebSocket whose messages are JSON. */
export async function openSocket<Message>(
  url: string,
  options: ClientOptions,
  parse: (message: unknown) => Message,
): Promise<TestSocket<Message>> {
  const socket = new WebSocket(url.replace("http", "ws"), options);
  const messages: Message[] = [];
  let code: number | undefined;
  socket.on("message", (data) => messages.push(parse(JSON.parse(String(data)))));
  socket.on("close", (given) => {
    code = given;
  });
  await once(socket, "open");
  return {
    socket,
    messages,
    closed: () => code,
    async until(what, test) {
      await waitFor(
        () => `${what}; so far: ${JSON.stringify(messages)}`,
        () => messages.some(test),
      );
    },
    async close() {
      if (code !== undefined) return;
      const closed = once(socket, "close");
      socket.close();
      await closed;
    },
  };
}

/** Requests a WebSocket that the server must refuse. Returns the HTTP status. */
export async function statusOfRefused(url: string, options: ClientOptions): Promise<number> {
  const socket = new WebSocket(url.replace("http", "ws"), options);
  socket.on("error", () => {});
  const refused = Promise.withResolvers<number>();
  socket.on("unexpected-response", (_request, response) => {
    response.resume();
    refused.resolve(response.statusCode ?? 0);
  });
  socket.on("open", () => refused.reject(new Error("the socket was opened")));
  return refused.promise;
}
