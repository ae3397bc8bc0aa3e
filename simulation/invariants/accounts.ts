import type { CommittedEntry, CommittedOrder, State } from "../committed-state.ts";
import { currenciesOf, recount } from "./balance.ts";

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

/** The number of loans with an unknown amount that staff have not decided about. */
export function unknownAmounts({ entries }: Account): number {
  const byLoan = Map.groupBy(entries, ({ loan_id }) => loan_id);
  return [...byLoan.values()].filter(
    (own) => own.reduce((sum, { unknown }) => sum + unknown, 0) > 0,
  ).length;
}

/** Whether staff must decide about money of an account. */
export function hasOpenMoney(account: Account): boolean {
  return (
    unknownAmounts(account) > 0 ||
    currenciesOf(account.entries).some((currency) => recount(account, currency).refundable > 0)
  );
}
