import { formatMoney, lineTotal, shortOrderId } from "@keepsats/domain";
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
const eventColumns: readonly Column[] = [
  { head: "WHEN (UTC)" },
  { head: "WHAT" },
  { head: "BY", most: 20 },
];
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

const refundColumns: readonly Column[] = [
  { head: "GIVEN BACK (UTC)" },
  { head: "AMOUNT", right: true },
  { head: "HOW", fill: true },
  { head: "BY", most: 20 },
];

const deliveryColumns: readonly Column[] = [
  { head: "TOLD (UTC)" },
  { head: "WHAT", most: 24 },
  { head: "HOW", most: 14 },
  { head: "STATE", most: 10 },
];

/**
 * Describes an order in lines that fit the terminal, so that no customer's text can look like a
 * line of the output.
 */
export function describeOrder(order: MerchantOrder, width: number): string {
  const field = (label: string, text: string) => labelled(label, text, { indent: INDENT, width });
  return [
    `Order ${order.id}`,
    field("Status", order.status),
    field("Total", formatMoney(order.total_price)),
    ...moneyOf(order, field),
    ...personOf(order, field),
    ...shipmentOf(order, field),
    ...(order.merchant_message === null ? [] : [field("Message", order.merchant_message)]),
    "",
    ...linesOf(order, width),
    "",
    ...eventsOf(order, width),
    ...contractsOf(order, width),
    ...refundsOf(order, width),
    ...mismatchesOf(order, width),
    ...deliveriesOf(order, width),
  ].join("\n");
}

type Field = (label: string, text: string) => string;

/**
 * What is owed, or what an order that waits to be paid has received by loans that do not pay it.
 */
function moneyOf(order: MerchantOrder, field: Field): string[] {
  const owed = owedNow(order);
  if (owed.loans === 0) return [];
  const unfit = order.ledger.refundable - order.ledger.owed;
  if (unfit === 0) return [field("Owed", `${formatOwed(owed)} to refund`)];
  const what = `${formatMoney(unfit)} came by loans that do not pay it`;
  return [field("Unfit", `${what}: mismatches show ${shortOrderId(order.id)}`)];
}

function personOf(order: MerchantOrder, field: Field): string[] {
  if (order.erased_at !== null)
    return [field("For", `erased at ${formatTime(order.erased_at)} UTC`)];
  return [
    field("For", `${order.customer_name} <${order.customer_email}>`),
    field("To", addressText(order.shipping_address)),
    field("Bill to", addressText(order.billing_address)),
  ];
}

/** How the order travels. */
function shipmentOf(
  { carrier, tracking_number, tracking_url }: MerchantOrder,
  field: Field,
): string[] {
  const parts = [carrier, tracking_number, tracking_url].filter((part) => part !== null);
  return parts.length === 0 ? [] : [field("Shipped", parts.join(", "))];
}

/** The money that was given back. */
function refundsOf({ ledger: { entries } }: MerchantOrder, width: number): string[] {
  const refunds = entries.filter((entry) => entry.kind === "given_back");
  if (refunds.length === 0) return [];
  const rows = refunds.map(({ at, amount, method, reference, by }) => [
    formatTime(at),
    formatMoney(amount),
    [method, reference].filter((part) => part !== null).join(", "),
    by,
  ]);
  return ["", ...table(refundColumns, rows, width)];
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
  const rows = mismatches.map(({ seen_at, kind, contract_id }) => [
    formatTime(seen_at),
    kind,
    contract_id,
  ]);
  const details = mismatches.map(({ detail, resolution }) => [
    detail,
    ...(resolution === null
      ? []
      : [`${resolution.kind.replaceAll("_", " ")} by ${resolution.by}: ${resolution.note}`]),
  ]);
  return ["", ...withNotes(table(mismatchColumns, rows, width), details, width)];
}

/**
 * The letters and webhook messages about the order. Below each stands what was answered, if it was
 * not delivered, and its id, with which `deliveries repeat` sends it again.
 */
function deliveriesOf({ deliveries }: MerchantOrder, width: number): string[] {
  if (deliveries.length === 0) return [];
  const rows = deliveries.map(({ ended_at, created_at, channel, type, state }) => [
    formatTime(ended_at ?? created_at),
    type,
    channel,
    state,
  ]);
  const notes = deliveries.map(({ id, state, answer }) =>
    state === "delivered" || answer === null ? [id] : [answer, id],
  );
  return ["", ...withNotes(table(deliveryColumns, rows, width), notes, width)];
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
  const rows = events.map((event) => [
    formatTime(event.at),
    whatHappened(event),
    event.by_name ?? event.by,
  ]);
  const notes = events.map(({ detail, reason, message }) => [
    ...(detail === null ? [] : [detail]),
    ...(reason === null ? [] : [reason]),
    ...(message === null ? [] : [message]),
  ]);
  return withNotes(table(eventColumns, rows, width), notes, width);
}

/** The statuses of a move, or in words what else was changed. */
function whatHappened({ kind, from, to }: MerchantOrder["events"][number]): string {
  if (from === null) return to;
  return from === to ? kind.replaceAll("-", " ") : `${from} → ${to}`;
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
