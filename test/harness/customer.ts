import { randomUUID } from "node:crypto";
import { type Problem, paths, problemSchema, type WireSubscribedOrder } from "@keepsats/protocol";
import { anOrder, type OrderBody } from "./builders.ts";
import { openSocket, statusOfRefused, type TestSocket } from "./network.ts";
import type { Shop } from "./shop.ts";

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
): Promise<{ id: string; number: string; key: string; total_price: number }> {
  const response = await postOrder(target, anOrder(changes), {
    "idempotency-key": randomUUID(),
    ...headers,
  });
  if (response.status !== 201)
    throw new Error(`the order was answered ${response.status}: ${await response.text()}`);
  const body: unknown = await response.json();
  return {
    id: String(Reflect.get(Object(body), "id")),
    number: String(Reflect.get(Object(body), "number")),
    key: String(Reflect.get(Object(body), "key")),
    total_price: Number(Reflect.get(Object(body), "total_price")),
  };
}

/** Places an order and waits until it is paid. Returns its id, its number and its loan's id. */
export async function paidOrder(
  shop: Pick<Shop, "url" | "sandbox"> & { origin?: string },
): Promise<{ id: string; number: string; loanId: string }> {
  const { id, number } = await placeOrder(shop);
  const loanId = await shop.sandbox.fund({ amount: "45.00", orderId: id });
  const subscriber = await subscribe(shop, id, loanId, shop.origin);
  await subscriber.until("the payment", isStatus("PaymentProcessed"));
  await subscriber.close();
  return { id, number, loanId };
}

/** The problem document of an answer. */
export async function problemOf(response: Response): Promise<Problem> {
  return problemSchema.parse(await response.json());
}

/** A message of the order stream, as far as tests read it. */
interface StreamMessage {
  readonly type: string;
  readonly data: Partial<WireSubscribedOrder> & { readonly kind?: string };
}

/** A subscriber of an order, over a real socket. */
export interface TestSubscriber extends TestSocket<StreamMessage> {
  /** The statuses received so far, in order, without repetitions. */
  statuses(): (string | null | undefined)[];
}

/**
 * Opens a socket of the order stream and subscribes to an order, with a loan, with the order's key,
 * or with both.
 */
export async function subscribe(
  { url }: Target,
  orderId: string,
  loanId: string | undefined,
  origin: string = url,
  key?: string,
): Promise<TestSubscriber> {
  const query = new URLSearchParams({ order_id: orderId });
  if (loanId !== undefined) query.set("contract_id", loanId);
  if (key !== undefined) query.set("key", key);
  const opened = await openSocket(
    `${url}${paths.orderStream}?${query}`,
    { origin },
    (message): StreamMessage => Object(message),
  );
  return {
    ...opened,
    statuses() {
      const orders = opened.messages.filter(({ type }) => type === "order");
      const all = orders.map(({ data }) => data.status);
      return all.filter((status, index) => status !== all[index - 1]);
    },
  };
}

/** Requests a socket that the server must refuse. Returns the HTTP status. */
export function refusedSocket(
  { url }: Target,
  { query, origin = url }: { query: string; origin?: string },
): Promise<number> {
  return statusOfRefused(`${url}${paths.orderStream}${query}`, { origin });
}

/** A predicate: the message has this order status. */
export const isStatus =
  (status: string) =>
  ({ type, data }: StreamMessage) =>
    type === "order" && data.status === status;

/** A predicate: the message is this kind of error. */
export const isError =
  (kind: string) =>
  ({ type, data }: StreamMessage) =>
    type === "error" && data.kind === kind;
