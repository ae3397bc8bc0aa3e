import { once } from "node:events";
import { createServer as createTcpServer, type Server } from "node:net";
import { afterEach, expect, test } from "vitest";
import { type Answer, type Receiver, startReceiver } from "../../../../../test/harness/receiver.ts";
import { waitFor } from "../../../../../test/harness/wait-for.ts";
import { createPost, type Post } from "./post.ts";

let receiver: Receiver | undefined;
afterEach(() => receiver?.close());

const toLoopback = async () => [{ address: "127.0.0.1", family: 4 }];
const message = { headers: { "webhook-id": "m1" }, body: '{"type":"x","data":{}}' };
const soon = () => AbortSignal.timeout(20_000);

/** Sends a message to a receiver on this machine that answers like this. */
async function postTo(answer: Answer, post: Post = createPost({ isPrivateAllowed: true })) {
  receiver = await startReceiver(answer);
  return post({ ...message, url: receiver.url, signal: soon() });
}

test("sends the body and the headers, and reads status, Retry-After and the beginning of the body", async () => {
  const answer = await postTo((response) =>
    response.writeHead(503, { "retry-after": "7" }).end(`not now ${"x".repeat(5_000)}`),
  );
  expect(answer).toEqual({
    status: 503,
    retryAfter: "7",
    body: `not now ${"x".repeat(1_024 - 8)}`,
  });
  expect(receiver?.received[0]).toMatchObject({ raw: message.body, id: "m1" });
});

test("of an answer of a gigabyte only the first kilobyte is read, and the connection is closed", async () => {
  let sent = 0;
  const answer = await postTo((response) => {
    response.writeHead(200, { "content-length": String(2 ** 30) });
    const chunk = Buffer.alloc(64 * 1_024, "a");
    const more = () => {
      while (!response.destroyed && sent < 2 ** 30) {
        sent += chunk.length;
        if (!response.write(chunk)) return;
      }
    };
    response.on("drain", more);
    more();
  });
  expect(answer).toMatchObject({ status: 200, body: "a".repeat(1_024) });
  expect(sent).toBeLessThan(32 * 2 ** 20);
});

test("an answer whose body never ends counts, and the connection is closed", async () => {
  const closed = Promise.withResolvers<void>();
  const answer = await postTo((response) => {
    response.on("close", closed.resolve);
    response.writeHead(200).write("so far");
  });
  expect(answer).toMatchObject({ status: 200, body: "so far" });
  await closed.promise;
});

test("a redirect is not followed", async () => {
  const inside = await startReceiver();
  const answer = await postTo((response) =>
    response.writeHead(307, { location: inside.url }).end(),
  );
  expect(answer.status).toBe(307);
  expect(inside.received).toEqual([]);
  await inside.close();
});

test("a receiver that does not answer is abandoned when the signal is aborted", async () => {
  receiver = await startReceiver(() => {});
  const ended = new AbortController();
  const post = createPost({ isPrivateAllowed: true });
  const posted = post({ ...message, url: receiver.url, signal: ended.signal });
  await waitFor("the message", () => receiver?.received.length === 1);
  ended.abort();
  await expect(posted).rejects.toThrow();
});

test("a DNS server that does not respond is abandoned when the signal is aborted", async () => {
  const post = createPost({ isPrivateAllowed: false, resolve: () => new Promise(() => {}) });
  const posted = post({
    ...message,
    url: "https://books.example",
    signal: AbortSignal.timeout(20),
  });
  await expect(posted).rejects.toThrow();
});

test("connects to the checked address, with the host name in the request", async () => {
  receiver = await startReceiver();
  const { port } = new URL(receiver.url);
  let looks = 0;
  const resolve = async () => {
    looks += 1;
    return looks === 1 ? toLoopback() : [{ address: "192.0.2.1", family: 4 }];
  };
  const post = createPost({ isPrivateAllowed: true, resolve });
  const url = `http://books.example:${port}/hooks`;
  expect(await post({ ...message, url, signal: soon() })).toMatchObject({ status: 204 });
  expect(receiver.received[0]?.headers.host).toBe(`books.example:${port}`);
  expect(looks).toBe(1);
});

test("over TLS the server name is the host of the URL", async () => {
  const { server, port, firstBytes } = await startTcpServer();
  const post = createPost({ isPrivateAllowed: true, resolve: toLoopback });
  const posted = post({ ...message, url: `https://books.example:${port}`, signal: soon() });
  await expect(posted).rejects.toThrow();
  expect(await firstBytes).toContain("books.example");
  server.close();
});

test("nothing is sent to a private address unless it is allowed", async () => {
  const { server, port } = await startTcpServer();
  let connections = 0;
  server.on("connection", () => {
    connections += 1;
  });
  for (const resolve of [toLoopback, async () => [{ address: "::ffff:127.0.0.1", family: 6 }]]) {
    const post = createPost({ isPrivateAllowed: false, resolve });
    const posted = post({ ...message, url: `https://books.example:${port}`, signal: soon() });
    await expect(posted).rejects.toThrow("books.example has no public address");
  }
  const literal = createPost({ isPrivateAllowed: false });
  const posted = literal({ ...message, url: `https://127.0.0.1:${port}`, signal: soon() });
  await expect(posted).rejects.toThrow("has no public address");
  expect(connections).toBe(0);
  server.close();
});

/** A server that reads the first bytes of a connection and closes it. */
async function startTcpServer(): Promise<{
  server: Server;
  port: number;
  firstBytes: Promise<string>;
}> {
  const first = Promise.withResolvers<string>();
  const server = createTcpServer((socket) => {
    socket.on("error", () => {});
    socket.once("data", (data) => {
      first.resolve(String(data));
      socket.destroy();
    });
  });
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  const address = server.address();
  if (address === null || typeof address === "string") throw new Error("the server has no port");
  return { server, port: address.port, firstBytes: first.promise };
}
