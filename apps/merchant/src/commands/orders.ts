import { formatMoney, type OrderStatus, orderStatuses, shortOrderId } from "@keepsats/domain";
import {
  merchantOrderSchema,
  type OrderPage,
  orderPageSchema,
  paths,
  transitionAnswerSchema,
  withId,
} from "@keepsats/protocol";
import type { Client } from "../client.ts";
import { usageError } from "../exit.ts";
import { type Column, formatTime, json, type Output, table } from "../output.ts";
import { describeOrder } from "./describe-order.ts";

const listColumns: readonly Column[] = [
  { head: "ORDER" },
  { head: "PLACED (UTC)" },
  { head: "STATUS" },
  { head: "TOTAL", right: true },
  { head: "CUSTOMER", fill: true },
];

/** `orders list`: a page of orders, newest first, or with `all` every one. */
export async function listOrders(
  client: Client,
  output: Output,
  options: { status?: string | undefined; all?: boolean | undefined },
): Promise<void> {
  const { all = false } = options;
  const status = orderStatuses.find((known) => known.toLowerCase() === options.status?.toLowerCase());
  if (options.status !== undefined && status === undefined) {
    throw usageError(`--status: got "${options.status}", takes one of ${orderStatuses.join(", ")}`);
  }
  const orders: OrderPage["orders"] = [];
  let cursor: string | null = null;
  do {
    const page: OrderPage = await client.call({
      path: paths.merchant.orders,
      query: { status, cursor: cursor ?? undefined },
      answer: orderPageSchema,
    });
    orders.push(...page.orders);
    cursor = page.next_cursor;
  } while (all && cursor !== null);

  if (output.json) return output.line(json(orders.map(withDollars)));
  if (orders.length === 0) return output.line("No orders.");
  const rows = orders.map((order) => [
    shortOrderId(order.id),
    formatTime(order.created_at),
    order.status,
    formatMoney(order.total_price),
    order.customer_name,
  ]);
  output.line(table(listColumns, rows, output.width).join("\n"));
  if (cursor !== null) output.line("… and older ones: add --all");
}

/** `orders show ID`: one order with its history and contracts. */
export async function showOrder(client: Client, output: Output, id: string): Promise<void> {
  const order = await client.call({ path: withId(paths.merchant.order, id), answer: merchantOrderSchema });
  if (output.json) {
    const items = order.items.map((line) => ({ ...line, price: line.price / 100 }));
    return output.line(json({ ...withDollars(order), items }));
  }
  output.line(describeOrder(order, output.width));
}

/** `orders ship|deliver|cancel ID`. */
export async function moveOrder(
  client: Client,
  output: Output,
  move: { id: string; to: OrderStatus; reason?: string | undefined },
): Promise<void> {
  const answer = await client.call({
    method: "POST",
    path: withId(paths.merchant.transitions, move.id),
    body: { to: move.to, ...(move.reason === undefined ? {} : { reason: move.reason }) },
    answer: transitionAnswerSchema,
  });
  if (output.json) return output.line(json(answer));
  const order = `Order ${shortOrderId(answer.id)}`;
  output.line(
    answer.changed ? `${order} is ${answer.status} now.` : `${order} was ${answer.status} already.`,
  );
  if (answer.changed && answer.status === "Cancelled") await tellOfMoney(client, output, answer.id);
}

/** What to do about the loan of an order that was cancelled. */
async function tellOfMoney(client: Client, output: Output, id: string): Promise<void> {
  const order = await client.call({ path: withId(paths.merchant.order, id), answer: merchantOrderSchema });
  const meanings = order.contracts.map(({ meaning }) => meaning);
  if (meanings.includes("paid"))
    output.line(`It was paid: ${formatMoney(order.total_price)} is yours to give back.`);
  else if (meanings.includes("processing"))
    output.line('A loan for it is under way. Should it be paid out, "payments mismatches" will list it.');
}

function withDollars<T extends { total_price: number }>(order: T): T {
  return { ...order, total_price: order.total_price / 100 };
}
