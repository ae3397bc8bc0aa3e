import type { Command, CommandUnknownOpts } from "@commander-js/extra-typings";
import {
  addressLines,
  amountFromCents,
  formatGroupedMoney,
  lineTotal,
  orderStatuses,
  piecesText,
  shortOrderId,
} from "@keepsats/domain";
import {
  type AdminOrder,
  adminOrderSchema,
  type OrderPage,
  orderPageSchema,
  paths,
  resolutionText,
} from "@keepsats/protocol";
import * as z from "zod/mini";
import { example, oneOf } from "./arguments.ts";
import { pagesOf } from "./client.ts";
import { saveFile } from "./files.ts";
import { readOrder } from "./lookup.ts";
import { amountText, journalTable, sumsText } from "./money.ts";
import { type Column, formatTime, labelled, paragraphs, table } from "./output.ts";
import type { Session } from "./session.ts";

const MAX_PAGE_SIZE = "200";

export function addOrderCommands(orders: CommandUnknownOpts, session: Session): void {
  withFilters(orders.command("list"))
    .description("List the newest orders, or all")
    .option("--all", "all orders, not only the newest 50")
    .addHelpText(...example("orders list --status PaymentProcessed --min-total 100"))
    .action(({ all, ...filters }) => listOrders(session, queryOf(filters), all));
  withFilters(orders.command("find <text...>"))
    .description("Find orders by number, name, email, item or beginning of the id")
    .option("--all", "all orders that are found, not only the newest 50")
    .addHelpText(...example("orders find lovelace moka"))
    .action((words, { all, ...filters }) =>
      listOrders(session, { ...queryOf(filters), q: words.join(" ") }, all),
    );
  orders
    .command("show <id>")
    .description("Show one order with its history, money, notes and loans")
    .addHelpText(...example("orders show 0e4b3a51"))
    .action(async (id) => {
      const order = await readOrder(session.client, id);
      const refund_due = amountFromCents(order.ledger.refund_due);
      const value = { ...z.encode(adminOrderSchema, order), refund_due };
      session.show(value, describeOrder(order, session.width));
    });
  withFilters(orders.command("export <file.csv>"))
    .description("Export orders as a table for spreadsheets")
    .option("--find <text>", "only orders that the command find would list")
    .addHelpText(...example("orders export november.csv --from 2026-11-01 --to 2026-11-30"))
    .action((file, { find, ...filters }) => {
      const query = { ...queryOf(filters), q: find };
      const chunks = session.client.download({ path: paths.admin.ordersCsv, query });
      return saveFile(session, file, chunks);
    });
}

/** Adds the options that filter orders. The server checks all but the status. */
function withFilters<Args extends unknown[]>(command: Command<Args>) {
  return command
    .option("--status <status>", orderStatuses.join(", "), oneOf(orderStatuses))
    .option("--from <day>", "placed on that day (of the shop's time zone) or later")
    .option("--to <day>", "placed on that day or earlier")
    .option("--min-total <amount>", "a total of that amount or more")
    .option("--max-total <amount>", "a total of that amount or less")
    .option("--updated-since <time>", "changed at that time or later");
}

type Filters = ReturnType<ReturnType<typeof withFilters<[]>>["opts"]>;

function queryOf({ minTotal, maxTotal, updatedSince, ...filters }: Filters) {
  return { ...filters, min_total: minTotal, max_total: maxTotal, updated_since: updatedSince };
}

const orderColumns: readonly Column<OrderPage["orders"][number]>[] = [
  { head: "ORDER", cell: ({ id }) => shortOrderId(id) },
  { head: "NUMBER", cell: ({ number = "" }) => number },
  { head: "PLACED (UTC)", cell: ({ created_at }) => formatTime(created_at) },
  { head: "STATUS", cell: ({ status }) => status },
  { head: "TOTAL", right: true, cell: ({ total_price }) => formatGroupedMoney(total_price) },
  {
    head: "CUSTOMER",
    fill: true,
    cell: ({ customer_name: name, customer_email: email }) =>
      email === "" ? name : `${name} <${email}>`,
  },
];

