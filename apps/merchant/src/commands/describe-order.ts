import { formatMoney, lineTotal } from "@keepsats/domain";
import type { MerchantOrder } from "@keepsats/protocol";
import { type Column, formatTime, labelled, table } from "../output.ts";

const INDENT = 8;
/** The width of a time, so that what belongs to one stands under what comes after it. */
const TIME_INDENT = 18;

const lineColumns: readonly Column[] = [
  { head: "ITEM", fill: true },
  { head: "EACH", right: true },
  { head: "TOTAL", right: true },
];
const eventColumns: readonly Column[] = [{ head: "WHEN (UTC)" }, { head: "WHAT" }, { head: "BY", most: 20 }];
const contractColumns: readonly Column[] = [
  { head: "CONTRACT", most: 40 },
  { head: "STATUS", most: 25 },
  { head: "MEANS", most: 12 },
  { head: "BOUND (UTC)" },
];

/** All of an order for a person, in lines that fit the terminal: no text of a customer's can look like one of ours. */
export function describeOrder(order: MerchantOrder, width: number): string {
  const field = (label: string, text: string) => labelled(label, text, { indent: INDENT, width });
  const { street, city, state, postal_code, country } = order.shipping_address;
  const contracts = order.contracts.map(({ id, status, meaning, bound_at }) => [
    id,
    status,
    meaning,
    formatTime(bound_at),
  ]);
  return [
    `Order ${order.id}`,
    field("Status", order.status),
    field("Total", formatMoney(order.total_price)),
    field("For", `${order.customer_name} <${order.customer_email}>`),
    field("To", `${street}, ${city}, ${state} ${postal_code}, ${country}`),
    "",
    ...linesOf(order, width),
    "",
    ...eventsOf(order, width),
    ...(contracts.length === 0 ? [] : ["", ...table(contractColumns, contracts, width)]),
  ].join("\n");
}

function linesOf({ items }: MerchantOrder, width: number): string[] {
  const rows = items.map((line) => [
    `${line.quantity} × ${line.name}`,
    formatMoney(line.price),
    formatMoney(lineTotal(line)),
  ]);
  return table(lineColumns, rows, width);
}

function eventsOf({ events }: MerchantOrder, width: number): string[] {
  const rows = events.map(({ at, from, to, by }) => [
    formatTime(at),
    from === null ? to : `${from} → ${to}`,
    by,
  ]);
  const [head = "", ...lines] = table(eventColumns, rows, width);
  const reasons = events.map(({ reason }) =>
    reason === null ? [] : [labelled("", reason, { indent: TIME_INDENT, width })],
  );
  return [head, ...lines.flatMap((line, at) => [line, ...(reasons[at] ?? [])])];
}
