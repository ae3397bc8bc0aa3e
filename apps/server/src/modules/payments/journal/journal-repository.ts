import type { Selectable } from "kysely";
import { padKeys, type Queries, type UnitOfWork } from "../../../platform/database/database.ts";
import type { Tables } from "../../../platform/database/tables.ts";
import type { Platform } from "../../../platform/platform.ts";
import { findStates, type OrderState } from "../../orders/index.ts";
import type { Actor } from "../../staff/index.ts";
import { type AccountIds, findLoans } from "../loans/loan-repository.ts";
import type {
  AccountEntry,
  LoanAccount,
  NewEntry,
  PayoutReport,
  StoredLoan,
} from "../rules/index.ts";

/** An account is identified by its order, or for money without an order by its loan. */
export type AccountKey = { readonly orderId: string } | { readonly loanId: string };

export function accountKeyOf({
  loanId,
  orderId,
}: {
  readonly loanId: string;
  readonly orderId: string | undefined | null;
}): AccountKey {
  return orderId == null ? { loanId } : { orderId };
}

/** The id of the order, or else of the loan. */
export function idIn(key: AccountKey): string {
  return "orderId" in key ? key.orderId : key.loanId;
}

export function idsOf(keys: readonly AccountKey[]): Required<AccountIds> {
  const orderIds = new Set(keys.flatMap((key) => ("orderId" in key ? key.orderId : [])));
  const loanIds = new Set(keys.flatMap((key) => ("loanId" in key ? key.loanId : [])));
  return { orderIds: [...orderIds], loanIds: [...loanIds] };
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

export function nameOf(by: Actor): string {
  return by.kind === "staff" ? by.name : by.kind;
}

/** What is stored of some accounts; orders and loans by id. */
export interface AccountRecords<Entry extends AccountEntry = AccountEntry> {
  readonly orders: ReadonlyMap<string, OrderState>;
  readonly loans: ReadonlyMap<string, StoredLoan>;
  readonly entries: readonly Entry[];
}

/** One of the accounts; an unknown one is empty. */
export function accountIn<Entry extends AccountEntry>(
  { orders, loans, entries }: AccountRecords<Entry>,
  key: AccountKey,
) {
  const all = [...loans.values()];
  return "orderId" in key
    ? {
        order: orders.get(key.orderId),
        loans: all.filter(({ orderId }) => orderId === key.orderId),
        entries: entries.filter(({ orderId }) => orderId === key.orderId),
      }
    : {
        order: undefined,
        loans: all.filter(({ id }) => id === key.loanId),
        entries: entries.filter(
          ({ orderId, loanId }) => orderId === undefined && loanId === key.loanId,
        ),
      };
}

/** Reads these orders and their loans, and these loans. */
export async function readOrdersAndLoans(db: Queries, ids: Required<AccountIds>) {
  const orders = ids.orderIds.length === 0 ? [] : await findStates(db, ids.orderIds);
  const loans = await findLoans(db, ids);
  return { orders: new Map(orders), loans: new Map(loans.map((loan) => [loan.id, loan])) };
}

/** Reads accounts with a few queries. Returns each by its key; an unknown one is empty. */
export async function readAccounts(
  db: Queries,
  keys: readonly AccountKey[],
): Promise<(key: AccountKey) => StoredAccount> {
  const ids = idsOf(keys);
  const records = { ...(await readOrdersAndLoans(db, ids)), entries: await findEntries(db, ids) };
  return (key) => accountIn(records, key);
}

export async function readAccount(db: Queries, key: AccountKey): Promise<StoredAccount> {
  return (await readAccounts(db, [key]))(key);
}

/**
 * Reads the account of an order; `undefined` if there is no such order. Lock the order before a
 * decision that depends on it.
 */
export async function readOrderAccount(db: Queries, orderId: string) {
  const { order, ...account } = await readAccount(db, { orderId });
  return order && { order, ...account };
}

/**
 * Reads all entries of these orders, and all that name these loans in any account, oldest first.
 */
export async function findEntries(
  db: Queries,
  { orderIds = [], loanIds = [] }: AccountIds,
): Promise<StoredEntry[]> {
  if (orderIds.length + loanIds.length === 0) return [];
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

export type AppendEntries = ReturnType<typeof createAppendEntries>;

export function createAppendEntries({ now, newId }: Pick<Platform, "now" | "newId">) {
  /**
   * Appends entries to the journal, and payout reports. Entries have the time of `now` unless they
   * have one of their own.
   *
   * @returns the entries as they are stored
   */
  return async (
    unit: UnitOfWork,
    entries: readonly NewEntry[],
    by: Actor,
    payoutReports: readonly PayoutReport[] = [],
  ): Promise<readonly StoredEntry[]> => {
    const byName = nameOf(by);
    const stored = entries.map(
      ({ at = now(), reason, ...entry }): StoredEntry => ({
        ...entry,
        id: newId(),
        at,
        byName,
        reason,
      }),
    );
    if (stored.length > 0)
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
