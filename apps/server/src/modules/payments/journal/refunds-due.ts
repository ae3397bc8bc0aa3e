import {
  type Balances,
  balancesByCurrency,
  balancesOf,
  type Cents,
  FIRST_STATUS,
  shopCurrency,
} from "@keepsats/domain";
import { sql } from "kysely";
import { padKeys, type Queries } from "../../../platform/database/database.ts";
import { readInBatches } from "../../../platform/database/read-in-batches.ts";
import { createYield } from "../../../platform/scheduling/yield-to-event-loop.ts";
import { findStatusesAt, type PaymentHooks } from "../../orders/index.ts";
import {
  accountKeyOf,
  idIn,
  idsOf,
  readAccounts,
  type StoredAccount,
} from "./journal-repository.ts";

/** The most payment issues that are read at a time. */
const MAX_PER_READ = 200;

interface RefundsDue {
  /** The number of orders with a refund due, and of loans without an order whose money is due. */
  readonly orders: number;
  /** By currency, without currencies in which nothing is due. */
  readonly amounts: ReadonlyMap<string, Cents>;
}

/**
 * The refunds due now, or at a time. An account with money to refund has an open payment issue
 * about a loan that was paid out, so only the accounts are read whose issues are open, or were open
 * then.
 *
 * @param time in epoch milliseconds; entries at this time do not count
 */
export async function readRefundsDue(db: Queries, time?: number): Promise<RefundsDue> {
  const yieldToEventLoop = createYield({ share: 1 });
  const amounts = new Map<string, Cents>();
  const summed = new Set<string>();
  let orders = 0;
  const batches = readInBatches<Issue>(MAX_PER_READ, (last) => findIssuesAfter(db, last, time));
  for await (const issues of batches) {
    const keyById = new Map(issues.map(accountKeyOf).map((key) => [idIn(key), key]));
    const keys = [...keyById.values()].filter((key) => !summed.has(idIn(key)));
    const accountBy = await readAccounts(db, keys);
    const statuses =
      time === undefined ? undefined : await findStatusesAt(db, idsOf(keys).orderIds, time);
    for (const key of keys) {
      summed.add(idIn(key));
      const balances = balancesAt(accountBy(key), time, statuses);
      const due = balancesByCurrency(balances).filter(({ refundDue }) => refundDue > 0);
      if (due.length > 0) orders += 1;
      for (const { currency, refundDue } of due)
        amounts.set(currency, (amounts.get(currency) ?? 0) + refundDue);
    }
    await yieldToEventLoop();
  }
  return { orders, amounts };
}

type Issue = Awaited<ReturnType<typeof findIssuesAfter>>[number];

/**
 * Reads issues of loans that were paid out, which are open, or were open at a time or have opened
 * again since.
 */
async function findIssuesAfter(
  db: Queries,
  last: { readonly openedAt: number; readonly id: string } | undefined,
  time: number | undefined,
) {
  let query = db
    .selectFrom("payment_issues")
    .innerJoin("receipts", "receipts.loan_id", "payment_issues.loan_id")
    .select([
      "payment_issues.id",
      "payment_issues.opened_at as openedAt",
      "payment_issues.order_id as orderId",
      "payment_issues.loan_id as loanId",
    ])
    .orderBy("payment_issues.opened_at")
    .orderBy("payment_issues.id")
    .limit(MAX_PER_READ);
  query =
    time === undefined
      ? query.where("payment_issues.resolved_at", "is", null)
      : query
          .where("receipts.paid_at", "<", time)
          .where(({ eb, or }) =>
            or([
              eb("payment_issues.resolved_at", "is", null),
              eb("payment_issues.resolved_at", ">=", time),
            ]),
          );
  if (last !== undefined) {
    const { openedAt, id } = last;
    query = query.where(({ eb, refTuple, tuple }) =>
      eb(refTuple("payment_issues.opened_at", "payment_issues.id"), ">", tuple(openedAt, id)),
    );
  }
  return query.execute();
}

/** @param statuses of the orders at that time; one that was not placed yet awaits payment */
function balancesAt(
  account: StoredAccount,
  time: number | undefined,
  statuses: ReadonlyMap<string, string> | undefined,
): Balances {
  if (time === undefined || statuses === undefined) return balancesOf(account);
  const { order, entries } = account;
  return balancesOf({
    order: order && { total: order.total, status: statuses.get(order.id) ?? FIRST_STATUS },
    entries: entries.filter(({ at }) => at < time),
  });
}

export const refundedFor: PaymentHooks["refundedFor"] = async (db, orderIds) => {
  if (orderIds.length === 0) return new Map();
  const rows = await db
    .selectFrom("journal")
    .select([
      "order_id as orderId",
      sql<number | string>`sum(case when kind = 'refunded' then amount else -amount end)`.as(
        "cents",
      ),
    ])
    .where("order_id", "in", padKeys(orderIds))
    .where("kind", "in", ["refunded", "refund-reversed"])
    .where("currency", "=", shopCurrency.code)
    .groupBy("order_id")
    .execute();
  return new Map(rows.map(({ orderId, cents }) => [orderId ?? "", Number(cents)]));
};
