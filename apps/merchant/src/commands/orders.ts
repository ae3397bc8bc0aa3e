import { formatMoney, orderStatuses, shortOrderId } from "@keepsats/domain";
import { merchantOrderSchema, type OrderPage, orderPageSchema, paths, withId } from "@keepsats/protocol";
import type { Client } from "../client.ts";
import { usageError } from "../exit.ts";
import { type Column, formatTime, json, type Output, table } from "../output.ts";
import { owedNow } from "../owed.ts";
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
    const contracts = order.contracts.map(({ amount, ...loan }) => ({
      ...loan,
      amount: amount === null ? null : amount / 100,
    }));
    const owed = owedNow(order).cents / 100;
    return output.line(json({ ...withDollars(order), items, contracts, owed }));
  }
  output.line(describeOrder(order, output.width));
}

function withDollars<T extends { total_price: number }>(order: T): T {
  return { ...order, total_price: order.total_price / 100 };
}
