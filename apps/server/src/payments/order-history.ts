import { balancesOf } from "@keepsats/domain";
import type { Queries } from "../db/database.ts";
import { findOrder, listEvents } from "../orders/index.ts";
import { issuesOf } from "./issues/issue-repository.ts";
import { readAccount } from "./journal/journal-repository.ts";

/** An order with its events, payment issues and account, each oldest first, and its balances. */
export type OrderHistory = NonNullable<Awaited<ReturnType<typeof findOrderHistory>>>;

/** Reads an {@link OrderHistory}; `undefined` if there is no such order. */
export async function findOrderHistory(db: Queries, id: string) {
  const order = await findOrder(db, id);
  if (order === undefined) return undefined;
  const events = await listEvents(db, id);
  const issues = await issuesOf(db, id);
  const account = await readAccount(db, id);
  return account === undefined
    ? undefined
    : { order, events, issues, account, balances: balancesOf(account) };
}
