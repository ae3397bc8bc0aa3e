import type { Queries } from "../../../platform/database/database.ts";
import { findStates, type OrderState } from "../../orders/index.ts";
import { type AccountKey, findEntries } from "../journal/journal-repository.ts";
import {
  type AccountEntry,
  type Consequences,
  consequencesOf,
  type LoanAccount,
  type StoredLoan,
} from "../rules.ts";
import type { Loan } from "./loan-provider-api.ts";
import { type AccountIds, findLoans } from "./loan-repository.ts";

/**
 * The orders, loans and journal entries that the reports of one transaction are about, in memory.
 * Several reports can be about one order, so each report changes this state for the next one.
 */
export interface SettlementState {
  readonly orders: Map<string, OrderState>;
  readonly loans: Map<string, StoredLoan>;
  readonly entries: AccountEntry[];
}

export interface Report {
  readonly loan: Loan;
  /** The order that a customer presented it for; `undefined` if the sweep found it. */
  readonly presentedFor: string | undefined;
}

export interface Settled extends Report {
  /** The loan as it was stored before the report. */
  readonly stored: StoredLoan | undefined;
  readonly order: OrderState | undefined;
  readonly consequences: Consequences;
}

/** Lock the loans and orders first. */
export async function readSettlementState(
  db: Queries,
  ids: Required<AccountIds>,
): Promise<SettlementState> {
  const { orderIds } = ids;
  const loans = await findLoans(db, ids);
  const orders = orderIds.length === 0 ? [] : await findStates(db, orderIds);
  // Only a payout brings entries, and most reports are about orders without one.
  const isAnyPaidOut = loans.some(({ paidOutAt }) => paidOutAt !== undefined);
  return {
    orders: new Map(orders),
    loans: new Map(loans.map((loan) => [loan.id, loan])),
    entries: isAnyPaidOut ? await findEntries(db, ids) : [],
  };
}

/** Decides by the rules what a report means, and changes the state. It stores nothing. */
export function applyReport(
  state: SettlementState,
  { loan, presentedFor }: Report,
  now: number,
): Settled {
  const stored = state.loans.get(loan.id);
  const orderId = stored?.orderId ?? loan.orderId;
  const order = orderId === undefined ? undefined : state.orders.get(orderId);
  const consequences = consequencesOf({
    loan,
    presentedFor,
    stored,
    orderId,
    order,
    now,
    others: order === undefined ? [] : otherLoansOf(state, order.id, loan.id),
    entries: state.entries.filter(({ loanId }) => loanId === loan.id),
  });
  const { storedLoan, move, entries } = consequences;
  if (storedLoan !== undefined) state.loans.set(storedLoan.id, storedLoan);
  state.entries.push(...entries);
  if (order !== undefined && move?.kind === "status")
    state.orders.set(order.id, { ...order, status: move.to });
  return { loan, presentedFor, stored, order, consequences };
}

export function otherLoansOf(
  { loans }: SettlementState,
  orderId: string | undefined,
  loanId: string,
): StoredLoan[] {
  return [...loans.values()].filter((loan) => loan.orderId === orderId && loan.id !== loanId);
}

/** The accounts that reports are about, each once. */
export function accountKeysIn(settled: readonly Settled[]): AccountKey[] {
  const decided = settled.filter(({ consequences }) => consequences.kind !== "undecided");
  const orderIds = new Set(decided.flatMap(({ order }) => order?.id ?? []));
  const loanIds = new Set(decided.map(({ loan }) => loan.id));
  return [
    ...[...orderIds].map((orderId) => ({ orderId })),
    ...[...loanIds].map((loanId) => ({ loanId })),
  ];
}

export function accountIn(
  { orders, loans, entries }: SettlementState,
  key: AccountKey,
): LoanAccount & { readonly order: OrderState | undefined } {
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
