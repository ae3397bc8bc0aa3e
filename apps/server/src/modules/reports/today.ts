import { shopCurrency } from "@keepsats/domain";
import { paths, type Today, todaySchema } from "@keepsats/protocol";
import type { FastifyInstance } from "fastify";
import type { Queries } from "../../platform/database/database.ts";
import { noFields, type Operation } from "../../platform/http/operation.ts";
import { get, route } from "../../platform/http/route.ts";
import { MAIL_SERVER } from "../../platform/outbox/channel.ts";
import { countDeliveries } from "../../platform/outbox/deliveries.ts";
import { readServiceState } from "../../platform/outbox/outages.ts";
import { findLowItems } from "../catalogue/index.ts";
import { countReturns } from "../orders/index.ts";
import {
  countIssues,
  type ProviderState,
  readRefundsDue,
  readSweepState,
} from "../payments/index.ts";
import { hiddenChannelOf } from "../staff/index.ts";
import { type Figures, sumBy } from "./figures.ts";

const operation = {
  operationId: "today",
  summary: "Get the tasks of the day, and the figures of the shop",
  description:
    "Orders to ship, payment issues, refunds due, requested returns, failed deliveries and low stock; the orders of the last 30 days of the shop's time zone; orders and revenue of today, 7 and 30 days beside the period before, until the same time of the day; and the state of the loan provider and of mail. The figures of orders and loans are at most a few seconds old; `order_to_payment` and `loans` cover the last 30 days too. For staff who are not owners, `failed_deliveries` counts emails only.",
  permission: "reports:read",
  takes: noFields,
  answers: { 200: todaySchema },
} satisfies Operation;

interface Options {
  readonly db: Queries;
  readonly figures: () => Promise<Figures>;
  readonly providerState: () => Promise<ProviderState>;
  /** Whether the shop sends email. */
  readonly sendsEmail: () => boolean;
}

export function todayRoute(app: FastifyInstance, options: Options): void {
  route(app, get(paths.admin.today), operation, (_input, reply) =>
    readToday(options, hiddenChannelOf(reply.request)),
  );
}

/** @param hidden the channel of the outbox to leave out */
export async function readToday(
  { db, figures, providerState, sendsEmail }: Options,
  hidden: string | undefined,
): Promise<Today> {
  const issues = await countIssues(db);
  const items = await findLowItems(db);
  const channels = (await countDeliveries(db)).filter(({ channel }) => channel !== hidden);
  const mail = channels.filter(({ channel }) => channel.startsWith("email-"));
  const { ended } = await readSweepState(db);
  const due = await readRefundsDue(db);
  return {
    ...(await figures()),
    payment_issues: sumBy(issues, (row) => row.issues),
    refunds_due: { orders: due.orders, amount: due.amounts.get(shopCurrency.code) ?? 0 },
    returns_requested: await countReturns(db, "requested"),
    returns_received: await countReturns(db, "received"),
    failed_deliveries: sumBy(channels, ({ failed }) => failed),
    low_stock: items.low,
    sold_out: items.soldOut,
    low_items: items.lowest.map(({ image_url: picture, ...item }) => ({ ...item, picture })),
    provider: {
      state: await providerState(),
      last_complete_sweep_at: ended === 0 ? null : ended,
    },
    mail: {
      configured: sendsEmail(),
      state: await readServiceState(db, MAIL_SERVER.service),
      waiting: sumBy(mail, ({ waiting }) => waiting),
      failed: sumBy(mail, ({ failed }) => failed),
    },
  };
}
