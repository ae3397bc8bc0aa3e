import type { Queries } from "../db/database.ts";
import { findStates, type OrderState } from "../orders/index.ts";
import { issuesAmong } from "./issues/issue-repository.ts";
import type { ReadAccount } from "./issues/reconcile.ts";
import { type AccountKey, entriesAmong } from "./journal/journal-repository.ts";
import type { Loan } from "./loan.ts";
import { findLoansAmong } from "./loan-repository.ts";
import {
  type AccountEntry,
  type Consequences,
  consequencesOf,
  extensionEntries,
  type Known,
  type LoanAccount,
  type Move,
  type NewEntry,
  type NewIssue,
  type NewReceipt,
  type StoredLoan,
} from "./rules.ts";

/** A loan to settle, and the order that a customer presented it for. */
export interface Report {
  readonly loan: Loan;
  readonly presentedFor: string | undefined;
}

/** A move of an order that follows from the report of a loan. */
export interface LoanMove {
  readonly orderId: string;
  readonly loan: Loan;
  readonly move: Move;
}

/** What the reports of one transaction change. */
export interface Changes {
  /** Each as it is after the last report. */
  readonly loans: readonly StoredLoan[];
  readonly entries: readonly NewEntry[];
  readonly receipts: readonly NewReceipt[];
  readonly moves: readonly LoanMove[];
  readonly notices: readonly NewIssue[];
  /** The loans that are presumed to be extensions since these reports. */
  readonly presumed: readonly StoredLoan[];
}

/**
 * The accounts that the reports of one transaction are about, as the reports change them: several
 * can be about one order. Nothing is stored here.
 */
export class SettledAccounts {
  readonly #now: number;
  readonly #orders: Map<string, OrderState>;
  readonly #loans: Map<string, StoredLoan>;
  readonly #entries: AccountEntry[];
  readonly #touched = new Map<string, AccountKey>();
  readonly #changedLoans = new Map<string, StoredLoan>();
  readonly #newEntries: NewEntry[] = [];
  readonly #receipts: NewReceipt[] = [];
  readonly #moves: LoanMove[] = [];
  readonly #notices: NewIssue[] = [];
  readonly #storedLoans: ReadonlyMap<string, StoredLoan>;
  /** The states of the orders as they are stored. */
  readonly storedOrders: ReadonlyMap<string, OrderState>;

  private constructor(
    now: number,
    orders: ReadonlyMap<string, OrderState>,
    loans: readonly StoredLoan[],
    entries: readonly AccountEntry[],
  ) {
    this.#now = now;
    this.storedOrders = orders;
    this.#orders = new Map(orders);
    this.#storedLoans = new Map(loans.map((loan) => [loan.id, loan]));
    this.#loans = new Map(this.#storedLoans);
    this.#entries = [...entries];
  }

  /** Reads the accounts of these loans and of these orders, all of which are locked. */
  static async read(
    db: Queries,
    {
      loanIds,
      orderIds,
      now,
    }: { loanIds: readonly string[]; orderIds: readonly string[]; now: number },
  ): Promise<SettledAccounts> {
    const loans = await findLoansAmong(db, { loanIds, orderIds });
    const orders =
      orderIds.length === 0 ? new Map<string, OrderState>() : await findStates(db, orderIds);
    // Only a payout brings entries, and most reports are about orders without one.
    const isAnyPaidOut = loans.some(({ paidOutAt }) => paidOutAt !== undefined);
    const entries = isAnyPaidOut ? await entriesAmong(db, { loanIds, orderIds }) : [];
    return new SettledAccounts(now, orders, loans, entries);
  }

