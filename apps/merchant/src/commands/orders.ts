import { amountFromCents, formatMoney, orderStatuses, shortOrderId } from "@keepsats/domain";
import { merchantOrderSchema, type OrderPage, orderPageSchema, paths } from "@keepsats/protocol";
import * as z from "zod/mini";
import type { Call, OptionName, Options } from "../command.ts";
import { oneOf } from "../one-of.ts";
import { type Column, formatTime, json, printable, table } from "../output.ts";
import { owedNow } from "../owed.ts";
import { pagesOf } from "../pages.ts";
import { saveFile } from "../save-file.ts";
import { describeOrder } from "./describe-order.ts";
import { orderIdOf, readOrder } from "./move-order.ts";

/** The most orders of one request. */
const PAGE = "200";

const listColumns: readonly Column[] = [
  { head: "ORDER" },
  { head: "PLACED (UTC)" },
  { head: "STATUS" },
  { head: "TOTAL", right: true },
  { head: "CUSTOMER", fill: true },
];

/** The options that say which orders are meant. */
export const filterOptions = [
  "status",
  "from",
  "to",
  "min-total",
  "max-total",
  "updated-since",
] as const satisfies OptionName[];
type FilterName = (typeof filterOptions)[number];

/** The query for some orders. The server checks everything but the status. */
function queryOf(options: Options<FilterName>, text: string | undefined) {
  const { status, from, to } = options;
  return {
    q: text,
    status: oneOf(orderStatuses, status, "status"),
    from,
    to,
    min_total: options["min-total"],
    max_total: options["max-total"],
    updated_since: options["updated-since"],
  };
}

/**
 * `orders list` and `orders find TEXT`: a page of orders, newest first, or with `all` every order.
 */
export async function listOrders({
  client,
  output,
  args,
  options,
}: Call<FilterName | "all">): Promise<void> {
  const { all = false } = options;
  const text = args.length > 0 ? args.join(" ") : undefined;
  const query = { ...queryOf(options, text), limit: all ? PAGE : undefined };
  const orders: OrderPage["orders"] = [];
  let cursor: string | null = null;
  const path = paths.merchant.orders;
  const pages = pagesOf((at) =>
    client.call({ path, query: { ...query, cursor: at }, answer: orderPageSchema }),
  );
  for await (const page of pages) {
    orders.push(...page.orders);
    cursor = page.next_cursor;
    if (!all) break;
    output.progress(`${orders.length} orders read …`);
  }

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
    order.customer_email === ""
      ? order.customer_name
      : `${order.customer_name} <${order.customer_email}>`,
  ]);
  output.line(table(listColumns, rows, output.width).join("\n"));
  if (cursor !== null) output.line("… and more: use --all to list them");
}

/** `orders show ID`: one order with its history, contracts, money and notes. */
export async function showOrder({ client, output, args: [id] }: Call): Promise<void> {
  const order = await readOrder(client, orderIdOf(id));
  if (output.json) {
    const owed = amountFromCents(owedNow(order).cents);
    return output.line(json({ ...z.encode(merchantOrderSchema, order), owed }));
  }
  output.line(describeOrder(order, output.width));
}

/**
 * `orders export FILE.csv`: writes orders as CSV while they are received. An existing file is not
 * overwritten, and a file that could not be completed is removed.
 */
export async function exportOrders(call: Call<FilterName | "find">): Promise<void> {
  const { client, output, args, options, fileOf } = call;
  const file = fileOf(args[0] ?? "");
  const parts = client.download({
    path: paths.merchant.ordersCsv,
    query: queryOf(options, options.find),
  });
  const bytes = await saveFile(file, parts, (sofar) =>
    output.progress(`${Math.round(sofar / 1024)} KB written …`),
  );
  output.line(output.json ? json({ file, bytes }) : `${printable(file)} is written.`);
}
