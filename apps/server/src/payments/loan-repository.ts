import type { LoanState } from "@keepsats/protocol";
import type { Selectable } from "kysely";
import type { Queries, UnitOfWork } from "../db/database.ts";
import { padded } from "../db/in-groups.ts";
import type { Tables } from "../db/tables.ts";
import type { Loan } from "./loan.ts";

/** The stored state of a loan that is bound to an order. */
export interface BoundLoan extends Pick<Loan, "id" | "providerStatus" | "updatedAt"> {
  readonly orderId: string;
  /** Whether the provider has ever reported that another loan extends this one. */
  readonly wasExtended: boolean;
  /** It stays `paid-out`; a status that proves nothing leaves the earlier state. */
  readonly state: LoanState;
  /** The amount that it lends, or lent when it was paid out; `undefined` if that is not known. */
  readonly cents: number | undefined;
  /** The id of the loan that it extends; an extension brings no money of its own. */
  readonly extends: string | undefined;
  /** In epoch milliseconds. */
  readonly boundAt: number;
}

function boundLoanOf(row: Selectable<Tables["loans"]>): BoundLoan {
  return {
    id: row.id,
    orderId: row.order_id,
    providerStatus: row.provider_status,
    state: row.state,
    wasExtended: row.was_extended === 1,
    cents: row.cents ?? undefined,
    extends: row.extends ?? undefined,
    boundAt: row.bound_at,
    updatedAt: row.updated_at,
  };
}

/** The columns that change when the loan changes. */
function changingColumns({
  providerStatus,
  state,
  wasExtended,
  cents,
  extends: extended,
  updatedAt,
}: BoundLoan) {
  return {
    provider_status: providerStatus,
    state,
    was_extended: wasExtended ? 1 : 0,
    cents: cents ?? null,
    extends: extended ?? null,
    updated_at: updatedAt,
  };
}

/** Reads a bound loan; `undefined` if it is bound to no order. */
export async function findLoan(db: Queries, id: string): Promise<BoundLoan | undefined> {
  return (await findLoans(db, [id])).get(id);
}

/** Reads bound loans, by id. */
export async function findLoans(
  db: Queries,
  ids: readonly string[],
): Promise<Map<string, BoundLoan>> {
  const rows = await db.selectFrom("loans").selectAll().where("id", "in", padded(ids)).execute();
  return new Map(rows.map((row) => [row.id, boundLoanOf(row)]));
}

/**
 * Reads a bound loan, whichever order it is bound to, and all other loans of an order, oldest
 * first.
 */
export async function findLoanAndOthers(
  db: Queries,
  id: string,
  orderId: string | undefined,
): Promise<{ bound: BoundLoan | undefined; others: BoundLoan[] }> {
  const rows = await db
    .selectFrom("loans")
    .selectAll()
    .where((eb) => eb.or([eb("id", "=", id), eb("order_id", "=", orderId ?? "")]))
    .orderBy("bound_at")
    .execute();
  const loans = rows.map(boundLoanOf);
  return {
    bound: loans.find((loan) => loan.id === id),
    others: loans.filter((loan) => loan.id !== id),
  };
}

/** Reads all loans that are bound to an order, oldest first. */
export async function loansOf(db: Queries, orderId: string): Promise<BoundLoan[]> {
  return (await loansFor(db, [orderId])).get(orderId) ?? [];
}

/**
 * Reads the loans that are bound to these orders, by order id, oldest first; without the orders
 * that have none.
 */
export async function loansFor(
  db: Queries,
  orderIds: readonly string[],
): Promise<Map<string, BoundLoan[]>> {
  const rows = await db
    .selectFrom("loans")
    .selectAll()
    .where("order_id", "in", padded(orderIds))
    .orderBy("bound_at")
    .execute();
  return Map.groupBy(rows.map(boundLoanOf), ({ orderId }) => orderId);
}

/** Reads the ids of the loans that have paid these orders, by order id. */
export async function payingLoans(
  db: Queries,
  orderIds: readonly string[],
): Promise<Map<string, string[]>> {
  const rows = await db
    .selectFrom("loans")
    .select(["id", "order_id"])
    .where("order_id", "in", padded(orderIds))
    .where("state", "=", "paid-out")
    .execute();
  const byOrder = Map.groupBy(rows, ({ order_id }) => order_id);
  return new Map([...byOrder].map(([orderId, loans]) => [orderId, loans.map(({ id }) => id)]));
}

/** Binds a loan to its order permanently, or updates a bound loan. */
export async function saveLoan(unit: UnitOfWork, loan: BoundLoan): Promise<void> {
  await unit.db
    .insertInto("loans")
    .values({
      id: loan.id,
      order_id: loan.orderId,
      bound_at: loan.boundAt,
      ...changingColumns(loan),
    })
    .onConflict((conflict) => conflict.column("id").doUpdateSet(changingColumns(loan)))
    .execute();
}

/** Stores that a bound loan extends another one. @param extended the id of the earlier loan */
export async function linkExtension(
  { db }: UnitOfWork,
  id: string,
  extended: string,
): Promise<void> {
  await db.updateTable("loans").set({ extends: extended }).where("id", "=", id).execute();
}
