import { randomUUID } from "node:crypto";
import { once } from "node:events";
import { request } from "node:http";
import { text } from "node:stream/consumers";
import { type Problem, paths, problemSchema, type WireFollowedOrder } from "@keepsats/protocol";
import { anOrder, type OrderBody } from "@keepsats/testing";
import { WebSocket } from "ws";
import type { Shop } from "./shop.ts";
import { waitFor } from "./wait-for.ts";

type Target = Pick<Shop, "url">;

/** Sends this body to `POST /api/orders`, unchanged. */
export function postOrder(
  { url }: Target,
  body: unknown,
  headers: Record<string, string> = {},
): Promise<Response> {
  return fetch(`${url}${paths.orders}`, {
    method: "POST",
    headers: { "content-type": "application/json", ...headers },
    body: typeof body === "string" ? body : JSON.stringify(body),
  });
}

/** Places a valid order; fails when it is refused. */
export async function placeOrder(
  target: Target,
  changes: Partial<OrderBody> = {},
  headers: Readonly<Record<string, string>> = {},
): Promise<{ id: string; key: string; total_price: number }> {
  const response = await postOrder(target, anOrder(changes), {
    "idempotency-key": randomUUID(),
    ...headers,
  });
  if (response.status !== 201)
    throw new Error(`the order was answered ${response.status}: ${await response.text()}`);
  const body: unknown = await response.json();
  return {
    id: String(Reflect.get(Object(body), "id")),
    key: String(Reflect.get(Object(body), "key")),
    total_price: Number(Reflect.get(Object(body), "total_price")),
  };
}

/** Places an order and waits until it is paid. @returns its id and its loan's id */
export async function paidOrder(
  shop: Pick<Shop, "url" | "lender"> & { origin?: string },
): Promise<{ id: string; loanId: string }> {
  const { id } = await placeOrder(shop);
  const loanId = await shop.lender.fund({ amount: "45.00", orderId: id });
  const follower = await follow(shop, id, loanId, shop.origin);
  await follower.until("the payment", isStatus("PaymentProcessed"));
  await follower.close();
  return { id, loanId };
}

/** The problem document of an answer. */
export async function problemOf(response: Response): Promise<Problem> {
  return problemSchema.parse(await response.json());
}

/** Calls the merchant API. */
export async function merchant(
  { url, token }: Pick<Shop, "url" | "token">,
  method: string,
  path: string,
  body?: unknown,
  headers: Readonly<Record<string, string>> = {},
): Promise<{ status: number; body: unknown }> {
  const response = await fetch(`${url}${path}`, {
    method,
    headers: {
      ...headers,
      authorization: `Bearer ${token}`,
      ...(body === undefined ? {} : { "content-type": "application/json" }),
    },
    ...(body === undefined ? {} : { body: JSON.stringify(body) }),
  });
  return { status: response.status, body: await response.json() };
}

/** A follower of an order, over a real socket. */
export interface TestFollower {
  readonly socket: WebSocket;
  readonly messages: { type: string; data: Partial<WireFollowedOrder> & { kind?: string } }[];
  /** The statuses received so far, in order, without repetitions. */
  statuses(): (string | null | undefined)[];
  /**
   * Resolves with the first message, received already or later, for which the predicate is true.
   */
  until(what: string, test: (message: TestFollower["messages"][number]) => boolean): Promise<void>;
  close(): Promise<void>;
}

/**
 * Opens a socket of the order stream and follows an order, with a loan, with the order's key,
 * or with both.
 */
export async function follow(
  { url }: Target,
  orderId: string,
  loanId: string | undefined,
  origin: string = url,
  key?: string,
): Promise<TestFollower> {
  const query = new URLSearchParams({ order_id: orderId });
  if (loanId !== undefined) query.set("contract_id", loanId);
  if (key !== undefined) query.set("key", key);
  const socket = new WebSocket(`${url.replace("http", "ws")}${paths.orderStream}?${query}`, {
    origin,
  });
  const messages: TestFollower["messages"] = [];
  socket.on("message", (data) => messages.push(JSON.parse(String(data))));
  await once(socket, "open");
  return {
    socket,
    messages,
    statuses() {
      const all = messages.filter(({ type }) => type === "order").map(({ data }) => data.status);
      return all.filter((status, index) => status !== all[index - 1]);
    },
    async until(what, test) {
      await waitFor(
        () => `${what}; so far: ${JSON.stringify(messages)}`,
        () => messages.some(test),
      );
    },
    async close() {
      if (socket.readyState === WebSocket.CLOSED) return;
      const closed = once(socket, "close");
      socket.close();
      await closed;
    },
  };
}

/** Requests a socket that the server must refuse. @returns the HTTP status */
export async function refusedSocket(
  { url }: Target,
  { query, origin = url }: { query: string; origin?: string },
): Promise<number> {
  const socket = new WebSocket(`${url.replace("http", "ws")}${paths.orderStream}${query}`, {
    origin,
  });
  socket.on("error", () => {});
  const [, response] = await once(socket, "unexpected-response");
  socket.terminate();
  return response.statusCode;
}

/** A predicate: the message has this order status. */
export const isStatus =
  (status: string) =>
  ({ type, data }: TestFollower["messages"][number]) =>
    type === "order" && data.status === status;

/** A predicate: the message is this kind of error. */
export const isError =
  (kind: string) =>
  ({ type, data }: TestFollower["messages"][number]) =>
    type === "error" && data.kind === kind;

interface Held {
  readonly method: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string;
}

/** A request whose headers the server has, and whose body has not been sent. */
export interface HeldRequest {
  /** Sends the body. @returns the status and text of the answer */
  finish(): Promise<{ status: number | undefined; text: string }>;
}

/** Begins a request with JSON, and resolves when the server wants the body. */
export async function holdRequest(
  url: string,
  { method, headers, body }: Held,
): Promise<HeldRequest> {
  const held = request(url, {
    method,
    headers: {
      ...headers,
      "content-type": "application/json",
      "content-length": String(Buffer.byteLength(body)),
      expect: "100-continue",
    },
  });
  held.flushHeaders();
  await once(held, "continue");
  return {
    async finish() {
      const answered = once(held, "response");
      held.end(body);
      const [response] = await answered;
      return { status: response.statusCode, text: await text(response) };
    },
  };
}
