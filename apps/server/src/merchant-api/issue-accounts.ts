import type { Queries } from "../db/database.ts";
import {
  accountOf,
  readAccountOf,
  readAccounts,
  readLoanAccounts,
  type StoredAccount,
  type StoredIssue,
} from "../payments/index.ts";

/** Reads the account of a payment issue. */
export function readAccountOfIssue(db: Queries, issue: StoredIssue): Promise<StoredAccount> {
  return readAccountOf(db, accountOf(issue));
}

/** Reads the accounts of payment issues with a few queries. @returns the account of each of them */
export async function readAccountsOfIssues(
  db: Queries,
  issues: readonly StoredIssue[],
): Promise<(issue: StoredIssue) => StoredAccount> {
  const orderIds = [...new Set(issues.flatMap(({ orderId }) => orderId ?? []))];
  const strays = issues.filter(({ orderId }) => orderId === undefined);
  const ofOrders = await readAccounts(db, orderIds);
  const ofLoans = await readLoanAccounts(db, [...new Set(strays.map(({ loanId }) => loanId))]);
  const none: StoredAccount = { order: undefined, loans: [], entries: [] };
  return ({ orderId, loanId }) =>
    (orderId === undefined ? ofLoans.get(loanId) : ofOrders.get(orderId)) ?? none;
}