  /** Applies a report. */
  settle({ loan, presentedFor }: Report): Consequences {
    const known = this.#known(loan, presentedFor);
    const consequences = consequencesOf(known);
    if (consequences.kind === "undecided") return consequences;
    const { store, move, receipt, entries, notices } = consequences;
    if (store !== undefined) {
      this.#loans.set(store.id, store);
      this.#changedLoans.set(store.id, store);
    }
    if (receipt !== undefined) this.#receipts.push(receipt);
    this.#append(entries);
    const { order } = known;
    if (order !== undefined && move !== undefined) {
      this.#moves.push({ orderId: order.id, loan, move });
      if (move.kind === "to") this.#setStatus(order.id, move.to);
    }
    this.#notices.push(
      ...notices.filter(({ orderId }) => orderId === undefined || this.#orders.has(orderId)),
    );
    if (order !== undefined) this.#touched.set(`order ${order.id}`, { orderId: order.id });
    this.#touched.set(`loan ${loan.id}`, { loanId: loan.id });
    return consequences;
  }

  /** Nets the extensions of the accounts that have changed. Call it after all reports. */
  netExtensions(): void {
    for (const key of this.#touched.values()) this.#append(extensionEntries(this.#account(key)));
  }

  get changes(): Changes {
    const presumed = [...this.#changedLoans.values()].filter(
      ({ id, presumedExtensionAt: since }) =>
        since !== undefined && since !== this.#storedLoans.get(id)?.presumedExtensionAt,
    );
    return {
      loans: [...this.#changedLoans.values()],
      entries: this.#newEntries,
      receipts: this.#receipts,
      moves: this.#moves,
      notices: this.#notices,
      presumed,
    };
  }

  /** The loans of the same order whose money another loan seems to be. */
  equalPayouts({ id, orderId, cents, currency }: StoredLoan): StoredLoan[] {
    return [...this.#loans.values()].filter(
      (other) =>
        other.id !== id &&
        other.orderId === orderId &&
        other.state === "paid-out" &&
        other.cents === cents &&
        other.currency === currency,
    );
  }

  /** The accounts that have changed and have any money, with their payment issues. */
  async withMoney(db: Queries): Promise<ReadAccount[]> {
    const accounts = [...this.#touched.values()].flatMap((key) => {
      const account = this.#account(key);
      return account.entries.length === 0 ? [] : [{ key, account }];
    });
    if (accounts.length === 0) return [];
    const keys = accounts.map(({ key }) => key);
    const issues = await issuesAmong(db, {
      orderIds: keys.flatMap((key) => ("orderId" in key ? [key.orderId] : [])),
      loanIds: keys.flatMap((key) => ("loanId" in key ? [key.loanId] : [])),
    });
    return accounts.map(({ key, account }) => ({
      ...account,
      issues: issues.filter((issue) =>
        "orderId" in key
          ? issue.orderId === key.orderId
          : issue.orderId === undefined && issue.loanId === key.loanId,
      ),
    }));
  }

  #known(loan: Loan, presentedFor: string | undefined): Known {
    const stored = this.#loans.get(loan.id);
    const orderId = stored?.orderId ?? loan.orderId;
    const order = orderId === undefined ? undefined : this.#orders.get(orderId);
    const others = [...this.#loans.values()].filter(
      (other) => order !== undefined && other.orderId === order.id && other.id !== loan.id,
    );
    const entries = this.#entries.filter(({ loanId }) => loanId === loan.id);
    return { loan, presentedFor, stored, orderId, order, others, entries, now: this.#now };
  }

  #account(key: AccountKey): LoanAccount & { readonly order: OrderState | undefined } {
    if ("orderId" in key) {
      const { orderId } = key;
      return {
        order: this.#orders.get(orderId),
        loans: [...this.#loans.values()].filter((loan) => loan.orderId === orderId),
        entries: this.#entries.filter((entry) => entry.orderId === orderId),
      };
    }
    const { loanId } = key;
    const loan = this.#loans.get(loanId);
    return {
      order: undefined,
      loans: loan === undefined ? [] : [loan],
      entries: this.#entries.filter(
        (entry) => entry.orderId === undefined && entry.loanId === loanId,
      ),
    };
  }

  #append(entries: readonly NewEntry[]): void {
    this.#entries.push(...entries);
    this.#newEntries.push(...entries);
  }

  #setStatus(orderId: string, status: OrderState["status"]): void {
    const order = this.#orders.get(orderId);
    if (order !== undefined) this.#orders.set(orderId, { ...order, status });
  }
}
