import { once } from "node:events";
import { connect } from "node:net";
import { paths, withId } from "@keepsats/protocol";
import { beforeAll, expect, test } from "vitest";
import { WebSocket } from "ws";
import { placeOrder } from "../harness/customer.ts";
import { startShop } from "../harness/shop.ts";
import { useResource } from "../harness/use-resource.ts";

const shop = useResource(() => startShop({ step: 600_000 }));
let order: { id: string; key: string };
let other: { id: string; key: string };
beforeAll(async () => {
  [order, other] = [await placeOrder(shop), await placeOrder(shop)];
});

/** Sends these header lines, byte by byte as they are. Returns the answer. */
async function ask(...lines: readonly string[]): Promise<string> {
  const socket = connect(Number(new URL(shop.url).port), "127.0.0.1");
  const head = [
    `GET ${withId(paths.order, order.id)} HTTP/1.1`,
    "Host: x",
    "Connection: close",
    ...lines,
  ];
  socket.end(Buffer.from(`${head.join("\r\n")}\r\n\r\n`, "latin1"));
  let answer = "";
  socket.setEncoding("latin1").on("data", (data) => (answer += data));
  socket.on("error", () => {});
  await once(socket, "close");
  return answer;
}

/** Keys that are not the order's, each made from the right one and from that of another order. */
const wrongKeys: readonly [string, (right: string, otherKey: string) => string][] = [
  ["of another order", (_, otherKey) => otherKey],
  ["of 10 KB", (right) => right.repeat(500)],
  ["one character shorter", (right) => right.slice(0, -1)],
  ["in the other case", (right) => swapCase(right)],
  ["of bytes above 127", () => "\xff\xfe\xe9".repeat(7)],
  ["with a blank in it", (right) => `${right} ${right}`],
  ["that is JSON", (right) => `["${right}"]`],
  ["that is twice the right one, joined as proxies join headers", (right) => `${right}, ${right}`],
];

function swapCase(text: string): string {
  return text.replace(/[a-z]/gi, (letter) =>
    letter === letter.toLowerCase() ? letter.toUpperCase() : letter.toLowerCase(),
  );
}

test.each(wrongKeys)(
  "a key %s is refused, and the right one is accepted afterwards",
  async (_, wrong) => {
    const key = wrong(order.key, other.key);
    const answer = await ask(`Order-Key: ${key}`);
    expect(answer).toMatch(/^HTTP\/1.1 (404|429) /);
    expect(answer).not.toContain("Ada");
    expect(await statusesFor(new URLSearchParams({ order_id: order.id, key }))).toEqual([]);
    expect(await ask(`Order-Key: ${order.key}`)).toMatch(/^HTTP\/1.1 200 /);
  },
);

test("a missing or empty key is answered 401 by the routes and 400 by the stream", async () => {
  for (const lines of [["Order-Key:"], ["Order-Key:  "], []])
    expect(await ask(...lines)).toMatch(/^HTTP\/1.1 401 /);
  expect(await statusesFor(new URLSearchParams({ order_id: order.id, key: "" }))).toEqual([]);
});

test("a key that is sent twice is a wrong key in a header, and counts by its first value in a query", async () => {
  expect(await ask(`Order-Key: ${order.key}`, `Order-Key: ${other.key}`)).toMatch(
    /^HTTP\/1.1 (404|429) /,
  );
  const repeated = (first: string, second: string) =>
    new URLSearchParams([
      ["order_id", order.id],
      ["key", first],
      ["key", second],
    ]);
  expect(await statusesFor(repeated(other.key, order.key))).toEqual([]);
  expect(await statusesFor(repeated(order.key, other.key))).toEqual(["Pending"]);
});

test("the right key is accepted with upper-case ids and unknown parameters", async () => {
  const query = new URLSearchParams({
    order_id: order.id.toUpperCase(),
    key: order.key,
    "key[]": "x",
  });
  expect(await statusesFor(query)).toEqual(["Pending"]);
});

/**
 * Opens the order stream and waits for its first message. Returns the statuses that it is sent;
 * none if it is refused.
 */
async function statusesFor(query: URLSearchParams): Promise<string[]> {
  const socket = new WebSocket(`${shop.url.replace("http", "ws")}${paths.orderStream}?${query}`, {
    origin: shop.url,
  });
  const first = new Promise<string>((resolve) => {
    socket.on("message", (data) => resolve(String(data)));
    socket.on("unexpected-response", () => resolve("{}"));
    socket.on("error", () => resolve("{}"));
  });
  const { type, data }: { type?: string; data?: { status?: string } } = JSON.parse(await first);
  socket.terminate();
  return type === "order" ? [String(data?.status)] : [];
}
