import type { Queries } from "../db/database.ts";
import { findOrder, listEvents } from "../orders/index.ts";
import { ledgerOf } from "./ledger.ts";
import { findBooks } from "./ledger-repository.ts";
import { mismatchesOf } from "./mismatch-repository.ts";

/** An order with its events, mismatches and books, each oldest first, and its ledger. */
export type OrderHistory = NonNullable<Awaited<ReturnType<typeof findOrderHistory>>>;

/** Reads an {@link OrderHistory}; `undefined` if there is no such order. */
export async function findOrderHistory(db: Queries, id: string) {
  const order = await findOrder(db, id);
  if (order === undefined) return undefined;
  const events = await listEvents(db, id);
  const mismatches = await mismatchesOf(db, id);
  const books = await findBooks(db, id);
  return books === undefined
    ? undefined
    : { order, events, mismatches, books, ledger: ledgerOf(books) };
}
