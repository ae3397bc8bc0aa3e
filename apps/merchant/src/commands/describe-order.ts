import { formatMoney, lineTotal } from "@keepsats/domain";
import type { MerchantOrder } from "@keepsats/protocol";
import { type Column, formatTime, labelled, table } from "../output.ts";
import { formatOwed, owedNow } from "../owed.ts";

const INDENT = 8;
/** The width of a time, to indent the notes of a row. */
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
  { head: "AMOUNT", right: true },
  { head: "BOUND (UTC)" },
];

const mismatchColumns: readonly Column[] = [
  { head: "SEEN (UTC)" },
  { head: "MISMATCH", most: 20 },
  { head: "CONTRACT", most: 40 },
];

/** Describes an order in lines that fit the terminal, so that no customer's text can look like a line of the output. */
export function describeOrder(order: MerchantOrder, width: number): string {
  const field = (label: string, text: string) => labelled(label, text, { indent: INDENT, width });
  const owed = owedNow(order);
  return [
    `Order ${order.id}`,
    field("Status", order.status),
    field("Total", formatMoney(order.total_price)),
    ...(owed.loans === 0 ? [] : [field("Owed", `${formatOwed(owed)} to refund`)]),
    field("For", `${order.customer_name} <${order.customer_email}>`),
    field("To", addressText(order.shipping_address)),
    field("Bill to", addressText(order.billing_address)),
    "",
    ...linesOf(order, width),
    "",
    ...eventsOf(order, width),
    ...contractsOf(order, width),
    ...mismatchesOf(order, width),
  ].join("\n");
}

function addressText({
  street,
  city,
  state,
  postal_code,
  country,
}: MerchantOrder["shipping_address"]): string {
  return `${street}, ${city}, ${state} ${postal_code}, ${country}`;
}

function contractsOf({ contracts }: MerchantOrder, width: number): string[] {
  if (contracts.length === 0) return [];
  const rows = contracts.map(({ id, status, meaning, amount, extends: earlier, bound_at }) => [
    id,
    status,
    earlier === null ? meaning : "extends",
    amount === null ? "" : formatMoney(amount),
    formatTime(bound_at),
  ]);
  return ["", ...table(contractColumns, rows, width)];
}

/** The loans that do not pay the order, each with the reason on its own line. */
function mismatchesOf({ mismatches }: MerchantOrder, width: number): string[] {
  if (mismatches.length === 0) return [];
  const rows = mismatches.map(({ seen_at, kind, contract_id }) => [formatTime(seen_at), kind, contract_id]);
  const details = mismatches.map(({ detail }) => [detail]);
  return ["", ...withNotes(table(mismatchColumns, rows, width), details, width)];
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
  const reasons = events.map(({ reason }) => (reason === null ? [] : [reason]));
  return withNotes(table(eventColumns, rows, width), reasons, width);
}

/** A table whose rows are followed by their notes. */
function withNotes(
  [head = "", ...lines]: readonly string[],
  notes: readonly (readonly string[])[],
  width: number,
): string[] {
  const below = (at: number) =>
    (notes[at] ?? []).map((note) => labelled("", note, { indent: TIME_INDENT, width }));
  return [head, ...lines.flatMap((line, at) => [line, ...below(at)])];
}
