import { amountFromCents, formatMoney, orderStatuses, shortOrderId } from "@keepsats/domain";
import { merchantOrderSchema, type OrderPage, orderPageSchema, paths, withId } from "@keepsats/protocol";
import * as z from "zod/mini";
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

/** `orders list`: a page of orders, newest first, or with `all` every order. */
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

  if (output.json) {
    const page = z.encode(orderPageSchema, { orders, next_cursor: cursor });
    return output.line(json(page.orders));
  }
  if (orders.length === 0) return output.line("No orders.");
  const rows = orders.map((order) => [
    shortOrderId(order.id),
    formatTime(order.created_at),
    order.status,
    formatMoney(order.total_price),
    order.customer_name,
  ]);
  output.line(table(listColumns, rows, output.width).join("\n"));
  if (cursor !== null) output.line("… and older orders: use --all to list them");
}

/** `orders show ID`: one order with its history and contracts. */
export async function showOrder(client: Client, output: Output, id: string): Promise<void> {
  const order = await client.call({ path: withId(paths.merchant.order, id), answer: merchantOrderSchema });
  if (output.json) {
    const owed = amountFromCents(owedNow(order).cents);
    return output.line(json({ ...z.encode(merchantOrderSchema, order), owed }));
  }
  output.line(describeOrder(order, output.width));
}
