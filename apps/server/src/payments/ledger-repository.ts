import type { Cents } from "@keepsats/domain";
import { resolutions } from "@keepsats/protocol";
import type { Queries, UnitOfWork } from "../db/database.ts";
import { padded } from "../db/in-groups.ts";
import { findStates } from "../orders/index.ts";
import { type BookedMismatch, type Books, type Ledger, ledgerOf, type Refund } from "./ledger.ts";
import { loansFor } from "./loan-repository.ts";
import type { Resolution } from "./mismatch.ts";

/** Reads what the ledger of an order is derived from; `undefined` where there is no such order. */
export async function findBooks(db: Queries, orderId: string): Promise<Books | undefined> {
  return (await findBooksFor(db, [orderId])).get(orderId);
}

/**
 * Reads what the ledgers of these orders are derived from, by order id; without those that do not
 * exist.
 */
export async function findBooksFor(
  db: Queries,
  orderIds: readonly string[],
): Promise<Map<string, Books>> {
  if (orderIds.length === 0) return new Map();
  const orders = await findStates(db, orderIds);
  const loans = await loansFor(db, orderIds);
  const mismatches = await bookedMismatchesFor(db, orderIds);
  const refunds = await refundsFor(db, orderIds);
  return new Map(
    [...orders].map(([id, order]) => [
      id,
      {
        order,
        loans: loans.get(id) ?? [],
        mismatches: mismatches.get(id) ?? [],
        refunds: refunds.get(id) ?? [],
      },
    ]),
  );
}

/**
 * Reads the ledger of an order: what was received, what is owed and what was given back, in cents;
 * `undefined` where there is no such order.
 *
 * Example: `(await findLedger(db, orderId))?.owed === 0`. Whoever decides by it locks the order
 * first.
 */
export async function findLedger(db: Queries, orderId: string): Promise<Ledger | undefined> {
  const books = await findBooks(db, orderId);
  return books === undefined ? undefined : ledgerOf(books);
}

/** Maps rows to what they mean, by the order that they belong to, in their sequence. */
function byOrder<Row extends { readonly order_id: string }, Meant>(
  rows: readonly Row[],
  meaningOf: (row: Row) => Meant,
): Map<string, Meant[]> {
  const groups = Map.groupBy(rows, ({ order_id }) => order_id);
  return new Map([...groups].map(([id, group]) => [id, group.map(meaningOf)]));
}

/** A stored resolution, if this version knows it; another text counts as none. */
function resolutionOf(text: string | null): Resolution | undefined {
  return resolutions.find((known) => known === text);
}

/**
 * Reads the mismatches of orders, by order id, without those of loans that are bound to another
 * order by now.
 */
async function bookedMismatchesFor(
  db: Queries,
  orderIds: readonly string[],
): Promise<Map<string, BookedMismatch[]>> {
  const rows = await db
    .selectFrom("mismatches")
    .leftJoin("contracts", "contracts.id", "mismatches.contract_id")
    .select([
      "mismatches.contract_id",
      "mismatches.order_id",
      "mismatches.kind",
      "mismatches.cents",
      "mismatches.resolution",
      "mismatches.seen_at",
      "contracts.order_id as bound_to",
    ])
    .where("mismatches.order_id", "in", padded(orderIds))
    .execute();
  const own = rows.filter(({ bound_to, order_id }) => bound_to === null || bound_to === order_id);
  return byOrder(own, ({ contract_id, kind, cents, resolution, seen_at }) => ({
    contractId: contract_id,
    kind,
    cents: cents ?? undefined,
    resolution: resolutionOf(resolution),
    seenAt: seen_at,
  }));
}

/** Reads the refunds of orders, by order id, oldest first; without the orders that have none. */
async function refundsFor(
  db: Queries,
  orderIds: readonly string[],
): Promise<Map<string, Refund[]>> {
  const rows = await db
    .selectFrom("refunds")
    .selectAll()
    .where("order_id", "in", padded(orderIds))
    .orderBy("at")
    .orderBy("id")
    .execute();
  return byOrder(rows, ({ id, cents, method, reference, by_name: byName, at }) => ({
    id,
    cents,
    method,
    reference: reference ?? undefined,
    byName,
    at,
  }));
}

/** Reads what was given back for each of these orders; without those for which nothing was. */
export async function givenBackFor(
  db: Queries,
  orderIds: readonly string[],
): Promise<Map<string, Cents>> {
  if (orderIds.length === 0) return new Map();
  const rows = await db
    .selectFrom("refunds")
    .select(["order_id", "cents"])
    .where("order_id", "in", padded(orderIds))
    .execute();
  const amounts = byOrder(rows, ({ cents }) => cents);
  return new Map([...amounts].map(([id, cents]) => [id, cents.reduce((sum, one) => sum + one, 0)]));
}

/** Stores a refund of an order. */
export async function insertRefund(
  { db }: UnitOfWork,
  orderId: string,
  refund: Refund,
): Promise<void> {
  const { byName: by_name, reference = null, ...rest } = refund;
  await db
    .insertInto("refunds")
    .values({ ...rest, order_id: orderId, by_name, reference })
    .execute();
}
