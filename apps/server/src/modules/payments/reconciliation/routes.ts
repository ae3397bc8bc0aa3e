import { decimalFromCents } from "@keepsats/domain";
import { type ComparedLoan, paths, reconciliationSchema } from "@keepsats/protocol";
import type { FastifyInstance, FastifyReply } from "fastify";
import * as z from "zod/mini";
import type { Queries } from "../../../platform/database/database.ts";
import { escapeCell } from "../../../platform/http/csv-injection.ts";
import { csvOf, sendExport } from "../../../platform/http/export.ts";
import type { Operation } from "../../../platform/http/operation.ts";
import { sendProblem } from "../../../platform/http/problems.ts";
import { route } from "../../../platform/http/route.ts";
import { timeParameter } from "../../../platform/http/time-parameter.ts";
import type { CurrentTimeZone } from "../../../platform/scheduling/calendar-day.ts";
import { DAY, SECOND } from "../../../platform/scheduling/clock.ts";
import type { YieldToEventLoop } from "../../../platform/scheduling/yield-to-event-loop.ts";
import { whileAuthorized } from "../../staff/index.ts";
import { isOrdered } from "../journal/period-query.ts";
import type { ComparedList, Reconcile, ReconcileOutcome } from "./reconcile.ts";

/** A result is in memory, so a period has a maximum length. */
const MAX_DAYS = 366;
const MAX_DIFFERENCES = 1_000;
const MAX_ROWS_PER_BATCH = 200;

const isShort = z.check<{ readonly from: number; readonly to: number }>((context) => {
  const { from, to } = context.value;
  // The clock may change within the period.
  if (Math.round((to - from) / DAY) <= MAX_DAYS) return;
  const message = `must be at most ${MAX_DAYS} days after \`from\``;
  context.issues.push({ code: "custom", path: ["to"], message, input: to });
});

const periodQuery = (timeZone: CurrentTimeZone) =>
  z
    .object({
      from: timeParameter(timeZone, "The first day of the shop's time zone, or a time"),
      to: timeParameter(timeZone, "The last day, or the last second", { end: true }),
    })
    .check(isOrdered, isShort);

const description =
  "Loans count in the period of their payout in the journal; those that only the provider has, in the period of their last change. Extensions are loans of their own. The provider's list is read at most once a minute: until then the last result of the same period is answered, and another period is refused with `too_many`. `unavailable`: the provider does not answer.";

const reconcile = (timeZone: CurrentTimeZone) =>
  ({
    operationId: "reconcile",
    summary: "The loans of a period in the journal, beside the provider's list",
    description,
    tag: "admin",
    permission: "payments:read",
    takes: z.object({ query: periodQuery(timeZone) }),
    answers: { 200: reconciliationSchema },
  }) satisfies Operation;

const reconcileCsv = (timeZone: CurrentTimeZone) =>
  ({
    operationId: "reconcileCsv",
    summary: "All loans of a period beside the provider's list, as CSV",
    description: `${description} A table for spreadsheets as in GET ${paths.admin.journalCsv}.`,
    tag: "admin",
    permission: "payments:read",
    takes: z.object({ query: periodQuery(timeZone) }),
    media: "text/csv",
    answers: { 200: z.string() },
  }) satisfies Operation;

interface Options {
  readonly db: Queries;
  readonly reconcile: Reconcile;
  readonly timeZone: CurrentTimeZone;
}

export function reconciliationRoutes(
  app: FastifyInstance,
  { db, reconcile: compare, timeZone }: Options,
): void {
  const { reconciliation, reconciliationCsv } = paths.admin;
  route(app, { method: "GET", path: reconciliation }, reconcile(timeZone), async (taken, reply) => {
    const { from, to: before } = taken.query;
    const outcome = await compare({ from, before });
    return outcome.kind === "compared" ? answerOf(outcome.list) : sendNotCompared(reply, outcome);
  });
  const csv = { name: "reconciliation.csv", type: "text/csv; charset=utf-8" } as const;
  route(
    app,
    { method: "GET", path: reconciliationCsv },
    reconcileCsv(timeZone),
    async (taken, reply) => {
      const { from, to: before } = taken.query;
      const outcome = await compare({ from, before });
      if (outcome.kind !== "compared") return sendNotCompared(reply, outcome);
      return sendExport(reply, csv, (yieldToEventLoop) => {
        const records = recordsOf(outcome.list, yieldToEventLoop);
        return whileAuthorized(csvOf(columns, records), db, reply.request);
      });
    },
  );
}

function answerOf({ readAt, loans, counts }: ComparedList) {
  return {
    read_at: readAt,
    counts: {
      same: counts.same,
      different: counts.different,
      only_shop: counts["only-shop"],
      only_provider: counts["only-provider"],
    },
    differences: loans.filter(({ match }) => match !== "same").slice(0, MAX_DIFFERENCES),
  };
}

function sendNotCompared(
  reply: FastifyReply,
  outcome: Exclude<ReconcileOutcome, { kind: "compared" }>,
): FastifyReply {
  switch (outcome.kind) {
    case "too-soon": {
      const seconds = Math.max(1, Math.ceil(outcome.wait / SECOND));
      return sendProblem(reply.header("Retry-After", seconds), "too_many", {
        detail: `The loan provider's list was just read for another period. Try again in ${seconds} s.`,
      });
    }
    case "busy":
      return sendProblem(reply, "unavailable", {
        detail: "Too many calls to the loan provider. Try again in a few seconds.",
      });
    case "unavailable":
      return sendProblem(reply, "unavailable", {
        detail: "The loan provider's list could not be read. Try again in a minute.",
      });
  }
}

/** Programs rely on the names of the columns. A new column is added at the end. */
const columns = [
  "match",
  "loan_id",
  "order_id",
  "order_number",
  "paid_at",
  "shop_amount",
  "shop_currency",
  "provider_amount",
  "provider_currency",
  "provider_status",
];

async function* recordsOf(
  { loans }: ComparedList,
  yieldToEventLoop: YieldToEventLoop,
): AsyncGenerator<string[][]> {
  for (let start = 0; start < loans.length; start += MAX_ROWS_PER_BATCH) {
    yield loans.slice(start, start + MAX_ROWS_PER_BATCH).map(cellsOf);
    await yieldToEventLoop();
  }
}

function cellsOf(loan: ComparedLoan): string[] {
  const { match, loan_id, order_id, order_number, paid_at, shop, provider, provider_status } = loan;
  return [
    match,
    escapeCell(loan_id),
    order_id ?? "",
    order_number ?? "",
    paid_at === null ? "" : new Date(paid_at).toISOString(),
    ...[shop, provider].flatMap((money) => [
      money?.amount == null ? "" : decimalFromCents(money.amount),
      escapeCell(money?.currency ?? ""),
    ]),
    escapeCell(provider_status ?? ""),
  ];
}
