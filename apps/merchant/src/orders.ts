import type { Command, CommandUnknownOpts } from "@commander-js/extra-typings";
import { amountFromCents, formatMoney, orderStatuses, shortOrderId } from "@keepsats/domain";
import { merchantOrderSchema, type OrderPage, orderPageSchema, paths } from "@keepsats/protocol";
import * as z from "zod/mini";
import { example, oneOf } from "./arguments.ts";
import { addOrderChanges } from "./change-orders.ts";
import { describeOrder } from "./describe-order.ts";
import { saveFile } from "./files.ts";
import { readOrder } from "./order.ts";
import { type Column, formatTime, printable, table } from "./output.ts";
import { pagesOf } from "./pages.ts";
import type { Session } from "./session.ts";

/** The most orders of one request. */
const PAGE = "200";

const columns: readonly Column<OrderPage["orders"][number]>[] = [
  { head: "ORDER", cell: ({ id }) => shortOrderId(id) },
  { head: "PLACED (UTC)", cell: ({ created_at }) => formatTime(created_at) },
  { head: "STATUS", cell: ({ status }) => status },
  { head: "TOTAL", right: true, cell: ({ total_price }) => formatMoney(total_price) },
  {
    head: "CUSTOMER",
    fill: true,
    cell: ({ customer_name: name, customer_email: email }) =>
      email === "" ? name : `${name} <${email}>`,
  },
];

export function addOrderCommands(orders: CommandUnknownOpts, session: Session): void {
  withFilters(orders.command("list"))
    .description("the newest orders, or all")
    .option("--all", "all orders, not only the newest 50")
    .addHelpText("after", example("orders list --status PaymentProcessed --min-total 100"))
    .action((options) => listOrders(session, undefined, options));
  withFilters(orders.command("find <text...>"))
    .description("by name, email, item or beginning of the id")
    .option("--all", "all orders that are found, not only the newest 50")
    .addHelpText("after", example("orders find lovelace moka"))
    .action((words, options) => listOrders(session, words.join(" "), options));
  orders
    .command("show <id>")
    .description("one order with its history, money, notes and loans")
    .addHelpText("after", example("orders show 0e4b3a51"))
    .action((id) => showOrder(session, id));
  withFilters(orders.command("export <file.csv>"))
    .description("orders as a table for spreadsheets")
    .option("--find <text>", "only orders that orders find finds")
    .addHelpText("after", example("orders export november.csv --from 2026-11-01 --to 2026-11-30"))
    .action((file, options) => exportOrders(session, file, options));
  addOrderChanges(orders, session);
}

/** Adds the options that filter orders. The server checks all but the status. */
function withFilters<Args extends unknown[]>(command: Command<Args>) {
  return command
    .option("--status <status>", orderStatuses.join(", "), oneOf(orderStatuses))
    .option("--from <day>", "placed on that day (UTC) or later")
    .option("--to <day>", "placed on that day or earlier")
    .option("--min-total <amount>", "a total of that amount or more")
    .option("--max-total <amount>", "a total of that amount or less")
    .option("--updated-since <time>", "changed at that time or later");
}

type Filters = ReturnType<ReturnType<typeof withFilters<[]>>["opts"]>;

async function listOrders(
  { client, progress, show, width }: Session,
  text: string | undefined,
  { all = false, ...filters }: Filters & { readonly all?: boolean },
): Promise<void> {
  const query = { ...queryOf(filters, text), limit: all ? PAGE : undefined };
  const orders: OrderPage["orders"] = [];
  let more = false;
  const path = paths.merchant.orders;
  const pages = pagesOf((cursor) =>
    client.call({ path, query: { ...query, cursor }, answer: orderPageSchema }),
  );
  for await (const page of pages) {
    orders.push(...page.orders);
    more = page.next_cursor !== null;
    if (!all) break;
    progress(`${orders.length} orders read …`);
  }
  const rest = more ? "\n… and more: use --all to list them" : "";
  show(
    z.encode(orderPageSchema.shape.orders, orders),
    orders.length === 0 ? "No orders." : `${table(columns, orders, width)}${rest}`,
  );
}

async function showOrder({ client, show, width }: Session, id: string): Promise<void> {
  const order = await readOrder(client, id);
  const refund_due = amountFromCents(order.ledger.refund_due);
  show({ ...z.encode(merchantOrderSchema, order), refund_due }, describeOrder(order, width));
}

async function exportOrders(
  { client, fileOf, progress, show }: Session,
  name: string,
  { find, ...filters }: Filters & { readonly find?: string },
): Promise<void> {
  const file = fileOf(name);
  const parts = client.download({ path: paths.merchant.ordersCsv, query: queryOf(filters, find) });
  const bytes = await saveFile(file, parts, (sofar) =>
    progress(`${Math.round(sofar / 1024)} KB written …`),
  );
  show({ file, bytes }, `${printable(file)} is written.`);
}

function queryOf(
  { status, from, to, minTotal, maxTotal, updatedSince }: Filters,
  text: string | undefined,
) {
  return {
    q: text,
    status,
    from,
    to,
    min_total: minTotal,
    max_total: maxTotal,
    updated_since: updatedSince,
  };
}
