import { once } from "node:events";
import { createServer, type RequestListener, type Server } from "node:http";
import { connect, type Socket } from "node:net";
import { afterEach, expect, test } from "vitest";
import { createGuardedServer, limitUnread, lingerAtClose } from "./connections.ts";

/** More bytes than any operating system buffers. */
const large = Buffer.alloc(64 * 1024 * 1024);
const request = "GET / HTTP/1.1\r\nHost: a\r\n\r\n";
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

/** A client that reads nothing, and the server's side of its connection. */
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
async function requestLarge(): Promise<Socket> {
  const { client, connection } = await connected();
  client.write(request);
  await until(() => connection.writableLength > 0 || connection.destroyed);
  return connection;
}

async function until(holds: () => boolean): Promise<void> {
  while (!holds()) await new Promise(setImmediate);
}

const answerLarge: RequestListener = (_request, response) => void response.end(large);

/** A server with a limit of unread bytes per address. */
async function withLimit(perAddress: number, isProxy = (): boolean => false): Promise<void> {
  const started = createServer(answerLarge);
  limitUnread(started, isProxy, { every: 10, perAddress });
  await listen(started);
}

const noProxies = { isProxy: () => false, isDraining: () => false };

test("a client that does not read its answer is disconnected", async () => {
  const started = createGuardedServer(answerLarge, noProxies);
  started.timeout = 50;
  await listen(started);
  const connection = await requestLarge();
  await until(() => connection.destroyed);
});

test("a slow reader may take as long as it needs for one large answer", async () => {
  const started = createGuardedServer(answerLarge, noProxies);
  started.timeout = 3_000;
  await listen(started);
  const connection = await requestLarge();
  const client = clients.at(-1);
  client?.on("data", () => {
    client.pause();
    setTimeout(() => client.resume(), 5);
  });
  client?.resume();
  const start = performance.now();
  await until(() => performance.now() - start > 3_500 || connection.destroyed);
  expect(connection.destroyed).toBe(false);
  expect(connection.writableLength).toBeGreaterThan(0);
});

test("an address over its limit of unread bytes loses a connection, and other addresses lose none", async () => {
  await withLimit(2.5 * large.length);
  const connections = [
    await requestLarge(),
    await requestLarge(),
    await requestLarge(),
    await requestLarge(),
  ];
  await until(() => connections.filter(({ destroyed }) => destroyed).length === 2);
  expect(connections.map(({ destroyed }) => destroyed)).toEqual([false, false, true, true]);
});

test("a trusted proxy has no limit of unread bytes", async () => {
  await withLimit(1, () => true);
  const connection = await requestLarge();
  await new Promise((resolve) => setTimeout(resolve, 50));
  expect(connection.destroyed).toBe(false);
});

test("a client that reads receives its whole answer", async () => {
  await withLimit(large.length * 2);
  const { client } = await connected();
  let read = 0;
  client.on("data", (data) => {
    read += data.length;
  });
  client.resume().write(request);
  await until(() => read > large.length);
});

test("a pipelined request closes the connection", async () => {
  let handled = 0;
  await listen(
    createGuardedServer((_request, response) => {
      handled += 1;
      response.end(large);
    }, noProxies),
  );
  const { client, connection } = await connected();
  client.write(request.repeat(2));
  await until(() => connection.destroyed);
  expect(handled).toBe(1);
});

test("sequential requests share a connection", async () => {
  await listen(createGuardedServer((_request, response) => void response.end("answer"), noProxies));
  const { client, connection } = await connected();
  let heard = "";
  client.on("data", (data) => {
    heard += data.toString("latin1");
  });
  client.resume();
  for (let answers = 1; answers <= 20; answers += 1) {
    client.write(request);
    await until(() => heard.split("answer").length > answers);
  }
  expect(connection.destroyed).toBe(false);
});

/** Responds 413 as soon as the request headers arrive, and closes the connection. */
const answerTooLarge: RequestListener = (_request, response) =>
  void response.writeHead(413, { Connection: "close" }).end("too large");

/**
 * Exceeds the operating system's buffers, so the client is still writing when the response arrives.
 */
const largeBody = Buffer.alloc(8 * 1024 * 1024);

test("a client that reads only after writing its whole body receives the response", async () => {
  await listen(createGuardedServer(answerTooLarge, noProxies));
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
