import {
  creditNoteNumber,
  decimalFromCents,
  percentFromVatRate,
  receiptNumber,
} from "@keepsats/domain";
import type { RateSum } from "@keepsats/protocol";
import type { Queries } from "../../../platform/database/database.ts";
import { escapeCell } from "../../../platform/http/csv-injection.ts";
import { createYield } from "../../../platform/scheduling/yield-to-event-loop.ts";
import { findReferences } from "../../orders/index.ts";
import type { Period } from "../journal/journal-period.ts";
import { type IssuedReceipt, issuedIn } from "./receipt-repository.ts";

/** Sums the receipts and credit notes of a period by VAT rate. */
export async function readRateSums(db: Queries, period: Period): Promise<RateSum[]> {
  const yieldToEventLoop = createYield({ share: 1 });
  let sums: RateSum[] = [];
  for await (const issued of issuedIn(db, period)) {
    sums = sumsByRate([...sums, ...issued.flatMap(ratesOf)]);
    await yieldToEventLoop();
  }
  return sums;
}

function ratesOf({ sequence, content }: IssuedReceipt): RateSum[] {
  const isCredit = sequence > 0;
  return content.vat.map(({ rate, gross, vat }) => ({
    rate,
    receipts: isCredit ? 0 : gross,
    credit_notes: isCredit ? gross : 0,
    vat: isCredit ? -vat : vat,
  }));
}

/** Adds up sums of the same rate. The highest rate comes first, amounts without tax come last. */
export function sumsByRate(parts: readonly RateSum[]): RateSum[] {
  const groups = [...Map.groupBy(parts, ({ rate }) => rate)];
  return groups
    .toSorted(([one], [other]) => (other ?? -1) - (one ?? -1))
    .map(([rate, ofRate]) => ({
      rate,
      receipts: ofRate.reduce((sum, { receipts }) => sum + receipts, 0),
      credit_notes: ofRate.reduce((sum, { credit_notes }) => sum + credit_notes, 0),
      vat: ofRate.reduce((sum, { vat }) => sum + vat, 0),
    }));
}

/** Programs rely on the names of the columns. A new column is added at the end. */
export const receiptColumns = [
  "number",
  "kind",
  "date",
  "order_number",
  "order_id",
  "total",
  "vat_rate",
  "gross",
  "vat",
  "net",
] as const;

/** A record for each VAT rate of each receipt and credit note, by time. */
export async function* receiptRecords(db: Queries, period: Period): AsyncGenerator<string[][]> {
  for await (const issued of issuedIn(db, period)) {
    const orders = await findReferences(db, [...new Set(issued.map(({ orderId }) => orderId))]);
    yield issued.flatMap((one) => recordsOf(one, orders.get(one.orderId)?.number ?? ""));
  }
}

function recordsOf({ orderId, sequence, content }: IssuedReceipt, orderNumber: string): string[][] {
  const isCredit = sequence > 0;
  const amount = (cents: number) => decimalFromCents(isCredit ? -cents : cents);
  const document = [
    isCredit ? creditNoteNumber(orderNumber, sequence) : receiptNumber(orderNumber),
    isCredit ? "credit-note" : "receipt",
    content.issued_on,
    orderNumber,
    escapeCell(orderId),
    amount(content.total),
  ];
  return content.vat.map(({ rate, gross, vat }) => [
    ...document,
    rate === null ? "" : String(percentFromVatRate(rate)),
    amount(gross),
    amount(vat),
    amount(gross - vat),
  ]);
}
