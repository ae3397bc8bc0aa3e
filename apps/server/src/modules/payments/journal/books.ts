import { decimalFromCents, heldChangeOf, isDecision, shopCurrency } from "@keepsats/domain";
import {
  type BooksInterval,
  booksIntervals,
  type CurrencyBooks,
  type ExportedEntry,
  exportedEntrySchema,
  exportedJournalSchema,
  type JournalSummary,
  journalSummarySchema,
  paths,
} from "@keepsats/protocol";
import type { FastifyInstance } from "fastify";
import * as z from "zod/mini";
import type { Queries } from "../../../platform/database/database.ts";
import { csvDescription, csvOperation } from "../../../platform/http/csv.ts";
import { escapeCell } from "../../../platform/http/csv-injection.ts";
import type { Operation } from "../../../platform/http/operation.ts";
import { get, route } from "../../../platform/http/route.ts";
import type { CurrentTimeZone } from "../../../platform/scheduling/calendar-day.ts";
import { findReferences, type OrderReference } from "../../orders/index.ts";
import { sendCsv, sendExport } from "../../staff/index.ts";
import { type DaySum, heldIn, readDaySums, sumsByKind, sumsByPeriod } from "./journal-sums.ts";
import {
  batchesIn,
  type EntryRow,
  type Period,
  periodParameters,
  wholeJournal,
  withPeriod,
} from "./period.ts";
import { readRefundsDue } from "./refunds-due.ts";

const signs =
  "`change` is how an entry changes what the shop holds: `received`, `reversed`, `corrected`, `extension` and `transferred` have the sign of the journal, `refunded` is negative, and `refund-reversed` is positive. `kept`, `waived` and `written-off` are decisions that move no money: their amount is `decided`, and their `change` is 0. An unknown amount is empty, and in no sum.";
const ordered = "Entries are ordered by time. Those recorded after the export began are left out.";

const exportJson = {
  operationId: "exportJournal",
  summary: "Export the journal of money",
  description: `${signs} ${ordered} An answer without its last chunk is incomplete.`,
  permission: "payments:read",
  takes: z.object({ query: periodParameters }),
  answers: { 200: exportedJournalSchema },
} satisfies Operation;

const exportCsv = {
  ...csvOperation,
  operationId: "exportJournalCsv",
  summary: "Export the journal of money as CSV",
  description: `${signs} ${ordered} ${csvDescription}`,
  permission: "payments:read",
  takes: z.object({ query: periodParameters }),
} satisfies Operation;

const summaryParameters = z.extend(periodParameters, {
  by: z.optional(z.enum(booksIntervals).check(z.describe("The rows; `month` by default"))),
});
type SummaryQuery = z.output<typeof summaryParameters>;

const summarize = {
  operationId: "summarizeJournal",
  summary: "Sums of the journal by day or month, with opening and closing balances",
  description: `The sums are those of the exported entries: in each currency \`opening.held\` and the sum of \`change\` make \`closing.held\`. ${signs} \`refund_due\` is the part of \`held\` that had to be refunded at that time, by the status of the orders then.`,
  permission: "payments:read",
  takes: z.object({ query: summaryParameters }),
  answers: { 200: journalSummarySchema },
} satisfies Operation;

/** The export of the journal and its sums. */
export function booksRoutes(app: FastifyInstance, db: Queries, timeZone: CurrentTimeZone): void {
  const json = { name: "journal.json", type: "application/json; charset=utf-8" } as const;
  const sendJson = withPeriod(timeZone, async (period, reply) =>
    sendExport(reply, db, json, journalJson(db, period)),
  );
  route(app, get(paths.admin.journal), exportJson, sendJson);
  const table = { name: "journal.csv", columns: journalColumns };
  const sendTable = withPeriod(timeZone, async (period, reply) =>
    sendCsv(reply, db, table, journalRecords(db, period)),
  );
  route(app, get(paths.admin.journalCsv), exportCsv, sendTable);
  const answerSummary = withPeriod(timeZone, (period, _reply, { by = "month" }: SummaryQuery) =>
    readSummary(db, period, { by, timeZone: timeZone() }),
  );
  route(app, get(paths.admin.journalSummary), summarize, answerSummary);
}

