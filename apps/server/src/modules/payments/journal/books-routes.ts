import { shopCurrency } from "@keepsats/domain";
import {
  type BooksInterval,
  booksIntervals,
  type CurrencyBooks,
  exportedJournalSchema,
  type JournalSummary,
  journalSummarySchema,
  paths,
} from "@keepsats/protocol";
import type { FastifyInstance } from "fastify";
import * as z from "zod/mini";
import type { Queries } from "../../../platform/database/database.ts";
import { csvDescription, csvOperation } from "../../../platform/http/csv.ts";
import type { Operation } from "../../../platform/http/operation.ts";
import { get, route } from "../../../platform/http/route.ts";
import type { CurrentTimeZone } from "../../../platform/scheduling/calendar-day.ts";
import { sendCsv, sendExport } from "../../staff/index.ts";
import { journalColumns, journalJson, journalRecords } from "./export-journal.ts";
import { type Period, wholeJournal } from "./journal-period.ts";
import { type DaySum, heldIn, readDaySums, sumsByKind, sumsByPeriod } from "./journal-sums.ts";
import { periodParameters, withPeriod } from "./period-parameters.ts";
import { readRefundDueAt } from "./refunds-due.ts";

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
  const dueBefore = await readRefundDueAt(db, period.from);
  const dueAfter = await readRefundDueAt(db, period.before);
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
