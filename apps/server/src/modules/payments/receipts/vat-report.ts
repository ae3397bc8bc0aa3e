import {
  creditNoteNumber,
  decimalFromCents,
  percentFromVatRate,
  receiptNumber,
} from "@keepsats/domain";
import { paths, type RateSum, receiptsSummarySchema } from "@keepsats/protocol";
import type { FastifyInstance } from "fastify";
import * as z from "zod/mini";
import type { Queries } from "../../../platform/database/database.ts";
import { csvDescription, csvOperation } from "../../../platform/http/csv.ts";
import { escapeCell } from "../../../platform/http/csv-injection.ts";
import type { Operation } from "../../../platform/http/operation.ts";
import { get, route } from "../../../platform/http/route.ts";
import type { CurrentTimeZone } from "../../../platform/scheduling/calendar-day.ts";
import { createYield } from "../../../platform/scheduling/yield-to-event-loop.ts";
import { findReferences } from "../../orders/index.ts";
import { sendCsv } from "../../staff/index.ts";
import { type Period, periodParameters, withPeriod } from "../journal/period.ts";
import { type IssuedReceipt, issuedIn } from "./receipt-repository.ts";

const exportCsv = {
  ...csvOperation,
  operationId: "exportReceiptsCsv",
  summary: "Export the receipts and credit notes of a period as CSV",
  description: `There is a row for each VAT rate of each receipt and credit note that was issued in the period, by time. \`gross\`, \`vat\` and \`net\` are the amounts of this rate; \`total\` is the whole amount, repeated in each row. \`vat_rate\` is in percent, and empty without tax. Amounts of credit notes are negative. \`date\` is the day that the receipt or credit note states. ${csvDescription}`,
  permission: "payments:read",
  takes: z.object({ query: periodParameters }),
} satisfies Operation;

const summarize = {
  operationId: "summarizeReceipts",
  summary: "Sums of the receipts and credit notes of a period by VAT rate",
  description:
    "The sums are those of the exported rows. `receipts` and `credit_notes` are gross amounts, and `vat` is the tax of the receipts less that of the credit notes. The highest rate comes first. `rate` is null for amounts without tax.",
  permission: "payments:read",
  takes: z.object({ query: periodParameters }),
  answers: { 200: receiptsSummarySchema },
} satisfies Operation;

/** The export of receipts and credit notes, and their VAT. */
export function vatRoutes(app: FastifyInstance, db: Queries, timeZone: CurrentTimeZone): void {
  const table = { name: "receipts.csv", columns: receiptColumns };
  const sendTable = withPeriod(timeZone, async (period, reply) =>
    sendCsv(reply, db, table, receiptRecords(db, period)),
  );
  route(app, get(paths.admin.receiptsCsv), exportCsv, sendTable);
  const answerSummary = withPeriod(timeZone, async (period) => ({
    rates: await readRateSums(db, period),
  }));
  route(app, get(paths.admin.receiptsSummary), summarize, answerSummary);
}

/** Sums the receipts and credit notes of a period by VAT rate. */
async function readRateSums(db: Queries, period: Period): Promise<RateSum[]> {
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
const receiptColumns = [
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
async function* receiptRecords(db: Queries, period: Period): AsyncGenerator<string[][]> {
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
