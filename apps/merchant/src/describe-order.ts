import { formatMoney, lineTotal, shortOrderId } from "@keepsats/domain";
import { type MerchantOrder, resolutionText } from "@keepsats/protocol";
import { amountText, journalTable, sumsText } from "./ledger.ts";
import { type Column, formatTime, labelled, table } from "./output.ts";

const INDENT = 8;

type Columns<List extends readonly unknown[]> = readonly Column<List[number]>[];

const itemColumns: Columns<MerchantOrder["items"]> = [
  { head: "ITEM", fill: true, cell: ({ quantity, name }) => `${quantity} × ${name}` },
  { head: "EACH", right: true, cell: ({ price }) => formatMoney(price) },
  { head: "TOTAL", right: true, cell: (line) => formatMoney(lineTotal(line)) },
];

const eventColumns: Columns<MerchantOrder["events"]> = [
  { head: "WHEN (UTC)", cell: ({ at }) => formatTime(at) },
  {
    head: "WHAT",
    cell({ kind, from, to }) {
      if (from === null) return to;
      return from === to ? kind.replaceAll("-", " ") : `${from} → ${to}`;
    },
  },
  { head: "BY", most: 20, cell: ({ by, by_name }) => by_name ?? by },
];

const loanColumns: Columns<MerchantOrder["loans"]> = [
  { head: "LOAN", most: 40, cell: ({ id }) => id },
  { head: "STATUS", most: 25, cell: ({ provider_status }) => provider_status },
  { head: "STATE", most: 12, cell: (loan) => (loan.is_extension ? "extension" : loan.state) },
  {
    head: "AMOUNT",
    right: true,
    cell: ({ amount, currency }) => amountText(amount, currency),
  },
  { head: "BOUND (UTC)", cell: ({ bound_at }) => formatTime(bound_at) },
];

const issueColumns: Columns<MerchantOrder["payment_issues"]> = [
  { head: "OPENED (UTC)", cell: ({ opened_at }) => formatTime(opened_at) },
  { head: "ISSUE", most: 20, cell: ({ kind }) => kind },
  { head: "LOAN", most: 40, cell: ({ loan_id }) => loan_id },
];

/**
 * Describes an order in lines that fit the terminal, so that no customer's text can look like a
 * line of the output.
 */
export function describeOrder(order: MerchantOrder, width: number): string {
  const fields = fieldsOf(order).map(([label, text]) =>
    labelled(label, text, { indent: INDENT, width }),
  );
  const tables = [
    table(itemColumns, order.items, width),
    table(eventColumns, order.events, width, ({ detail, reason, message }) =>
      [detail, reason, message].filter((note) => note !== null),
    ),
    order.loans.length === 0 ? "" : table(loanColumns, order.loans, width),
    journalTable(order.ledger.entries, width),
    order.payment_issues.length === 0 ? "" : issueTable(order, width),
  ];
  const texts = [[`Order ${order.id}`, ...fields].join("\n"), ...tables];
  return texts.filter((text) => text !== "").join("\n\n");
}

function fieldsOf(order: MerchantOrder): [label: string, text: string][] {
  const shipment = [order.carrier, order.tracking_number, order.tracking_url]
    .filter((part) => part !== null)
    .join(", ");
  const fields: [label: string, text: string][] = [
    ["Status", order.status],
    ["Total", formatMoney(order.total_price)],
    ["Money", sumsText(order.ledger)],
    ["Issues", openIssuesText(order)],
    ...personFields(order),
    ["Shipped", shipment],
    ["Message", order.merchant_message ?? ""],
  ];
  return fields.filter(([, text]) => text !== "");
}

function openIssuesText({ id, payment_issues }: MerchantOrder): string {
  const open = payment_issues.filter(({ resolution }) => resolution === null).length;
  return open === 0 ? "" : `${open} open: payment-issues show ${shortOrderId(id)}`;
}

function personFields(order: MerchantOrder): [label: string, text: string][] {
  if (order.erased_at !== null) return [["For", `erased at ${formatTime(order.erased_at)} UTC`]];
  return [
    ["For", `${order.customer_name} <${order.customer_email}>`],
    ["To", addressText(order.shipping_address)],
    ["Bill to", addressText(order.billing_address)],
  ];
}

function addressText(address: MerchantOrder["shipping_address"]): string {
  const { street, city, state, postal_code, country } = address;
  return `${street}, ${city}, ${state} ${postal_code}, ${country}`;
}

function issueTable({ payment_issues }: MerchantOrder, width: number): string {
  return table(issueColumns, payment_issues, width, ({ detail, resolution }) =>
    resolution === null ? [detail] : [detail, resolutionText(resolution)],
  );
}
