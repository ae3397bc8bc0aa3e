import { awaitsPayment, type Cents, isOrderStatus } from "@keepsats/domain";
import type { IssueKind } from "@keepsats/protocol";
import type { PayableOrder } from "./decision.ts";
import type { Resolution } from "./issue.ts";
import type { BoundLoan } from "./loan-repository.ts";

/** A payment issue as far as the ledger needs it. */
export interface BookedIssue {
  readonly loanId: string;
  /** Any text: a newer version may have stored a kind that this version does not know. */
  readonly kind: IssueKind | (string & {});
  /** The received money that pays no order; `undefined` if none was received, or it is not known. */
  readonly cents: Cents | undefined;
  readonly resolution: Resolution | undefined;
  /** In epoch milliseconds. */
  readonly seenAt: number;
}

/** Money that staff have refunded, as it was recorded; `at` in epoch milliseconds. */
export interface Refund {
  readonly id: string;
  readonly cents: Cents;
  readonly method: string;
  readonly reference: string | undefined;
  readonly byName: string;
  readonly at: number;
}

/** Everything that the ledger of one order is derived from. */
export interface Books {
  /** Its status may be one that this version does not know. */
  readonly order: PayableOrder;
  /** The loans that are bound to the order. */
  readonly loans: readonly BoundLoan[];
  /** The payment issues of the order; without those of loans that are bound to another order. */
  readonly issues: readonly BookedIssue[];
  readonly refunds: readonly Refund[];
}

/** The principal that one loan brought for an order; `at` in epoch milliseconds. */
export interface Receipt {
  readonly loanId: string;
  readonly cents: Cents;
  /** Whether the loan is bound to the order as paid; otherwise only a payment issue has it. */
  readonly isBound: boolean;
  readonly at: number;
}

export type LedgerEntry =
  | ({ readonly kind: "received" } & Receipt)
  | ({ readonly kind: "refunded" } & Refund);

/**
 * The money of one order, in cents. Always: `received = kept + refundable + refunded`, unless too
 * much was refunded.
 */
export interface Ledger {
  /** All principal that was paid out for the order, each loan once; extensions bring none. */
  readonly received: Cents;
  /** What the order keeps of it: its price, and the money that staff keep. */
  readonly kept: Cents;
  /** The part of `kept` that staff keep, by dismissing its payment issue. */
  readonly keptByStaff: Cents;
  /** What must be refunded. */
  readonly refundDue: Cents;
  /** What may be refunded: the refund due, or the money of an order that awaits payment. */
  readonly refundable: Cents;
  readonly refunded: Cents;
  /** What a paid order has not received, for example because an underpaid loan was accepted. */
  readonly missing: Cents;
  /** Oldest first. */
  readonly entries: readonly LedgerEntry[];
}

/**
 * Derives the ledger of an order. Nothing of it is stored, so it agrees with loans, payment issues
 * and refunds.
 *
 * Example: an order of $45.00 with two paid-out loans of $45.00 each has received $90.00, keeps
 * $45.00, and has a refund due of $45.00.
 */
export function ledgerOf(books: Books): Ledger {
  const { order, refunds } = books;
  const receipts = receiptsOf(books);
  const received = sum(receipts);
  const refunded = sum(refunds);
  // Refunded money cannot be kept, even if its payment issue is dismissed later.
  const keptByStaff = Math.min(dismissedOf(receipts, books), Math.max(0, received - refunded));
  const phase = phaseOf(order.status);
  // Refunds are taken from the money that pays nothing first, so a payment is reduced by what
  // exceeds that.
  const paying = Math.min(
    sum(receipts.filter(({ isBound }) => isBound)),
    received - keptByStaff - refunded,
  );
  const price = phase === "paid" ? Math.max(0, Math.min(order.total, paying)) : 0;
  const kept = price + keptByStaff;
  const refundable = Math.max(0, received - kept - refunded);
  return {
    received,
    kept,
    keptByStaff,
    refundDue: phase === "awaiting" ? 0 : refundable,
    refundable,
    refunded,
    missing: phase === "paid" ? order.total - price : 0,
    entries: entriesOf(receipts, refunds),
  };
}

/** A status of a newer version counts as paid: then only the excess over the total is due. */
function phaseOf(status: string): "awaiting" | "paid" | "cancelled" {
  if (!isOrderStatus(status)) return "paid";
  if (awaitsPayment(status)) return "awaiting";
  return status === "Cancelled" ? "cancelled" : "paid";
}

