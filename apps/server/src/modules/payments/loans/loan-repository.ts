import type { Selectable } from "kysely";
import { padKeys, type Queries, type UnitOfWork } from "../../../platform/database/database.ts";
import type { Tables } from "../../../platform/database/tables.ts";
import type { StoredLoan } from "../rules/index.ts";
import type { Loan } from "./loan-provider.ts";

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

export interface AccountIds {
  readonly orderIds?: readonly string[];
  readonly loanIds?: readonly string[];
}

/** Reads all loans of these orders, and these loans, oldest first. */
export async function findLoans(
  db: Queries,
  { loanIds = [], orderIds = [] }: AccountIds,
): Promise<StoredLoan[]> {
  if (loanIds.length + orderIds.length === 0) return [];
  const rows = await db
    .selectFrom("loans")
    .selectAll()
    .where((eb) =>
      eb.or([
        ...(loanIds.length === 0 ? [] : [eb("id", "in", padKeys(loanIds))]),
        ...(orderIds.length === 0 ? [] : [eb("order_id", "in", padKeys(orderIds))]),
      ]),
    )
    .orderBy("bound_at")
    .orderBy("id")
    .execute();
  return rows.map(storedLoanOf);
}

export async function findLoan(db: Queries, id: string): Promise<StoredLoan | undefined> {
  return (await findLoans(db, { loanIds: [id] }))[0];
}

export function findLoansOfOrder(db: Queries, orderId: string): Promise<StoredLoan[]> {
  return findLoans(db, { orderIds: [orderId] });
}

/** The loans that were presumed to extend another one before a time. */
export async function findPresumedExtensions(db: Queries, before: number): Promise<StoredLoan[]> {
  const rows = await db
    .selectFrom("loans")
    .selectAll()
    .where("presumed_extension_at", "<", before)
    .orderBy("presumed_extension_at")
    .execute();
  return rows.map(storedLoanOf);
}

/** The ids of the loans that pay these orders, by order id. */
export async function findPayingLoans(
  db: Queries,
  orderIds: readonly string[],
): Promise<Map<string, string[]>> {
  const paying = (await findLoans(db, { orderIds })).filter(
    ({ state, refusal }) => state === "paid-out" && refusal === undefined,
  );
  const byOrder = Map.groupBy(paying, ({ orderId = "" }) => orderId);
  return new Map([...byOrder].map(([orderId, loans]) => [orderId, loans.map(({ id }) => id)]));
}

export async function saveLoan(unit: UnitOfWork, loan: StoredLoan): Promise<void> {
  await saveLoans(unit, [loan]);
}

/** Inserts or updates loans of different ids. */
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

/** Increase it when a rule in `rules/` changes, so that the sweep settles every loan again. */
const RULES_VERSION = 7;

/** Has all fields that a decision depends on. */
function fingerprint(loan: Loan): string {
  return JSON.stringify([
    RULES_VERSION,
    loan.orderId,
    loan.cents,
    loan.exactCents,
    loan.amountText,
    loan.otherAsset,
    loan.state,
    loan.isDisputed,
    loan.wasExtended,
    loan.providerStatus,
  ]);
}

/** Stores that a loan is settled as it is reported now. */
export async function rememberSettled({ db }: UnitOfWork, loan: Loan): Promise<void> {
  const report = fingerprint(loan);
  await db
    .insertInto("settled_loans")
    .values({ loan_id: loan.id, report })
    .onConflict((conflict) =>
      conflict
        .column("loan_id")
        .doUpdateSet({ report })
        .where("settled_loans.report", "!=", report),
    )
    .execute();
}

/** Removes the loans that are already settled as they are reported now. */
export async function withoutSettled(db: Queries, loans: readonly Loan[]): Promise<Loan[]> {
  if (loans.length === 0) return [];
  const rows = await db
    .selectFrom("settled_loans")
    .selectAll()
    .where("loan_id", "in", padKeys(loans.map(({ id }) => id)))
    .execute();
  const known = new Map(rows.map(({ loan_id, report }) => [loan_id, report]));
  return loans.filter((loan) => known.get(loan.id) !== fingerprint(loan));
}
