import type { Queries } from "../db/database.ts";
import { findOrder, listEvents } from "../orders/index.ts";
import { issuesOf } from "./issue-repository.ts";
import { ledgerOf } from "./ledger.ts";
import { findBooks } from "./ledger-repository.ts";

/** An order with its events, payment issues and books, each oldest first, and its ledger. */
export type OrderHistory = NonNullable<Awaited<ReturnType<typeof findOrderHistory>>>;

/** Reads an {@link OrderHistory}; `undefined` if there is no such order. */
export async function findOrderHistory(db: Queries, id: string) {
  const order = await findOrder(db, id);
  if (order === undefined) return undefined;
  const events = await listEvents(db, id);
  const issues = await issuesOf(db, id);
  const books = await findBooks(db, id);
  return books === undefined
    ? undefined
    : { order, events, issues, books, ledger: ledgerOf(books) };
}
