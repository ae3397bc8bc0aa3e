import { type LoanState, paths, type Today, todaySchema } from "@keepsats/protocol";
import type { FastifyInstance } from "fastify";
import { countLowItems } from "../catalogue/low-stock.ts";
import type { Config } from "../config.ts";
import type { Queries } from "../db/database.ts";
import { noFields, type Operation } from "../http/operation.ts";
import { route } from "../http/route.ts";
import type { OrderFigures } from "../orders/index.ts";
import { MAIL } from "../outbox/channel.ts";
import { type ChannelFigures, countDeliveries } from "../outbox/figures.ts";
import { readServiceState } from "../outbox/outages.ts";
import {
  countIssues,
  type ProviderState,
  readRefundsDue,
  readSweepState,
} from "../payments/index.ts";
import { hiddenChannelOf } from "./actor-of.ts";

const operation = {
  operationId: "today",
  summary: "What is to do, and the figures of the shop",
  description:
    "How many orders wait to be shipped, what else needs somebody, the orders of the last 30 days (UTC), and whether loan provider and mail are there. The figures of orders and loans are a few seconds old at most; the times from order to payment and the loans are those of the last 30 days too. To staff `deliveries_given_up` has the letters only.",
  tag: "merchant",
  permission: "reports:read",
  takes: noFields,
  answers: { 200: todaySchema },
} satisfies Operation;

interface Options {
  readonly db: Queries;
  readonly figures: () => Promise<OrderFigures>;
  readonly telemetry: { readonly providerState: () => Promise<ProviderState> };
  readonly config: Pick<Config, "mail">;
}

export function todayRoute(app: FastifyInstance, options: Options): void {
  route(app, { method: "GET", path: paths.merchant.today }, operation, (_, reply) =>
    readToday(options, hiddenChannelOf(reply.request)),
  );
}

/** Reads the answer. @param hidden the channel of the outbox that is left out */
export async function readToday(
  { db, figures, telemetry, config }: Options,
  hidden: string | undefined,
): Promise<Today> {
  const issues = await countIssues(db);
  const items = await countLowItems(db);
  const channels = (await countDeliveries(db)).filter(({ channel }) => channel !== hidden);
  const mail = channels.filter(({ channel }) => channel.startsWith("mail-"));
  const { ended } = await readSweepState(db);
  return {
    ...orderAnswers(await figures()),
    payment_issues: sumOf(issues, (row) => row.issues),
    refunds_due: await readRefundsDue(db),
    deliveries_given_up: sumOf(channels, givenUpOf),
    low_stock: items.low,
    sold_out: items.soldOut,
    provider: {
      state: await telemetry.providerState(),
      last_complete_sweep_at: ended === 0 ? null : ended,
    },
    mail: {
      configured: config.mail !== undefined,
      state: await readServiceState(db, MAIL.service),
      waiting: sumOf(mail, ({ waiting }) => waiting),
      given_up: sumOf(mail, givenUpOf),
    },
  };
}

function orderAnswers({ byStatus, days, waits, loans }: OrderFigures) {
  const loansIn = (state: LoanState) => loans.get(state) ?? 0;
  return {
    to_ship: byStatus.find(({ status }) => status === "PaymentProcessed")?.orders ?? 0,
    orders_by_status: [...byStatus],
    days: days.map(({ paidAmount: paid_amount, ...day }) => ({ ...day, paid_amount })),
    order_to_payment: waits.map(({ within, orders }) => ({ within: within ?? null, orders })),
    loans: {
      active: loansIn("active"),
      paid_out: loansIn("paid-out"),
      ended: loansIn("ended"),
      unknown: loansIn("unknown"),
    },
  };
}

function givenUpOf({ givenUp }: ChannelFigures): number {
  return givenUp;
}

function sumOf<Row>(rows: readonly Row[], numberOf: (row: Row) => number): number {
  return rows.reduce((sum, row) => sum + Number(numberOf(row)), 0);
}
