import {
  balancesByCurrency,
  balancesOf,
  type Cents,
  FIRST_STATUS,
  shopCurrency,
} from "@keepsats/domain";
import { sql } from "kysely";
import type { Queries } from "../../../platform/database/database.ts";
import { padKeys } from "../../../platform/database/in-clause.ts";
import { readInBatches } from "../../../platform/database/read-in-batches.ts";
import { slices } from "../../../platform/scheduling/slices.ts";
import { createYield } from "../../../platform/scheduling/yield-to-event-loop.ts";
import { findStatusesAt, type PaymentHooks } from "../../orders/index.ts";
import {
  type AccountKey,
  accountKeyOf,
  idIn,
  idsOf,
  readAccounts,
  type StoredAccount,
} from "./journal-repository.ts";

/** The most accounts or payment issues that are read at a time. */
const MAX_PER_READ = 200;

/**
 * An account with money to refund has an open payment issue, so only those are read.
 *
 * @returns the number of orders with a refund due in any currency, and of loans without an order
 *   whose money is due; and what is due in the shop's currency
 */
export async function readRefundsDue(db: Queries): Promise<{ orders: number; amount: Cents }> {
  const issues = await db
    .selectFrom("payment_issues")
    .select(["order_id as orderId", "loan_id as loanId"])
    .where("resolved_at", "is", null)
    .execute();
  const sum = { orders: 0, amount: 0 };
  for (const keys of slices(accountKeysOf(issues), MAX_PER_READ)) {
    const accountBy = await readAccounts(db, keys);
    for (const balances of keys.map(accountBy).map(balancesOf)) {
      if (balancesByCurrency(balances).some(({ refundDue }) => refundDue > 0)) sum.orders += 1;
      sum.amount += balances.shop.refundDue;
    }
  }
  return sum;
}

/** The accounts of payment issues, each once. */
function accountKeysOf(issues: readonly Parameters<typeof accountKeyOf>[0][]): AccountKey[] {
  return [...new Map(issues.map(accountKeyOf).map((key) => [idIn(key), key])).values()];
}

/**
 * The refund due at a time, by currency, without currencies in which it is 0. An account with money
 * to refund has an open payment issue about a loan that was paid out, so only the accounts are read
 * whose issues were open then, or have opened again since.
 *
 * @param time in epoch milliseconds; entries at this time do not count
 */
export async function readRefundDueAt(db: Queries, time: number): Promise<Map<string, Cents>> {
  const yieldToEventLoop = createYield({ share: 1 });
  const due = new Map<string, Cents>();
  const summed = new Set<string>();
  const batches = readInBatches<Issue>(MAX_PER_READ, (last) => findIssuesAfter(db, last));
  for await (const issues of batches) {
    const wereOpen = issues.filter(
      ({ paidAt, resolvedAt }) =>
        paidAt !== null && paidAt < time && (resolvedAt === null || resolvedAt >= time),
    );
    const keys = accountKeysOf(wereOpen).filter((key) => !summed.has(idIn(key)));
    const statuses = await findStatusesAt(db, idsOf(keys).orderIds, time);
    const accountBy = await readAccounts(db, keys);
    for (const key of keys) {
      summed.add(idIn(key));
      addDue(due, accountBy(key), time, statuses);
    }
    await yieldToEventLoop();
  }
  return due;
}

type Issue = Awaited<ReturnType<typeof findIssuesAfter>>[number];

/** Reads issues with the time of their loan's payout; `null` if it was not paid out. */
async function findIssuesAfter(
  db: Queries,
  last: { readonly openedAt: number; readonly id: string } | undefined,
) {
  let query = db
    .selectFrom("payment_issues")
    .leftJoin("receipts", "receipts.loan_id", "payment_issues.loan_id")
    .select([
      "payment_issues.id",
      "payment_issues.opened_at as openedAt",
      "payment_issues.resolved_at as resolvedAt",
      "payment_issues.order_id as orderId",
      "payment_issues.loan_id as loanId",
      "receipts.paid_at as paidAt",
    ])
    .orderBy("payment_issues.opened_at")
    .orderBy("payment_issues.id")
    .limit(MAX_PER_READ);
  if (last !== undefined) {
    const { openedAt, id } = last;
    query = query.where(({ eb, refTuple, tuple }) =>
      eb(refTuple("payment_issues.opened_at", "payment_issues.id"), ">", tuple(openedAt, id)),
    );
  }
  return query.execute();
}

/** Adds the refund due of an account as it was at a time. */
function addDue(
  due: Map<string, Cents>,
  { order, entries }: StoredAccount,
  time: number,
  statuses: ReadonlyMap<string, string>,
): void {
  const balances = balancesOf({
    // An order that was not placed yet awaits payment.
    order: order && { total: order.total, status: statuses.get(order.id) ?? FIRST_STATUS },
    entries: entries.filter(({ at }) => at < time),
  });
  for (const { currency, refundDue } of balancesByCurrency(balances))
    if (refundDue > 0) due.set(currency, (due.get(currency) ?? 0) + refundDue);
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
