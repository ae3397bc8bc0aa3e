import { type Cents, shopCurrency } from "@keepsats/domain";
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
import { route } from "../../../platform/http/route.ts";
import type { CurrentTimeZone } from "../../../platform/scheduling/calendar-day.ts";
import { createYield } from "../../../platform/scheduling/yield-to-event-loop.ts";
import { sendCsv, sendExport } from "../../staff/index.ts";
import { journalColumns, journalJson, journalRecords } from "./export-journal.ts";
import type { Period } from "./journal-period.ts";
import { type DaySum, heldIn, readDaySums, sumsByKind, sumsByPeriod } from "./journal-sums.ts";
import { isOrdered, openPeriod, periodOf, periodQuery } from "./period-query.ts";
import { readRefundDueAt } from "./refunds-due.ts";

const signs =
  "`change` is how an entry changes what the shop holds: `received`, `reversed`, `corrected`, `extension` and `transferred` have the sign of the journal, `refunded` is negative, and `refund-reversed` is positive. `kept`, `waived` and `written-off` are decisions that move no money: their amount is `decided`, and their `change` is 0. An unknown amount is empty, and in no sum.";
const ordered = "Entries are ordered by time. Those recorded after the export began are left out.";

const exportJson = (timeZone: CurrentTimeZone) =>
  ({
    operationId: "exportJournal",
    summary: "Export the journal of money",
    description: `${signs} ${ordered} An answer without its last chunk is incomplete.`,
    permission: "payments:read",
    takes: z.object({ query: periodQuery(timeZone) }),
    answers: { 200: exportedJournalSchema },
  }) satisfies Operation;

const exportCsv = (timeZone: CurrentTimeZone) =>
  ({
    ...csvOperation,
    operationId: "exportJournalCsv",
    summary: "Export the journal of money as CSV",
    description: `${signs} ${ordered} ${csvDescription}`,
    permission: "payments:read",
    takes: z.object({ query: periodQuery(timeZone) }),
  }) satisfies Operation;

const summarize = (timeZone: CurrentTimeZone) =>
  ({
    operationId: "summarizeJournal",
    summary: "Sums of the journal by day or month, with opening and closing balances",
    description: `The sums are those of the exported entries: in each currency \`opening.held\` and the sum of \`change\` make \`closing.held\`. ${signs} \`refund_due\` is the part of \`held\` that had to be refunded at that time, by the status of the orders then.`,
    permission: "payments:read",
    takes: z.object({
      query: z
        .extend(openPeriod(timeZone), {
          by: z.optional(z.enum(booksIntervals).check(z.describe("The rows; `month` by default"))),
        })
        .check(isOrdered),
    }),
    answers: { 200: journalSummarySchema },
  }) satisfies Operation;

interface Options {
  readonly db: Queries;
  readonly timeZone: CurrentTimeZone;
}

/** The export of the journal and its sums. */
export function booksRoutes(app: FastifyInstance, { db, timeZone }: Options): void {
  const { journal, journalCsv, journalSummary } = paths.admin;
  const json = { name: "journal.json", type: "application/json; charset=utf-8" } as const;
  route(app, { method: "GET", path: journal }, exportJson(timeZone), async ({ query }, reply) =>
    sendExport(reply, db, json, (yieldToEventLoop) =>
      journalJson(db, periodOf(query), yieldToEventLoop),
    ),
  );
  const table = { name: "journal.csv", columns: journalColumns };
  route(app, { method: "GET", path: journalCsv }, exportCsv(timeZone), async ({ query }, reply) =>
    sendCsv(reply, db, table, (yieldToEventLoop) =>
      journalRecords(db, periodOf(query), yieldToEventLoop),
    ),
  );
  route(app, { method: "GET", path: journalSummary }, summarize(timeZone), async ({ query }) =>
    readSummary(db, periodOf(query), { by: query.by ?? "month", timeZone: timeZone() }),
  );
}

interface SummaryOptions {
  readonly by: BooksInterval;
  /** The zone of the days and months. */
  readonly timeZone: string;
}

export async function readSummary(
  db: Queries,
  { from, before }: Period,
  { by, timeZone }: SummaryOptions,
): Promise<JournalSummary> {
  const yieldToEventLoop = createYield({ share: 1 });
  const none: DaySum[] = [];
  const earlier =
    from === undefined
      ? none
      : await readDaySums(db, { from: undefined, before: from }, timeZone, yieldToEventLoop);
  const sums = await readDaySums(db, { from, before }, timeZone, yieldToEventLoop);
  const dueBefore =
    from === undefined
      ? new Map<string, Cents>()
      : await readRefundDueAt(db, from, yieldToEventLoop);
  const dueAfter = await readRefundDueAt(db, before ?? Number.MAX_SAFE_INTEGER, yieldToEventLoop);
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
