import type { Queries } from "../db/database.ts";
import { findOrder, listEvents } from "../orders/index.ts";
import { findLedger } from "./ledger-repository.ts";
import { loansOf } from "./loan-repository.ts";
import { mismatchesOf } from "./mismatch-repository.ts";

/** An order with its events, loans and mismatches, each oldest first, and its ledger. */
export type OrderHistory = NonNullable<Awaited<ReturnType<typeof findOrderHistory>>>;

/** Reads an {@link OrderHistory}; `undefined` if there is no such order. */
export async function findOrderHistory(db: Queries, id: string) {
  const order = await findOrder(db, id);
  if (order === undefined) return undefined;
  const events = await listEvents(db, id);
  const loans = await loansOf(db, id);
  const mismatches = await mismatchesOf(db, id);
  const ledger = await findLedger(db, id);
  return ledger === undefined ? undefined : { order, events, loans, mismatches, ledger };
}
