import { once } from "node:events";
import { createServer, type RequestListener, type Server } from "node:http";
import { connect, type Socket } from "node:net";
import { afterEach, expect, test } from "vitest";
import { createGuardedServer } from "./connections.ts";
import { lingerAtClose } from "./linger.ts";
import { MAX_WAITING } from "./request-queue.ts";
import { boundUnread, type UnreadLimits } from "./unread.ts";

/** More bytes than any operating system buffers. */
const large = Buffer.alloc(64 * 1024 * 1024);
const request = "GET / HTTP/1.1\r\nHost: a\r\n\r\n";
const noLimits: UnreadLimits = {
  every: 10,
  stalled: 3_600_000,
  longest: 3_600_000,
  leastRate: 1,
  perAddress: 2 ** 40,
};

let server: Server;
let clients: Socket[] = [];
afterEach(() => {
  for (const client of clients) client.destroy();
  clients = [];
  server.close();
});

async function listen(started: Server): Promise<void> {
  server = started;
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
}

/** A client that reads nothing, and the server's end of its connection. */
async function connected({
  allowHalfOpen = false,
} = {}): Promise<{ client: Socket; connection: Socket }> {
  const address = server.address();
  if (address === null || typeof address === "string")
    throw new Error("the server does not listen");
  const arrived = once(server, "connection");
  const client = connect({ port: address.port, host: "127.0.0.1", allowHalfOpen });
  clients.push(client.on("error", () => {}).pause());
  const [connection] = await arrived;
  return { client, connection };
}

/** Requests a large answer and reads nothing of it. */
async function ask(): Promise<Socket> {
  const { client, connection } = await connected();
  client.write(request);
  await until(() => connection.writableLength > 0);
  return connection;
}

async function until(holds: () => boolean): Promise<void> {
  while (!holds()) await new Promise(setImmediate);
}

const answerLarge: RequestListener = (_request, response) => void response.end(large);

async function withLimits(
  changes: Partial<UnreadLimits>,
  isProxy = (): boolean => false,
): Promise<void> {
  const started = createServer(answerLarge);
  boundUnread(started, isProxy, { ...noLimits, ...changes });
  await listen(started);
}

const nobodySpecial = { isProxy: () => false, isDraining: () => false };

test("a client that reads nothing of its answer is disconnected", async () => {
  await withLimits({ stalled: 50 });
  const connection = await ask();
  await until(() => connection.destroyed);
});

/** Reads a megabyte per scan, until there were that many scans or the connection is closed. */
async function readSlowly(changes: Partial<UnreadLimits>, scanCount: number): Promise<Socket> {
  let scans = 0;
  let client: Socket | undefined;
  await withLimits(changes, () => {
    scans += 1;
    client?.resume();
    return true;
  });
  const connected = await ask();
  client = clients.at(-1);
  let read = 0;
  client?.on("data", (data) => {
    read += data.length;
    if (read < 1024 * 1024) return;
    read = 0;
    client?.pause();
  });
  await until(() => scans >= scanCount || connected.destroyed);
  return connected;
}

test("a client that reads too slowly is disconnected, even if it never pauses", async () => {
  const connection = await readSlowly(
    { longest: 50, leastRate: 2 ** 40 },
    Number.POSITIVE_INFINITY,
  );
  expect(connection.destroyed).toBe(true);
});

test("a client that reads slowly may take as long as it needs for one large answer", async () => {
  const connection = await readSlowly({ longest: 200 }, 40);
  expect(connection.destroyed).toBe(false);
});

test("an address over its limit of unread bytes loses a connection, and other addresses lose none", async () => {
  await withLimits({ perAddress: 2.5 * large.length });
  const connections = [await ask(), await ask(), await ask(), await ask()];
  await until(() => connections.filter(({ destroyed }) => destroyed).length === 2);
  expect(connections.map(({ destroyed }) => destroyed)).toEqual([false, false, true, true]);
});

test("a trusted proxy has no limit of unread bytes", async () => {
  let asked = 0;
  await withLimits({ perAddress: 1 }, () => {
    asked += 1;
    return true;
  });
  const connection = await ask();
  await until(() => asked === 3);
  expect(connection.destroyed).toBe(false);
});

test("a client that reads gets all of its answer", async () => {
  await withLimits({ perAddress: large.length * 2 });
  const { client } = await connected();
  let read = 0;
  client.on("data", (data) => {
    read += data.length;
  });
  client.resume().write(request);
  await until(() => read > large.length);
});

test("a pipelined request is handled after the earlier answer is sent", async () => {
  let handled = 0;
  const handler: RequestListener = (_request, response) => {
    handled += 1;
    response.end(handled === 1 ? large : "small");
  };
  await listen(createGuardedServer(handler, nobodySpecial));
  const { client, connection } = await connected();
  let heard = "";
  client.on("data", (data) => {
    heard = `${heard}${data.toString("latin1")}`.slice(-10_000);
  });
  client.pause().write(request.repeat(1 + MAX_WAITING));
  await until(() => connection.writableLength > 0);
  await new Promise(setImmediate);
  expect(handled).toBe(1);
  client.resume();
  await until(() => handled === 1 + MAX_WAITING && heard.split("small").length === 1 + MAX_WAITING);
});

test("a connection with too many pipelined requests is closed", async () => {
  await listen(createGuardedServer(answerLarge, nobodySpecial));
  const { client, connection } = await connected();
  client.write(request.repeat(2 + MAX_WAITING));
  await until(() => connection.destroyed);
});

/** Responds 413 as soon as the request headers arrive, and closes the connection. */
const answerTooLarge: RequestListener = (_request, response) =>
  void response.writeHead(413, { Connection: "close" }).end("too large");

/**
 * Exceeds the operating system's buffers, so the client is still writing when the response arrives.
 */
const largeBody = Buffer.alloc(8 * 1024 * 1024);

test("a client that reads only after writing its whole body receives the response", async () => {
  await listen(createGuardedServer(answerTooLarge, nobodySpecial));
  const { client } = await connected();
  client.write(`POST / HTTP/1.0\r\nHost: a\r\nContent-Length: ${largeBody.length}\r\n\r\n`);
  await new Promise((resolve) => client.write(largeBody, resolve));
  let heard = "";
  client.on("data", (data) => {
    heard += data.toString("latin1");
  });
  client.resume();
  await once(client, "end");
  expect(heard).toMatch(/^HTTP\/1\.1 413 /);
});

test("a connection whose body never ends is closed at the request timeout", async () => {
  const started = createServer(
    { requestTimeout: 50, connectionsCheckingInterval: 10 },
    (request, response) => {
      lingerAtClose(request);
      answerTooLarge(request, response);
    },
  );
  await listen(started);
  const { client, connection } = await connected({ allowHalfOpen: true });
  client.write("POST / HTTP/1.1\r\nHost: a\r\nContent-Length: 1000\r\n\r\na");
  client.resume();
  await once(client, "end");
  await until(() => connection.destroyed);
});
