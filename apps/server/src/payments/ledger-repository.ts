import type { Cents } from "@keepsats/domain";
import { resolutions } from "@keepsats/protocol";
import type { Queries, UnitOfWork } from "../db/database.ts";
import { padded } from "../db/in-groups.ts";
import { findStates } from "../orders/index.ts";
import type { Resolution } from "./issue.ts";
import { type BookedIssue, type Books, type Ledger, ledgerOf, type Refund } from "./ledger.ts";
import { loansFor } from "./loan-repository.ts";

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
  const issues = await bookedIssuesFor(db, orderIds);
  const refunds = await refundsFor(db, orderIds);
  return new Map(
    [...orders].map(([id, order]) => [
      id,
      {
        order,
        loans: loans.get(id) ?? [],
        issues: issues.get(id) ?? [],
        refunds: refunds.get(id) ?? [],
      },
    ]),
  );
}

/**
 * Reads the ledger of an order: the amounts received, refunded and due, in cents; `undefined` where
 * there is no such order. Lock the order before a decision that depends on it.
 *
 * Example: `(await findLedger(db, orderId))?.refundDue === 0`.
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
 * Reads the payment issues of orders, by order id, without those of loans that are bound to another
 * order by now.
 */
async function bookedIssuesFor(
  db: Queries,
  orderIds: readonly string[],
): Promise<Map<string, BookedIssue[]>> {
  const rows = await db
    .selectFrom("payment_issues")
    .leftJoin("loans", "loans.id", "payment_issues.loan_id")
    .select([
      "payment_issues.loan_id",
      "payment_issues.order_id",
      "payment_issues.kind",
      "payment_issues.cents",
      "payment_issues.resolution",
      "payment_issues.seen_at",
      "loans.order_id as bound_to",
    ])
    .where("payment_issues.order_id", "in", padded(orderIds))
    .execute();
  const own = rows.filter(({ bound_to, order_id }) => bound_to === null || bound_to === order_id);
  return byOrder(own, ({ loan_id, kind, cents, resolution, seen_at }) => ({
    loanId: loan_id,
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

/** Reads the refunded amount of each of these orders; without those that have no refunds. */
export async function refundedFor(
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
