import type { Selectable } from "kysely";
import type { Queries, UnitOfWork } from "../../../platform/database/database.ts";
import { padKeys } from "../../../platform/database/in-clause.ts";
import type { Tables } from "../../../platform/database/tables.ts";
import type { Clock } from "../../../platform/scheduling/clock.ts";
import { findStates, type OrderState } from "../../orders/index.ts";
import type { Actor } from "../../staff/index.ts";
import { type AccountIds, findLoans } from "../loans/loan-repository.ts";
import type { AccountEntry, LoanAccount, NewEntry, PayoutReport } from "../rules.ts";

/** An account is identified by its order, or for money without an order by its loan. */
export type AccountKey = { readonly orderId: string } | { readonly loanId: string };

export function accountKeyOf({
  loanId,
  orderId,
}: {
  readonly loanId: string;
  readonly orderId: string | undefined;
}): AccountKey {
  return orderId === undefined ? { loanId } : { orderId };
}

export interface StoredEntry extends AccountEntry {
  readonly id: string;
  /** In epoch milliseconds; the time of the payout where the provider gave it. */
  readonly at: number;
  /** The name of the member of staff or of the API token; `provider` or `shop`. */
  readonly byName: string;
  readonly reason: string | undefined;
}

export interface StoredAccount extends LoanAccount {
  readonly order: OrderState | undefined;
  readonly entries: readonly StoredEntry[];
}

export interface OrderAccount extends StoredAccount {
  readonly order: OrderState;
}

export function nameOf(by: Actor): string {
  return by.kind === "staff" ? by.name : by.kind;
}

/**
 * Reads the account of an order; `undefined` if there is no such order. Lock the order before a
 * decision that depends on it.
 */
export async function readOrderAccount(
  db: Queries,
  orderId: string,
): Promise<OrderAccount | undefined> {
  return (await readOrderAccounts(db, [orderId])).get(orderId);
}

/** Reads the accounts of orders, by order id; without those that do not exist. */
export async function readOrderAccounts(
  db: Queries,
  orderIds: readonly string[],
): Promise<Map<string, OrderAccount>> {
  if (orderIds.length === 0) return new Map();
  const orders = await findStates(db, orderIds);
  const loans = Map.groupBy(await findLoans(db, { orderIds }), ({ orderId }) => orderId);
  const entries = Map.groupBy(await findEntries(db, { orderIds }), ({ orderId }) => orderId);
  return new Map(
    [...orders].map(([id, order]) => [
      id,
      { order, loans: loans.get(id) ?? [], entries: entries.get(id) ?? [] },
    ]),
  );
}

/** Reads the accounts of the money that loans brought without an order, by loan id. */
export async function readLoanAccounts(
  db: Queries,
  loanIds: readonly string[],
): Promise<Map<string, StoredAccount>> {
  if (loanIds.length === 0) return new Map();
  const loans = await findLoans(db, { loanIds });
  const entries = (await findEntries(db, { loanIds })).filter(
    ({ orderId }) => orderId === undefined,
  );
  return new Map(
    loanIds.map((loanId) => [
      loanId,
      {
        order: undefined,
        loans: loans.filter(({ id }) => id === loanId),
        entries: entries.filter((entry) => entry.loanId === loanId),
      },
    ]),
  );
}

export function idsOf(keys: readonly AccountKey[]): Required<AccountIds> {
  const orderIds = new Set(keys.flatMap((key) => ("orderId" in key ? key.orderId : [])));
  const loanIds = new Set(keys.flatMap((key) => ("loanId" in key ? key.loanId : [])));
  return { orderIds: [...orderIds], loanIds: [...loanIds] };
}

/** Reads accounts with a few queries. @returns each by its key; an unknown one has no entries */
export async function readAccounts(
  db: Queries,
  keys: readonly AccountKey[],
): Promise<(key: AccountKey) => StoredAccount> {
  const { orderIds, loanIds } = idsOf(keys);
  const ofOrders = await readOrderAccounts(db, orderIds);
  const ofLoans = await readLoanAccounts(db, loanIds);
  const none: StoredAccount = { order: undefined, loans: [], entries: [] };
  return (key) => ("orderId" in key ? ofOrders.get(key.orderId) : ofLoans.get(key.loanId)) ?? none;
}

export async function readAccount(db: Queries, key: AccountKey): Promise<StoredAccount> {
  return (await readAccounts(db, [key]))(key);
}

/**
 * Reads all entries of these orders, and all that name these loans in any account, oldest first.
 */
export async function findEntries(
  db: Queries,
  { orderIds = [], loanIds = [] }: AccountIds,
): Promise<StoredEntry[]> {
  const rows = await db
    .selectFrom("journal")
    .selectAll()
    .where((eb) =>
      eb.or([
        ...(orderIds.length === 0 ? [] : [eb("order_id", "in", padKeys(orderIds))]),
        ...(loanIds.length === 0 ? [] : [eb("loan_id", "in", padKeys(loanIds))]),
      ]),
    )
    .orderBy("position")
    .execute();
  return rows.map(entryOf);
}

function entryOf(row: Selectable<Tables["journal"]>): StoredEntry {
  return {
    id: row.id,
    kind: row.kind,
    amount: row.amount,
    unknown: row.unknown,
    currency: row.currency,
    orderId: row.order_id ?? undefined,
    loanId: row.loan_id ?? undefined,
    issueId: row.issue_id ?? undefined,
    refundId: row.refund_id ?? undefined,
    method: row.method ?? undefined,
    reference: row.reference ?? undefined,
    grant: row.grant_kind ?? undefined,
    at: row.at,
    byName: row.by_name,
    reason: row.reason ?? undefined,
  };
}

/**
 * Appends entries to the journal, and payout reports. Entries have the time of `now` unless they have
 * one of their own.
 *
 * @returns the entries as they are stored
 */
export type AppendEntries = (
  unit: UnitOfWork,
  entries: readonly NewEntry[],
  by: Actor,
  payoutReports?: readonly PayoutReport[],
) => Promise<readonly StoredEntry[]>;

export function createAppendEntries({
  now,
  newId,
}: {
  readonly now: Clock;
  readonly newId: () => string;
}): AppendEntries {
  return async (unit, entries, by, payoutReports = []) => {
    const byName = nameOf(by);
    const stored = entries.map(
      (entry): StoredEntry => ({
        ...entry,
        id: newId(),
        at: entry.at ?? now(),
        byName,
        reason: entry.reason,
      }),
    );
    if (stored.length > 0 || payoutReports.length > 0)
      await unit.insertAll({
        receipts: payoutReports.map(payoutReportRow),
        journal: stored.map(rowOf),
      });
    return stored;
  };
}

function rowOf(entry: StoredEntry) {
  return {
    id: entry.id,
    order_id: entry.orderId ?? null,
    loan_id: entry.loanId ?? null,
    kind: entry.kind,
    amount: entry.amount,
    unknown: entry.unknown,
    currency: entry.currency,
    at: entry.at,
    by_name: entry.byName,
    reason: entry.reason ?? null,
    issue_id: entry.issueId ?? null,
    refund_id: entry.refundId ?? null,
    method: entry.method ?? null,
    reference: entry.reference ?? null,
    grant_kind: entry.grant ?? null,
  };
}

function payoutReportRow(report: PayoutReport): Tables["receipts"] {
  return {
    loan_id: report.loanId,
    order_id: report.orderId ?? null,
    amount: report.amount ?? null,
    currency: report.currency,
    provider_amount: report.providerAmount,
    paid_at: report.paidAt,
    seen_at: report.seenAt,
  };
}
