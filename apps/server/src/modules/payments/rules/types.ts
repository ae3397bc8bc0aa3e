import type { Cents, JournalEntry, JournalKind, OrderStatus } from "@keepsats/domain";
import type { IssueKind, LoanRefusal, LoanState } from "@keepsats/protocol";

/** A loan as a provider reports it, in the shop's terms. */
export interface Loan {
  readonly id: string;
  /**
   * The order that it names, in lower case. A text that is not an order's id is dropped, because
   * anyone can write it.
   */
  readonly orderId: string | undefined;
  /** In whole cents, rounded down; `undefined` if the amount is not a number. */
  readonly cents: number | undefined;
  /** In cents, with their fraction. */
  readonly exactCents: number | undefined;
  /** The amount as the provider writes it. */
  readonly amountText: string;
  /** The asset that it lends; `undefined` if that is the shop's currency. */
  readonly otherAsset: string | undefined;
  readonly state: LoanState;
  /** Whether a dispute makes the state unknown. */
  readonly isDisputed: boolean;
  /**
   * Whether another loan of the same order and amount extends this one. The extension brings no
   * money of its own. A provider may report it only for a while; the stored loan keeps it.
   */
  readonly wasExtended: boolean;
  /** Shown to staff; no decision depends on it. */
  readonly providerStatus: string;
  /** When the provider last changed it, in epoch milliseconds; 0 if unknown. */
  readonly updatedAt: number;
}

/** A loan that is bound to an order, or that was ever paid out. Others are not stored. */
export interface StoredLoan extends Pick<Loan, "id" | "providerStatus" | "updatedAt"> {
  /** The order whose account has its money; `undefined` for money without an order. */
  readonly orderId: string | undefined;
  /** The order that the last report names. It can be one that the shop does not have. */
  readonly namedOrderId: string | undefined;
  /** `ended` if a payout was reversed. A dispute does not change it. */
  readonly state: LoanState;
  /** Whether it was ever reported as active: then it is not an extension. */
  readonly wasActive: boolean;
  /** Whether it was ever reported as extended by another loan. */
  readonly wasExtended: boolean;
  /** In hundredths of `currency`; `undefined` if unknown. */
  readonly cents: Cents | undefined;
  readonly currency: string;
  /** The amount as the provider wrote it; only stored if `cents` is rounded or unknown. */
  readonly amountText: string | undefined;
  /** `undefined` if it pays its order by itself, or staff accepted it. */
  readonly refusal: LoanRefusal | undefined;
  /** Since when it counts as an extension although no loan is marked as extended. */
  readonly presumedExtensionAt: number | undefined;
  /** When its payout was first seen. */
  readonly paidOutAt: number | undefined;
  readonly boundAt: number;
}

/** The status may be of a newer version. */
export interface PayableOrder {
  readonly id: string;
  readonly status: string;
  readonly total: Cents;
}

export interface AccountEntry extends JournalEntry {
  /** `undefined` for money without an order. */
  readonly orderId: string | undefined;
  /** The payment issue whose resolution or refund wrote it. */
  readonly issueId?: string | undefined;
  readonly refundId?: string | undefined;
  readonly method?: string | undefined;
  readonly reference?: string | undefined;
}

/** The account of an order, or of one loan that has no order. */
export interface LoanAccount {
  readonly order: PayableOrder | undefined;
  readonly loans: readonly StoredLoan[];
  /** Oldest first. */
  readonly entries: readonly AccountEntry[];
}

/** Everything that the consequences of a report depend on. */
export interface ReportFacts {
  readonly loan: Loan;
  /** The order that a customer presented the loan for; `undefined` if the sweep found it. */
  readonly presentedFor: string | undefined;
  readonly stored: StoredLoan | undefined;
  /** The order that the loan is bound to, or the one that it names. The shop may not have it. */
  readonly orderId: string | undefined;
  readonly order: PayableOrder | undefined;
  /** The other loans that are bound to this order. */
  readonly others: readonly StoredLoan[];
  /** All entries that name this loan, in any account. */
  readonly entries: readonly AccountEntry[];
  readonly now: number;
}

export interface NewEntry extends AccountEntry {
  /** The caller's clock by default. */
  readonly at?: number;
  readonly reason?: string | undefined;
}

export interface PayoutReport {
  readonly loanId: string;
  /** The order that the loan named then. */
  readonly orderId: string | undefined;
  readonly amount: Cents | undefined;
  readonly currency: string;
  /** The provider's text. */
  readonly providerAmount: string;
  /** The time of the payout: the provider's, but not later than ours. */
  readonly paidAt: number;
  readonly seenAt: number;
}

/** A payment issue that should be open. */
export interface NewIssue {
  readonly kind: IssueKind;
  readonly loanId: string;
  readonly orderId: string | undefined;
  readonly detail: string;
  /** The money that must be decided about; `null` if unknown, 0 by default. */
  readonly openAmount?: Cents | null;
  /** Of `openAmount`; the shop's currency by default. */
  readonly currency?: string;
  /** No email: the loan has not been paid out, so there is nothing to do yet. */
  readonly withoutEmail?: boolean;
  /** A resolved issue opens again although its detail is the same. */
  readonly reopensResolved?: boolean;
  /** Recorded only if the loan has no such issue for any order of the shop. */
  readonly oncePerLoan?: boolean;
}

export interface KnownIssue extends Pick<NewIssue, "loanId" | "orderId" | "detail"> {
  readonly id: string;
  /** Any text: a newer version may have stored a kind that this version does not know. */
  readonly kind: string;
  readonly resolution: string | undefined;
}

export interface StatusMove {
  readonly kind: "status";
  readonly to: OrderStatus;
  readonly attemptFailed?: boolean;
}

export type Move = StatusMove | { readonly kind: "record-failed-attempt" };

/**
 * What a report means. `bound`: the loan belongs to its order, and pays it or may still pay it.
 * `refused`: it does not pay the order. `ignored`: it is about no order of the shop. `undecided`:
 * nothing is stored, because this version does not know the order's status, or the order was not
 * read.
 */
export interface Consequences {
  readonly kind: "bound" | "refused" | "ignored" | "undecided";
  /** `undefined` if the loan has not changed. */
  readonly storedLoan?: StoredLoan | undefined;
  readonly move?: Move | undefined;
  readonly payoutReport?: PayoutReport | undefined;
  readonly entries: readonly NewEntry[];
  readonly newIssues: readonly NewIssue[];
}

export function consequences(
  kind: Consequences["kind"],
  parts: Partial<Consequences> = {},
): Consequences {
  return { entries: [], newIssues: [], ...parts, kind };
}

/** An entry of a known amount, unless `values` say otherwise. */
export function newEntry(
  kind: JournalKind,
  values: Omit<NewEntry, "kind" | "unknown"> & Partial<NewEntry>,
): NewEntry {
  return { unknown: 0, ...values, kind };
}

export function oppositeOf<Sum extends Pick<JournalEntry, "amount" | "unknown">>(sum: Sum): Sum {
  // Subtracted from 0, so that 0 does not become −0.
  return { ...sum, amount: 0 - sum.amount, unknown: 0 - sum.unknown };
}