function receiptsOf({ order, loans, issues }: Books): Receipt[] {
  const paid = loans.filter(({ state }) => state === "paid-out");
  const bound = paid
    .filter((loan) => loan.extends === undefined)
    // The amount of a loan that an early version has bound may be unknown; it was bound only if it
    // covered the total.
    .map(({ id, cents, boundAt }) => ({
      loanId: id,
      cents: cents ?? order.total,
      isBound: true,
      at: boundAt,
    }));
  const counted = new Set(paid.map(({ id }) => id));
  const others = Map.groupBy(issues, ({ loanId }) => loanId);
  const unbound = [...others].flatMap(([loanId, some]) => {
    const cents = Math.max(0, ...some.map((one) => one.cents ?? 0));
    if (counted.has(loanId) || cents === 0) return [];
    const at = Math.min(
      ...some.filter((one) => one.cents !== undefined).map(({ seenAt }) => seenAt),
    );
    return [{ loanId, cents, isBound: false, at }];
  });
  return [...bound, ...unbound];
}

/** The money whose payment issues staff have dismissed, so that the shop keeps it. */
function dismissedOf(receipts: readonly Receipt[], { issues }: Books): Cents {
  return receipts.reduce(
    (total, receipt) => total + coveredBy(issues.filter(isDismissed), receipt),
    0,
  );
}

const isDismissed = ({ resolution }: BookedIssue) => resolution === "dismissed";
const isRefunded = ({ resolution }: BookedIssue) => resolution === "refunded";
/** An accepted loan pays its order, so its money must be refunded when the order is cancelled. */
const isNotAccepted = ({ resolution }: BookedIssue) => resolution !== "accepted";

/**
 * The part of one loan's money that payment issues are about. Two payment issues of one loan are
 * about different parts (`overpaid` about the excess, `paid-after-cancel` about the rest) or about
 * the whole, so they are added up to the whole at most.
 */
function coveredBy(issues: readonly BookedIssue[], { loanId, cents }: Receipt): Cents {
  const amounts = issues.filter((one) => one.loanId === loanId).map((one) => one.cents ?? 0);
  return Math.min(
    cents,
    amounts.reduce((total, amount) => total + amount, 0),
  );
}

/**
 * The refund due of each loan's money if the order is cancelled; together it is `refundDue` of the
 * ledger. Refunds belong to the order and not to one loan. They are taken from the money that was
 * resolved as refunded, then from other money that paid nothing, then from the rest.
 */
export function refundDueByLoan(books: Books): ReadonlyMap<string, Cents> {
  const { issues, refunds } = books;
  const receipts = receiptsOf(books);
  const due = new Map(
    receipts.map((receipt) => [
      receipt.loanId,
      receipt.cents - coveredBy(issues.filter(isDismissed), receipt),
    ]),
  );
  let left = sum(refunds);
  const take = (loanId: string, most: Cents) => {
    const before = due.get(loanId) ?? 0;
    const taken = Math.min(left, most, before);
    left -= taken;
    due.set(loanId, before - taken);
  };
  for (const which of [isRefunded, isNotAccepted])
    for (const receipt of receipts) take(receipt.loanId, coveredBy(issues.filter(which), receipt));
  for (const { loanId, cents } of receipts) take(loanId, cents);
  return due;
}

/** The refund due of an order if it is cancelled, in cents. */
export function refundDueOnceCancelled(books: Books): Cents {
  return ledgerOf({ ...books, order: { ...books.order, status: "Cancelled" } }).refundDue;
}

function entriesOf(receipts: readonly Receipt[], refunds: readonly Refund[]): LedgerEntry[] {
  return [
    ...receipts.map((receipt) => ({ kind: "received" as const, ...receipt })),
    ...refunds.map((refund) => ({ kind: "refunded" as const, ...refund })),
  ].sort((one, other) => one.at - other.at);
}

function sum(amounts: readonly { readonly cents: Cents }[]): Cents {
  return amounts.reduce((total, { cents }) => total + cents, 0);
}

/**
 * The refund due before an open payment issue of these books counts as refunded, in cents; 0 if
 * nothing, and `undefined` if its amount is not known. Refunds belong to the order and not to one
 * payment issue, so they must cover this payment issue and those that were resolved as refunded
 * before.
 *
 * Example: of two loans of $10.00 that do not pay their order, $10.00 were refunded. Then nothing
 * more is due for either of them, and $10.00 for the second once the first is resolved as refunded.
 */
export function refundDueFor(
  { loanId, kind }: Pick<BookedIssue, "loanId" | "kind">,
  books: Books,
): Cents | undefined {
  const issue = books.issues.find((one) => one.loanId === loanId && one.kind === kind);
  if (issue?.cents === undefined) return undefined;
  const { refunded, refundable } = ledgerOf(books);
  const covered = [...books.issues.filter(isRefunded), issue];
  const needed = receiptsOf(books).reduce(
    (total, receipt) => total + coveredBy(covered, receipt),
    0,
  );
  // Staff may keep a part of the money, or it may turn out to be none: no more can be refunded
  // than is there.
  return Math.min(Math.max(0, needed - refunded), refundable);
}
