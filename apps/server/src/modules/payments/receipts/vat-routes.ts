import { paths, receiptsSummarySchema } from "@keepsats/protocol";
import type { FastifyInstance } from "fastify";
import * as z from "zod/mini";
import type { Queries } from "../../../platform/database/database.ts";
import { csvOf, sendExport } from "../../../platform/http/export.ts";
import type { Operation } from "../../../platform/http/operation.ts";
import { route } from "../../../platform/http/route.ts";
import type { CurrentTimeZone } from "../../../platform/scheduling/calendar-day.ts";
import { createYield } from "../../../platform/scheduling/yield-to-event-loop.ts";
import { whileAuthorized } from "../../staff/index.ts";
import { periodOf, periodQuery } from "../journal/period-query.ts";
import { readRateSums, receiptColumns, receiptRecords } from "./vat-report.ts";

const exportCsv = (timeZone: CurrentTimeZone) =>
  ({
    operationId: "exportReceiptsCsv",
    summary: "Export the receipts and credit notes of a period as CSV",
    description:
      "A table for spreadsheets: UTF-8 with a byte order mark, commas, CRLF, and a header row (RFC 4180). It has a row for each VAT rate of each document that was issued in the period, by time. `gross` and `vat` are those of the rate; `total` is that of the document, in each of its rows. `vat_rate` is in percent, and empty without tax. Amounts of credit notes are negative. `date` is the day that the document states. An answer without its last chunk is incomplete.",
    tag: "admin",
    permission: "payments:read",
    takes: z.object({ query: periodQuery(timeZone) }),
    media: "text/csv",
    answers: { 200: z.string() },
  }) satisfies Operation;

const summarize = (timeZone: CurrentTimeZone) =>
  ({
    operationId: "summarizeReceipts",
    summary: "Sums of the receipts and credit notes of a period by VAT rate",
    description:
      "The sums are those of the exported rows. `receipts` and `credit_notes` are gross amounts, and `vat` is the tax of the receipts less that of the credit notes. The highest rate comes first. `rate` is null for amounts without tax.",
    tag: "admin",
    permission: "payments:read",
    takes: z.object({ query: periodQuery(timeZone) }),
    answers: { 200: receiptsSummarySchema },
  }) satisfies Operation;

interface Options {
  readonly db: Queries;
  readonly timeZone: CurrentTimeZone;
}

/** The export of receipts and credit notes, and their VAT. */
export function vatRoutes(app: FastifyInstance, { db, timeZone }: Options): void {
  const { receiptsCsv, receiptsSummary } = paths.admin;
  const csv = { name: "receipts.csv", type: "text/csv; charset=utf-8" } as const;
  route(app, { method: "GET", path: receiptsCsv }, exportCsv(timeZone), async ({ query }, reply) =>
    sendExport(reply, csv, (yieldToEventLoop) => {
      const records = receiptRecords(db, periodOf(query), yieldToEventLoop);
      return whileAuthorized(csvOf(receiptColumns, records), db, reply.request);
    }),
  );
  route(app, { method: "GET", path: receiptsSummary }, summarize(timeZone), async ({ query }) => ({
    rates: await readRateSums(db, periodOf(query), createYield({ share: 1 })),
  }));
}
