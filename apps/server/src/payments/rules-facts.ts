import type { Cents, JournalEntry, JournalKind, OrderStatus } from "@keepsats/domain";
import type { IssueKind, LoanState } from "@keepsats/protocol";
import type { Loan } from "./loan.ts";

// The facts that the rules depend on, and what they can demand. See rules.ts.

/** Why a paid-out loan does not pay its order by itself. Only staff can accept it. */
export type LoanRefusal = "underpaid" | "wrong-currency" | "unknown-order";

/** A loan that the shop has stored: one that is bound to an order, or that was ever paid out. */
export interface StoredLoan extends Pick<Loan, "id" | "providerStatus" | "updatedAt"> {
  /** The order whose account has its money; `undefined` for money without an order. */
  readonly orderId: string | undefined;
  /** The order that it named when it was last reported; the shop may not have it. */
  readonly namedOrderId: string | undefined;
  /** `ended` also for a payout that was reversed; a dispute leaves the earlier state. */
  readonly state: LoanState;
  /** Whether it was ever reported as active: then it is no extension. */
  readonly wasActive: boolean;
  /** Whether it was ever reported as extended by another loan. */
  readonly wasExtended: boolean;
  /** The amount that it lends, or lent when it was paid out; `undefined` if that is not known. */
  readonly cents: Cents | undefined;
  /** The currency of `cents`, as in the journal. */
  readonly currency: string;
  /** The amount as the provider writes it, if `cents` says less than that. */
  readonly amountText: string | undefined;
  /** `undefined` if it pays its order by itself, or staff accepted it. */
  readonly refusal: LoanRefusal | undefined;
  /** Since when it counts as an extension although no loan is marked as extended. */
  readonly presumedExtensionAt: number | undefined;
  /** When it was first seen as paid out. */
  readonly paidOutAt: number | undefined;
  /** When it was first stored. */
  readonly boundAt: number;
}

/** An order, as far as its money depends on it; the status may be of a newer version. */
export interface PayableOrder {
  readonly id: string;
  readonly status: string;
  readonly total: Cents;
}

/** A journal entry with its account; `orderId` is `undefined` for money without an order. */
export interface AccountEntry extends JournalEntry {
  readonly orderId: string | undefined;
  /** The payment issue whose resolution or refund wrote it. */
  readonly issueId: string | undefined;
  readonly refundId: string | undefined;
  readonly method: string | undefined;
  readonly reference: string | undefined;
}

/**
 * The account of an order, or of a loan that has none: with all its entries, oldest first, and all
 * loans that are bound to the order (or that one loan).
 */
export interface LoanAccount {
  readonly order: PayableOrder | undefined;
  readonly loans: readonly StoredLoan[];
  readonly entries: readonly AccountEntry[];
}

/** Everything that the consequences of a report depend on. */
export interface Known {
  /** As the provider reports it now. */
  readonly loan: Loan;
  /** The order that a customer presented the loan for; `undefined` if the sweep found it. */
  readonly presentedFor: string | undefined;
  readonly stored: StoredLoan | undefined;
  /** The order that the loan is bound to, or else names; `order` is that order, if it exists. */
  readonly orderId: string | undefined;
  readonly order: PayableOrder | undefined;
  /** The other loans that are bound to this order. */
  readonly others: readonly StoredLoan[];
  /** All entries that name this loan, in any account. */
  readonly entries: readonly AccountEntry[];
  readonly now: number;
}

/** An entry to append. The caller adds id, time (unless `at`) and who. */
export interface NewEntry extends AccountEntry {
  /** The time of the payout; the caller's clock by default. */
  readonly at?: number;
  readonly reason?: string;
}

export interface NewReceipt {
  readonly loanId: string;
  /** The order that the loan named when the payout was first seen. */
  readonly orderId: string | undefined;
  readonly amount: Cents | undefined;
  readonly currency: string;
  /** The amount as the provider writes it, also if it has a fraction of a cent. */
  readonly providerAmount: string;
  /** The time of the payout: the provider's, but not later than ours. */
  readonly paidAt: number;
  readonly seenAt: number;
}

/** A payment issue without money of its own, to record for an order (or none). */
export interface NewIssue {
  readonly kind: IssueKind;
  readonly loanId: string;
  readonly orderId: string | undefined;
  readonly detail: string;
  /** No email: the loan has not been paid out, so there is nothing to do yet. */
  readonly withoutMail: boolean;
  /** Whether a resolved issue opens again although its detail is the same. */
  readonly isNew: boolean;
  /** Recorded only if the loan has no such issue for any order of the shop. */
  readonly oncePerLoan: boolean;
}

export type Move =
  | { readonly kind: "to"; readonly to: OrderStatus; readonly attemptOver?: boolean }
  | { readonly kind: "note-attempt-over" };

/**
 * What a report means. `bound`: the loan belongs to its order and pays it, or may. `refused`: it
 * does not pay the order. `ignored`: it is about no order of the shop. `undecided`: nothing is
 * stored, because this version does not know the order's status.
 */
export interface Consequences {
  readonly kind: "bound" | "refused" | "ignored" | "undecided";
  /** The loan to store; `undefined` if nothing of it changed. */
  readonly store: StoredLoan | undefined;
  readonly move: Move | undefined;
  readonly receipt: NewReceipt | undefined;
  readonly entries: readonly NewEntry[];
  readonly notices: readonly NewIssue[];
  /** A time of the provider that is in the future, for the log. */
  readonly futureTime: number | undefined;
}

/** A payment issue that should be open, because its loan has money to decide about. */
export interface ExpectedIssue {
  readonly kind: IssueKind;
  readonly loanId: string;
  readonly orderId: string | undefined;
  readonly detail: string;
}

/** A stored payment issue, as far as the rules need it; `resolution` is its kind. */
export interface KnownIssue {
  readonly id: string;
  /** Any text: a newer version may have stored a kind that this version does not know. */
  readonly kind: string;
  readonly loanId: string;
  readonly orderId: string | undefined;
  readonly detail: string;
  readonly resolution: string | undefined;
}

export interface IssueOptions {
  /** The setting, in cents; by default twice the order's total plus $100. */
  readonly overpaymentLimit?: Cents | undefined;
}

/** The values of an entry that are not the same for all. */
type EntryValues = Pick<NewEntry, "amount" | "currency" | "loanId" | "orderId"> & Partial<NewEntry>;

/** An entry to append; it belongs to no issue and no refund by default. */
export function newEntry(kind: JournalKind, values: EntryValues): NewEntry {
  return {
    unknown: 0,
    issueId: undefined,
    refundId: undefined,
    method: undefined,
    reference: undefined,
    ...values,
    kind,
    // No negative zero.
    amount: values.amount + 0,
  };
}

/** The same with the opposite amounts. */
export function oppositeOf({ amount, unknown = 0 }: { amount: Cents; unknown?: number }) {
  return { amount: amount === 0 ? 0 : -amount, unknown: unknown === 0 ? 0 : -unknown };
}