async function listOrders(
  session: Session,
  query: ReturnType<typeof queryOf> & { readonly q?: string },
  all = false,
): Promise<void> {
  const orders: OrderPage["orders"] = [];
  let more = false;
  const path = paths.admin.orders;
  const limit = all ? MAX_PAGE_SIZE : undefined;
  const pages = pagesOf((cursor) =>
    session.client.call({ path, query: { ...query, limit, cursor }, answer: orderPageSchema }),
  );
  for await (const page of pages) {
    orders.push(...page.orders);
    more = page.next_cursor !== null;
    if (!all) break;
  }
  const rest = more ? "\n… and more: use --all to list them" : "";
  session.show(
    z.encode(orderPageSchema.shape.orders, orders),
    `${table(orderColumns, orders, session.width) || "No orders."}${rest}`,
  );
}

const itemColumns: readonly Column<AdminOrder["items"][number]>[] = [
  { head: "ITEM", fill: true, cell: piecesText },
  { head: "EACH", right: true, cell: ({ price }) => formatGroupedMoney(price) },
  { head: "TOTAL", right: true, cell: (line) => formatGroupedMoney(lineTotal(line)) },
];

const eventColumns: readonly Column<AdminOrder["events"][number]>[] = [
  { head: "WHEN (UTC)", cell: ({ at }) => formatTime(at) },
  {
    head: "WHAT",
    cell({ kind, from, to }) {
      if (from === null) return to;
      return from === to ? kind.replaceAll("-", " ") : `${from} → ${to}`;
    },
  },
  { head: "BY", maxWidth: 20, cell: ({ by, by_name }) => by_name ?? by },
];

const loanColumns: readonly Column<AdminOrder["loans"][number]>[] = [
  { head: "LOAN", maxWidth: 40, cell: ({ id }) => id },
  { head: "STATUS", maxWidth: 25, cell: ({ provider_status }) => provider_status },
  { head: "STATE", maxWidth: 12, cell: (loan) => (loan.is_extension ? "extension" : loan.state) },
  { head: "AMOUNT", right: true, cell: ({ amount, currency }) => amountText(amount, currency) },
  { head: "BOUND (UTC)", cell: ({ bound_at }) => formatTime(bound_at) },
];

const issueColumns: readonly Column<AdminOrder["payment_issues"][number]>[] = [
  { head: "OPENED (UTC)", cell: ({ opened_at }) => formatTime(opened_at) },
  { head: "ISSUE", maxWidth: 20, cell: ({ kind }) => kind },
  { head: "LOAN", maxWidth: 40, cell: ({ loan_id }) => loan_id },
];

/**
 * Describes an order in lines that fit the terminal, so that no customer's text can look like a
 * line of the output.
 */
function describeOrder(order: AdminOrder, width: number): string {
  const fields = Object.entries(fieldsOf(order))
    .filter(([, text]) => text !== "")
    .map(([label, text]) => labelled(label, text, { indent: 8, width }));
  return paragraphs(
    [`Order ${order.id}`, ...fields].join("\n"),
    table(itemColumns, order.items, width),
    table(eventColumns, order.events, width, ({ detail, reason, message }) => [
      detail,
      reason,
      message,
    ]),
    table(loanColumns, order.loans, width),
    journalTable(order.ledger.entries, width),
    table(issueColumns, order.payment_issues, width, ({ detail, resolution }) => [
      detail,
      resolution && resolutionText(resolution),
    ]),
  );
}

function fieldsOf(order: AdminOrder): Record<string, string> {
  const { carrier, tracking_number, tracking_url } = order;
  const open = order.payment_issues.filter(({ resolution }) => resolution === null).length;
  const customer =
    order.erased_at === null
      ? {
          For: `${order.customer_name} <${order.customer_email}>`,
          To: addressLines(order.shipping_address).join(", "),
          "Bill to": addressLines(order.billing_address).join(", "),
        }
      : { For: `erased at ${formatTime(order.erased_at)} UTC` };
  return {
    Number: order.number ?? "",
    Status: order.status,
    Total: formatGroupedMoney(order.total_price),
    Money: sumsText(order.ledger),
    Issues: open === 0 ? "" : `${open} open: payment-issues show ${shortOrderId(order.id)}`,
    ...customer,
    Shipped: [carrier, tracking_number, tracking_url].filter((text) => text !== null).join(", "),
    Message: order.merchant_message ?? "",
  };
}
