import type { Selectable } from "kysely";
import type { Queries, UnitOfWork } from "../db/database.ts";
import { padded } from "../db/in-groups.ts";
import type { Tables } from "../db/tables.ts";
import type { Loan, Standing } from "./loan.ts";

/** A loan that is bound to an order, as it was known last. */
export interface BoundLoan extends Pick<Loan, "id" | "word" | "wasExtended" | "updatedAt"> {
  readonly orderId: string;
  /** `paid` stays for good; an unclear word leaves what was known before. */
  readonly standing: Standing;
  /** What it lends, or lent when it was paid out; `undefined` where that is not known. */
  readonly cents: number | undefined;
  /** The loan that it goes on with: it brings no money of its own. */
  readonly extends: string | undefined;
  /** In epoch milliseconds. */
  readonly boundAt: number;
}

type Meaning = Tables["contracts"]["meaning"];

/** The words of the database and of the merchant's API for standings, which are older than ours. */
const meanings = {
  "under-way": "processing",
  paid: "paid",
  over: "over",
  unclear: "unknown",
} as const satisfies Record<Standing, Meaning>;

const standings = {
  processing: "under-way",
  paid: "paid",
  over: "over",
  unknown: "unclear",
} as const satisfies Record<Meaning, Standing>;

/** The word of the database and of the merchant's API for a standing. */
export function meaningOf(standing: Standing): Meaning {
  return meanings[standing];
}

function boundLoanOf(row: Selectable<Tables["contracts"]>): BoundLoan {
  return {
    id: row.id,
    orderId: row.order_id,
    word: row.status,
    standing: standings[row.meaning],
    wasExtended: row.was_extended === 1,
    cents: row.cents ?? undefined,
    extends: row.extends ?? undefined,
    boundAt: row.bound_at,
    updatedAt: row.updated_at,
  };
}

/** What of a row changes with the loan. */
function changingColumns({ word, standing, wasExtended, cents, extends: extended, updatedAt }: BoundLoan) {
  return {
    status: word,
    meaning: meanings[standing],
    was_extended: wasExtended ? 1 : 0,
    cents: cents ?? null,
    extends: extended ?? null,
    updated_at: updatedAt,
  };
}

/** The binding of a loan; `undefined` where it is bound to no order. */
export async function findLoan(db: Queries, id: string): Promise<BoundLoan | undefined> {
  return (await findLoans(db, [id])).get(id);
}

/** The bindings of many loans, by their ids. */
export async function findLoans(db: Queries, ids: readonly string[]): Promise<Map<string, BoundLoan>> {
  const rows = await db.selectFrom("contracts").selectAll().where("id", "in", padded(ids)).execute();
  return new Map(rows.map((row) => [row.id, boundLoanOf(row)]));
}

/** The binding of a loan, whichever order it is bound to, and all other loans of an order, oldest first. */
export async function findLoanAndOthers(
  db: Queries,
  id: string,
  orderId: string | undefined,
): Promise<{ bound: BoundLoan | undefined; others: BoundLoan[] }> {
  const rows = await db
    .selectFrom("contracts")
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

/** All loans bound to an order, oldest first. */
export async function loansOf(db: Queries, orderId: string): Promise<BoundLoan[]> {
  const rows = await db
    .selectFrom("contracts")
    .selectAll()
    .where("order_id", "=", orderId)
    .orderBy("bound_at")
    .execute();
  return rows.map(boundLoanOf);
}

/** The ids of the loans that have paid these orders, by the orders' ids. */
export async function payingLoans(db: Queries, orderIds: readonly string[]): Promise<Map<string, string[]>> {
  const rows = await db
    .selectFrom("contracts")
    .select(["id", "order_id"])
    .where("order_id", "in", padded(orderIds))
    .where("meaning", "=", meanings.paid)
    .execute();
  const byOrder = Map.groupBy(rows, ({ order_id }) => order_id);
  return new Map([...byOrder].map(([orderId, loans]) => [orderId, loans.map(({ id }) => id)]));
}

/** Binds a loan to its order for good, or stores how a bound one has changed. */
export async function saveLoan(unit: UnitOfWork, loan: BoundLoan): Promise<void> {
  await unit.db
    .insertInto("contracts")
    .values({ id: loan.id, order_id: loan.orderId, bound_at: loan.boundAt, ...changingColumns(loan) })
    .onConflict((conflict) => conflict.column("id").doUpdateSet(changingColumns(loan)))
    .execute();
}

/**
 * Stores that a bound loan goes on with another, and corrects the mismatch that called it a second payment.
 *
 * @param extended the id of the other one
 */
export async function linkExtension({ db }: UnitOfWork, id: string, extended: string): Promise<void> {
  await db.updateTable("contracts").set({ extends: extended }).where("id", "=", id).execute();
  const detail = `It goes on with loan ${extended}, which was extended: it brought no money of its own.`;
  await db
    .updateTable("mismatches")
    .set({ detail })
    .where("contract_id", "=", id)
    .where("kind", "in", ["second", "paid-after-cancel", "refund-owed"])
    .execute();
}
