import { type Balances, balancesOf, type JournalEntry } from "@keepsats/domain";
import type { CommittedEntry, CommittedOrder, State } from "../committed-state.ts";

/** The committed money of an order, or of a loan without an order. */
export interface Account {
  readonly order: CommittedOrder | undefined;
  /** The loan, if there is no order. */
  readonly loanId: string | undefined;
  readonly entries: readonly CommittedEntry[];
}

/** All accounts with money, those of orders first. */
export function accountsOf({ orders, entries }: Pick<State, "orders" | "entries">): Account[] {
  const byOrder = Map.groupBy(entries, ({ order_id }) => order_id);
  const withoutOrder = Map.groupBy(byOrder.get(null) ?? [], ({ loan_id }) => loan_id ?? "");
  return [
    ...[...orders.values()].flatMap((order): Account[] => {
      const own = byOrder.get(order.id);
      return own === undefined ? [] : [{ order, loanId: undefined, entries: own }];
    }),
    ...[...withoutOrder].map(([loanId, own]) => ({ order: undefined, loanId, entries: own })),
  ];
}

/** The account of an order; without entries if it has no money. */
export function accountOf(order: CommittedOrder, { entries }: Pick<State, "entries">): Account {
  const own = entries.filter(({ order_id }) => order_id === order.id);
  return { order, loanId: undefined, entries: own };
}

/** Entries as the rules about money have them. */
export function journalOf(entries: readonly CommittedEntry[]): readonly JournalEntry[] {
  return entries.map((entry) => ({
    ...entry,
    loanId: entry.loan_id ?? undefined,
    grant: entry.grant_kind ?? undefined,
  }));
}

interface CountedAccount {
  readonly order: { readonly status: string; readonly total: number } | undefined;
  readonly entries: readonly CommittedEntry[];
}

/** The sums of an account by `balancesOf`, whose own tests prove it. */
export function balancesIn({ order, entries }: CountedAccount): Balances {
  return balancesOf({ order, entries: journalOf(entries) });
}
