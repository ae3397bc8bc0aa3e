import { paths, receiptsSummarySchema } from "@keepsats/protocol";
import type { FastifyInstance } from "fastify";
import * as z from "zod/mini";
import type { Queries } from "../../../platform/database/database.ts";
import { csvDescription, csvOperation } from "../../../platform/http/csv.ts";
import type { Operation } from "../../../platform/http/operation.ts";
import { get, route } from "../../../platform/http/route.ts";
import type { CurrentTimeZone } from "../../../platform/scheduling/calendar-day.ts";
import { sendCsv } from "../../staff/index.ts";
import { periodParameters, withPeriod } from "../journal/period-parameters.ts";
import { readRateSums, receiptColumns, receiptRecords } from "./vat-report.ts";

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