interface SummaryOptions {
  readonly by: BooksInterval;
  /** The zone of the days and months. */
  readonly timeZone: string;
}

export async function readSummary(
  db: Queries,
  period: Period,
  { by, timeZone }: SummaryOptions,
): Promise<JournalSummary> {
  const untilPeriod = { ...wholeJournal, before: period.from };
  const earlier = await readDaySums(db, untilPeriod, timeZone);
  const sums = await readDaySums(db, period, timeZone);
  const { amounts: dueBefore } = await readRefundsDue(db, period.from);
  const { amounts: dueAfter } = await readRefundsDue(db, period.before);
  const used = new Set([...earlier, ...sums].map(({ currency }) => currency));
  used.delete(shopCurrency.code);
  return {
    currencies: [shopCurrency.code, ...[...used].toSorted()].map((currency): CurrencyBooks => {
      const isOwn = (sum: DaySum) => sum.currency === currency;
      const own = sums.filter(isOwn);
      const held = heldIn(earlier.filter(isOwn));
      return {
        currency,
        opening: { held, refund_due: dueBefore.get(currency) ?? 0 },
        sums: sumsByKind(own),
        closing: { held: held + heldIn(own), refund_due: dueAfter.get(currency) ?? 0 },
        periods: sumsByPeriod(own, by),
      };
    }),
  };
}

/** Reads the entries of a period in batches, by time, with what their orders add. */
async function* exportedEntries(db: Queries, period: Period): AsyncGenerator<ExportedEntry[]> {
  for await (const rows of batchesIn(db, period)) {
    const orderIds = new Set(rows.flatMap(({ order_id }) => order_id ?? []));
    const orders = await findReferences(db, [...orderIds]);
    yield rows.map((row) => exportedEntry(row, orders.get(row.order_id ?? "")));
  }
}

function exportedEntry(
  { amount, unknown, by_name: by, grant_kind: grant, ...row }: EntryRow,
  order: OrderReference | undefined,
): ExportedEntry {
  const { kind } = row;
  const isUnknown = amount === 0 && unknown !== 0;
  return {
    ...row,
    order_number: order?.number ?? null,
    country: order?.country || null,
    change: isUnknown ? null : heldChangeOf({ kind, amount }),
    decided: isUnknown ? null : isDecision(kind) ? amount : 0,
    by,
    grant,
  };
}

/** A JSON document of `exportedJournalSchema`, in parts. */
async function* journalJson(db: Queries, period: Period): AsyncGenerator<string> {
  let separator = '{"entries":[';
  for await (const entries of exportedEntries(db, period)) {
    const encoded = entries.map((entry) => z.encode(exportedEntrySchema, entry));
    yield separator + encoded.map((entry) => JSON.stringify(entry)).join();
    separator = ",";
  }
  yield separator === "," ? "]}" : `${separator}]}`;
}

/** Programs rely on the names of the columns, so a new field of the schema comes last. */
const journalColumns = z.keyof(exportedEntrySchema).options;

async function* journalRecords(db: Queries, period: Period): AsyncGenerator<string[][]> {
  for await (const entries of exportedEntries(db, period))
    yield entries.map((entry) => journalColumns.map((column) => cellOf(entry, column)));
}

function cellOf(entry: ExportedEntry, column: (typeof journalColumns)[number]): string {
  if (column === "at") return new Date(entry.at).toISOString();
  if (column === "change" || column === "decided") {
    const cents = entry[column];
    return cents === null ? "" : decimalFromCents(cents);
  }
  return escapeCell(entry[column] ?? "");
}
