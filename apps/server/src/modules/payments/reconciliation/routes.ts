import { decimalFromCents } from "@keepsats/domain";
import { type ComparedLoan, paths, reconciliationSchema } from "@keepsats/protocol";
import type { FastifyInstance, FastifyReply } from "fastify";
import * as z from "zod/mini";
import type { Queries } from "../../../platform/database/database.ts";
import { csvDescription, csvOperation } from "../../../platform/http/csv.ts";
import { escapeCell } from "../../../platform/http/csv-injection.ts";
import type { Operation } from "../../../platform/http/operation.ts";
import { get, route } from "../../../platform/http/route.ts";
import { Refusal } from "../../../platform/refusal.ts";
import type { CurrentTimeZone } from "../../../platform/scheduling/calendar-day.ts";
import { DAY, SECOND } from "../../../platform/scheduling/clock.ts";
import { slices } from "../../../platform/scheduling/slices.ts";
import { sendCsv } from "../../staff/index.ts";
import { boundedPeriodParameters, withPeriod } from "../journal/period.ts";
import type { ComparedList, Reconcile, ReconcileOutcome } from "./reconcile.ts";

/** A result is in memory, so a period has a maximum length. */
const MAX_DAYS = 366;
const MAX_DIFFERENCES = 1_000;
const MAX_ROWS_PER_BATCH = 200;

const description =
  "Loans count in the period of their payout in the journal; those that only the provider has, in the period of their last change. Extensions are loans of their own. The provider's list is read at most once a minute: until then the last result of the same period is answered, and another period is refused with `too_many`. `unavailable`: the provider does not answer.";

const showDifferences = {
  operationId: "reconcile",
  summary: "The loans of a period in the journal, beside the provider's list",
  description,
  permission: "payments:read",
  takes: z.object({ query: boundedPeriodParameters }),
  answers: { 200: reconciliationSchema },
} satisfies Operation;

const exportCsv = {
  ...csvOperation,
  operationId: "reconcileCsv",
  summary: "All loans of a period beside the provider's list, as CSV",
  description: `${description} ${csvDescription}`,
  permission: "payments:read",
  takes: z.object({ query: boundedPeriodParameters }),
} satisfies Operation;

interface Options {
  readonly db: Queries;
  readonly reconcile: Reconcile;
  readonly timeZone: CurrentTimeZone;
}

export function reconciliationRoutes(
  app: FastifyInstance,
  { db, reconcile, timeZone }: Options,
): void {
  /** Compares the lists of a period of limited length, and answers with the result. */
  const answerWith = <Answer>(answer: (list: ComparedList, reply: FastifyReply) => Answer) =>
    withPeriod(timeZone, async (period, reply) => {
      // The clock may change within the period.
      if (Math.round((period.before - period.from) / DAY) > MAX_DAYS) {
        const message = `must be at most ${MAX_DAYS} days after \`from\``;
        return new Refusal("invalid", { errors: [{ path: "to", message }] });
      }
      const outcome = await reconcile(period);
      return outcome.kind === "compared"
        ? answer(outcome.list, reply)
        : notCompared(reply, outcome);
    });
  route(app, get(paths.admin.reconciliation), showDifferences, answerWith(answerOf));
  const table = { name: "reconciliation.csv", columns };
  const sendTable = answerWith(({ loans }, reply) => sendCsv(reply, db, table, batchesOf(loans)));
  route(app, get(paths.admin.reconciliationCsv), exportCsv, sendTable);
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

function notCompared(
  reply: FastifyReply,
  outcome: Exclude<ReconcileOutcome, { kind: "compared" }>,
): Refusal {
  switch (outcome.kind) {
    case "too-soon": {
      const seconds = Math.max(1, Math.ceil(outcome.wait / SECOND));
      reply.header("Retry-After", seconds);
      return new Refusal("too_many", {
        detail: `The loan provider's list was just read for another period. Try again in ${seconds} s.`,
      });
    }
    case "busy":
      return new Refusal("unavailable", {
        detail: "Too many calls to the loan provider. Try again in a few seconds.",
      });
    case "unavailable":
      return new Refusal("unavailable", {
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

function* batchesOf(loans: readonly ComparedLoan[]): Generator<string[][]> {
  for (const batch of slices(loans, MAX_ROWS_PER_BATCH)) yield batch.map(cellsOf);
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
