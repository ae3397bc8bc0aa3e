import type { Cents } from "@keepsats/domain";
import { resolutions } from "@keepsats/protocol";
import type { Queries, UnitOfWork } from "../db/database.ts";
import { padded } from "../db/in-groups.ts";
import { findState } from "../orders/index.ts";
import { type BookedMismatch, type Books, type Ledger, ledgerOf, type Refund } from "./ledger.ts";
import { loansOf } from "./loan-repository.ts";
import type { Resolution } from "./mismatch.ts";

/** Reads what the ledger of an order is derived from; `undefined` where there is no such order. */
export async function findBooks(db: Queries, orderId: string): Promise<Books | undefined> {
  const order = await findState(db, orderId);
  if (order === undefined) return undefined;
  const loans = await loansOf(db, orderId);
  const mismatches = await bookedMismatchesOf(db, orderId);
  return { order, loans, mismatches, refunds: await refundsOf(db, orderId) };
}

/**
 * Reads the ledger of an order: what was received, what is owed and what was given back, in cents; `undefined` where there is
 * no such order.
 *
 * Example: `(await findLedger(db, orderId))?.owed === 0`. Whoever decides by it locks the order first.
 */
export async function findLedger(db: Queries, orderId: string): Promise<Ledger | undefined> {
  const books = await findBooks(db, orderId);
  return books === undefined ? undefined : ledgerOf(books);
}

/** A stored resolution, if this version knows it; another text counts as none. */
function resolutionOf(text: string | null): Resolution | undefined {
  return resolutions.find((known) => known === text);
}

/** Reads the mismatches of an order, without those of loans that are bound to another order by now. */
async function bookedMismatchesOf(db: Queries, orderId: string): Promise<BookedMismatch[]> {
  const rows = await db
    .selectFrom("mismatches")
    .leftJoin("contracts", "contracts.id", "mismatches.contract_id")
    .select([
      "mismatches.contract_id",
      "mismatches.kind",
      "mismatches.cents",
      "mismatches.resolution",
      "mismatches.seen_at",
      "contracts.order_id as bound_to",
    ])
    .where("mismatches.order_id", "=", orderId)
    .execute();
  return rows
    .filter(({ bound_to }) => bound_to === null || bound_to === orderId)
    .map(({ contract_id, kind, cents, resolution, seen_at }) => ({
      contractId: contract_id,
      kind,
      cents: cents ?? undefined,
      resolution: resolutionOf(resolution),
      seenAt: seen_at,
    }));
}

async function refundsOf(db: Queries, orderId: string): Promise<Refund[]> {
  const rows = await db
    .selectFrom("refunds")
    .selectAll()
    .where("order_id", "=", orderId)
    .orderBy("at")
    .orderBy("id")
    .execute();
  return rows.map(({ id, cents, method, reference, by_name: byName, at }) => ({
    id,
    cents,
    method,
    reference: reference ?? undefined,
    byName,
    at,
  }));
}

/** Reads what was given back for each of these orders; without those for which nothing was. */
export async function givenBackFor(db: Queries, orderIds: readonly string[]): Promise<Map<string, Cents>> {
  if (orderIds.length === 0) return new Map();
  const rows = await db
    .selectFrom("refunds")
    .select(["order_id", "cents"])
    .where("order_id", "in", padded(orderIds))
    .execute();
  const byOrder = Map.groupBy(rows, ({ order_id }) => order_id);
  return new Map(
    [...byOrder].map(([id, refunds]) => [id, refunds.reduce((sum, { cents }) => sum + cents, 0)]),
  );
}

/** Stores a refund of an order. */
export async function insertRefund({ db }: UnitOfWork, orderId: string, refund: Refund): Promise<void> {
  const { byName: by_name, reference = null, ...rest } = refund;
  await db
    .insertInto("refunds")
    .values({ ...rest, order_id: orderId, by_name, reference })
    .execute();
}
