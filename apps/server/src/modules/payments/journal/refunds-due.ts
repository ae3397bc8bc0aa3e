import { balancesByCurrency, balancesOf, type Cents, shopCurrency } from "@keepsats/domain";
import { sql } from "kysely";
import type { Queries } from "../../../platform/database/database.ts";
import { padKeys } from "../../../platform/database/in-clause.ts";
import { slices } from "../../../platform/scheduling/slices.ts";
import type { RefundedFor } from "../../orders/index.ts";
import { readLoanAccounts, readOrderAccounts, type StoredAccount } from "./journal-repository.ts";

export interface RefundsDue {
  /** Orders with a refund due in any currency, and loans without an order whose money is due. */
  readonly orders: number;
  /** In the shop's currency. */
  readonly amount: Cents;
}

/** The most accounts that are read at a time. */
const ACCOUNTS_PER_READ = 200;

/** An account with money to refund has an open payment issue, so only those are read. */
export async function readRefundsDue(db: Queries): Promise<RefundsDue> {
  const issues = await db
    .selectFrom("payment_issues")
    .select(["order_id as orderId", "loan_id as loanId"])
    .where("resolved_at", "is", null)
    .execute();
  const orderIds = [...new Set(issues.flatMap(({ orderId }) => orderId ?? []))];
  const strays = issues.filter(({ orderId }) => orderId === null).map(({ loanId }) => loanId);
  const sum = { orders: 0, amount: 0 };
  for (const ids of slices(orderIds, ACCOUNTS_PER_READ))
    add(sum, (await readOrderAccounts(db, ids)).values());
  for (const ids of slices([...new Set(strays)], ACCOUNTS_PER_READ))
    add(sum, (await readLoanAccounts(db, ids)).values());
  return sum;
}

function add(sum: { orders: number; amount: Cents }, accounts: Iterable<StoredAccount>): void {
  for (const account of accounts) {
    const balances = balancesOf(account);
    if (balancesByCurrency(balances).some(({ refundDue }) => refundDue > 0)) sum.orders += 1;
    sum.amount += balances.shop.refundDue;
  }
}

export const refundedFor: RefundedFor = async (db, orderIds) => {
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
