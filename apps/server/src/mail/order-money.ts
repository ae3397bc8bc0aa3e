import {
  type Balance,
  type Balances,
  balancesOf,
  type Cents,
  formatMoneyIn,
  type JournalEntry,
} from "@keepsats/domain";
import type { Queries } from "../db/database.ts";
import { openLoansOf, readAccount } from "../payments/index.ts";

/** What emails say about the money of an order, as the journal has it when they are sent. */
export interface OrderMoney {
  readonly balances: Balances;
  /** Whether money has ever come, whatever became of it. */
  readonly hasCome: boolean;
  /** Whether a loan may still be paid out. */
  readonly isUnderWay: boolean;
  /** The ids of the refunds that did not arrive. */
  readonly reversedRefunds: ReadonlySet<string>;
}

/** An entry of the journal, as far as emails need it. */
type Entry = JournalEntry & { readonly refundId?: string | undefined };

interface Account {
  readonly order: { readonly status: string; readonly total: Cents };
  readonly entries: readonly Entry[];
}

export function orderMoneyOf(account: Account, isUnderWay = false): OrderMoney {
  const reversed = account.entries.filter(({ kind }) => kind === "refund-reversed");
  return {
    balances: balancesOf(account),
    hasCome: account.entries.some(({ kind }) => kind === "received" || kind === "transferred"),
    isUnderWay,
    reversedRefunds: new Set(reversed.flatMap(({ refundId }) => refundId ?? [])),
  };
}

/** Reads the money of an order; `undefined` if there is no such order. */
export async function readOrderMoney(
  db: Queries,
  orderId: string,
): Promise<OrderMoney | undefined> {
  const account = await readAccount(db, orderId);
  return account && orderMoneyOf(account, openLoansOf(account).length > 0);
}

/** Sums in words, one for each currency, such as `$12.00 and 30.00 Eur`; `undefined` if all are 0. */
export function sumsIn(
  { shop, others }: Balances,
  sumOf: (balance: Balance) => Cents,
): string | undefined {
  const sums = [shop, ...others].flatMap((balance) => {
    const sum = sumOf(balance);
    return sum > 0 ? formatMoneyIn(sum, balance.currency) : [];
  });
  return sums.length === 0 ? undefined : sums.join(" and ");
}
