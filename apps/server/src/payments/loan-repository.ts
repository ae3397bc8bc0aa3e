import type { Selectable } from "kysely";
import type { Queries, UnitOfWork } from "../db/database.ts";
import { padded } from "../db/in-groups.ts";
import type { Tables } from "../db/tables.ts";
import type { StoredLoan } from "./rules.ts";

function storedLoanOf(row: Selectable<Tables["loans"]>): StoredLoan {
  return {
    id: row.id,
    orderId: row.order_id ?? undefined,
    namedOrderId: row.named_order_id ?? undefined,
    providerStatus: row.provider_status,
    state: row.state,
    wasActive: row.was_active === 1,
    wasExtended: row.was_extended === 1,
    cents: row.cents ?? undefined,
    currency: row.currency,
    amountText: row.amount_text ?? undefined,
    refusal: row.refusal ?? undefined,
    presumedExtensionAt: row.presumed_extension_at ?? undefined,
    paidOutAt: row.paid_out_at ?? undefined,
    boundAt: row.bound_at,
    updatedAt: row.updated_at,
  };
}

function rowOf(loan: StoredLoan): Tables["loans"] {
  return {
    id: loan.id,
    order_id: loan.orderId ?? null,
    named_order_id: loan.namedOrderId ?? null,
    provider_status: loan.providerStatus,
    state: loan.state,
    was_active: loan.wasActive ? 1 : 0,
    was_extended: loan.wasExtended ? 1 : 0,
    cents: loan.cents ?? null,
    currency: loan.currency,
    amount_text: loan.amountText ?? null,
    refusal: loan.refusal ?? null,
    presumed_extension_at: loan.presumedExtensionAt ?? null,
    paid_out_at: loan.paidOutAt ?? null,
    bound_at: loan.boundAt,
    updated_at: loan.updatedAt,
  };
}

/** Reads a stored loan; `undefined` if it belongs to no order and was never paid out. */
export async function findLoan(db: Queries, id: string): Promise<StoredLoan | undefined> {
  return (await findLoans(db, [id])).get(id);
}

/** Reads stored loans, by id. */
export async function findLoans(
  db: Queries,
  ids: readonly string[],
): Promise<Map<string, StoredLoan>> {
  if (ids.length === 0) return new Map();
  const rows = await db.selectFrom("loans").selectAll().where("id", "in", padded(ids)).execute();
  return new Map(rows.map((row) => [row.id, storedLoanOf(row)]));
}

/** Reads these loans and all loans of these orders, oldest first. */
export async function findLoansAmong(
  db: Queries,
  {
    loanIds,
    orderIds,
  }: { readonly loanIds: readonly string[]; readonly orderIds: readonly string[] },
): Promise<StoredLoan[]> {
  const rows = await db
    .selectFrom("loans")
    .selectAll()
    .where((eb) =>
      eb.or([
        ...(loanIds.length === 0 ? [] : [eb("id", "in", padded(loanIds))]),
        ...(orderIds.length === 0 ? [] : [eb("order_id", "in", padded(orderIds))]),
      ]),
    )
    .orderBy("bound_at")
    .orderBy("id")
    .execute();
  return rows.map(storedLoanOf);
}

/** Reads all loans of an order, oldest first. */
export async function loansOf(db: Queries, orderId: string): Promise<StoredLoan[]> {
  return (await loansFor(db, [orderId])).get(orderId) ?? [];
}

/** Reads the loans of these orders, by order id, oldest first; without the orders that have none. */
export async function loansFor(
  db: Queries,
  orderIds: readonly string[],
): Promise<Map<string, StoredLoan[]>> {
  if (orderIds.length === 0) return new Map();
  const loans = await findLoansAmong(db, { loanIds: [], orderIds });
  return Map.groupBy(loans, ({ orderId = "" }) => orderId);
}

/** Reads the loans that are presumed to extend another one since that time or earlier. */
export async function presumedExtensions(db: Queries, until: number): Promise<StoredLoan[]> {
  const rows = await db
    .selectFrom("loans")
    .selectAll()
    .where("presumed_extension_at", "<=", until)
    .orderBy("presumed_extension_at")
    .execute();
  return rows.map(storedLoanOf);
}

/** Reads the ids of the loans that pay these orders, by order id. */
export async function payingLoans(
  db: Queries,
  orderIds: readonly string[],
): Promise<Map<string, string[]>> {
  if (orderIds.length === 0) return new Map();
  const rows = await db
    .selectFrom("loans")
    .select(["id", "order_id as orderId"])
    .where("order_id", "in", padded(orderIds))
    .where("state", "=", "paid-out")
    .where("refusal", "is", null)
    .execute();
  const byOrder = Map.groupBy(rows, ({ orderId }) => orderId ?? "");
  return new Map([...byOrder].map(([orderId, loans]) => [orderId, loans.map(({ id }) => id)]));
}

/** Stores a loan, or updates it. It stays with its order. */
export async function saveLoan(unit: UnitOfWork, loan: StoredLoan): Promise<void> {
  await saveLoans(unit, [loan]);
}

/** Stores or updates loans of different ids. */
export async function saveLoans({ db }: UnitOfWork, loans: readonly StoredLoan[]): Promise<void> {
  if (loans.length === 0) return;
  await db
    .insertInto("loans")
    .values(loans.map(rowOf))
    .onConflict((conflict) =>
      conflict.column("id").doUpdateSet((eb) => ({
        // A loan without an order can find one; it never leaves it.
        order_id: eb.fn.coalesce("loans.order_id", "excluded.order_id"),
        named_order_id: eb.ref("excluded.named_order_id"),
        provider_status: eb.ref("excluded.provider_status"),
        state: eb.ref("excluded.state"),
        was_active: eb.ref("excluded.was_active"),
        was_extended: eb.ref("excluded.was_extended"),
        cents: eb.ref("excluded.cents"),
        currency: eb.ref("excluded.currency"),
        amount_text: eb.ref("excluded.amount_text"),
        refusal: eb.ref("excluded.refusal"),
        presumed_extension_at: eb.ref("excluded.presumed_extension_at"),
        paid_out_at: eb.ref("excluded.paid_out_at"),
        updated_at: eb.ref("excluded.updated_at"),
      })),
    )
    .execute();
}
