import { balancesOf, type Cents, currency, moneyPhaseOf, sumOf } from "@keepsats/domain";
import {
  type KnownIssue,
  type LoanAccount,
  type LoanRefusal,
  type Move,
  type NewEntry,
  newEntry,
  oppositeOf,
  type StoredLoan,
} from "./rules-facts.ts";
import { isAboutMoney, isSameIssue, moneyIssues } from "./rules-issues.ts";
import { type LoanMoney, moneyByLoan } from "./rules-open-money.ts";

/**
 * How staff resolve a payment issue.
 *
 * - `refunded`: its money was refunded.
 * - `accepted`: it counts as the payment although it is no full one, or the shop keeps its money.
 * - `written-off`: missing money is given up, or money without an order that cannot be returned.
 * - `dismissed`: there is nothing to do.
 */
export type ResolutionKind = "refunded" | "accepted" | "written-off" | "dismissed";

export type ResolutionRefusal =
  /** So much of its loan must be refunded first; `undefined` if nobody knows how much. */
  | { readonly kind: "refund-due"; readonly amount: Cents | undefined; readonly currency: string }
  /** Nothing was refunded. */
  | { readonly kind: "nothing-refunded" }
  /** There is no money to accept. */
  | { readonly kind: "not-acceptable" }
  /** Nothing is missing, and there is no money without an order or of unknown amount. */
  | { readonly kind: "nothing-to-write-off" }
  /** Its loan has money that must be refunded, accepted or written off. */
  | { readonly kind: "money-open" };

/** What to do for a decision of staff. */
export interface Decided {
  readonly kind: "decided";
  readonly entries: readonly NewEntry[];
  readonly move: Move | undefined;
  /** The loan to store, if the decision changes whether it pays its order. */
  readonly store: StoredLoan | undefined;
}

function decided({ entries = [], move, store }: Partial<Decided> = {}): Decided {
  return { kind: "decided", entries, move, store };
}

/** Decides how staff resolve an open payment issue. */
export function resolutionOf(
  issue: KnownIssue,
  resolution: ResolutionKind,
  account: LoanAccount,
): Decided | ResolutionRefusal {
  const money = moneyByLoan(account, balancesOf(account)).get(issue.loanId);
  switch (resolution) {
    case "refunded":
      return refundedBy(money, account);
    case "accepted":
      return acceptanceOf(issue, money, account);
    case "written-off":
      return writeOffOf(issue, money, account);
    case "dismissed":
      return isOpen(money) ? { kind: "money-open" } : decided();
  }
}

function isOpen(money: LoanMoney | undefined): money is LoanMoney {
  return money !== undefined && (money.open > 0 || money.isUnknown);
}

function refundedBy(
  money: LoanMoney | undefined,
  account: LoanAccount,
): Decided | ResolutionRefusal {
  if (isOpen(money)) {
    const amount = money.isUnknown ? undefined : money.open;
    return { kind: "refund-due", amount, currency: money.currency };
  }
  const wasRefunded = account.entries.some(({ kind }) => kind === "refunded");
  return wasRefunded ? decided() : { kind: "nothing-refunded" };
}

/**
 * Accepts a loan. A refused loan becomes a payment of its order: what it lacks is waived. Of any
 * other loan, the shop keeps the money.
 */
function acceptanceOf(
  issue: KnownIssue,
  money: LoanMoney | undefined,
  account: LoanAccount,
): Decided | ResolutionRefusal {
  if (money === undefined) return { kind: "not-acceptable" };
  const payment = paymentBy(issue, money, account);
  if (payment !== undefined) return payment;
  return isOpen(money) ? decided({ entries: keptOf(issue, money) }) : { kind: "not-acceptable" };
}

/** Makes a refused loan a payment of its order; `undefined` if the order needs none. */
function paymentBy(issue: KnownIssue, money: LoanMoney, account: LoanAccount): Decided | undefined {
  const { order } = account;
  const { loan, open, share } = money;
  const hasMoney = isOpen(money) || share > 0;
  if (order === undefined || loan.refusal === undefined || !hasMoney) return undefined;
  const phase = moneyPhaseOf(order.status);
  const { shop } = balancesOf(account);
  if (phase === "cancelled" || (phase === "paid" && shop.missing === 0 && share === 0))
    return undefined;
  const inDollars = money.currency === currency.code && !money.isUnknown;
  // An order that awaits payment has no price yet, so nothing is missing.
  const missing =
    phase === "paid" ? shop.missing : Math.max(0, order.total - (inDollars ? open : 0));
  const waived = newEntry("waived", {
    amount: missing,
    currency: currency.code,
    loanId: loan.id,
    orderId: order.id,
    issueId: issue.id,
  });
  return decided({
    entries: [...(missing === 0 ? [] : [waived]), ...(inDollars ? [] : keptOf(issue, money))],
    move: phase === "awaiting" ? { kind: "to", to: "PaymentProcessed" } : undefined,
    store: { ...loan, refusal: undefined },
  });
}

/** The entry by which the shop keeps the open money of a loan, or writes it off. */
function keptOf(
  issue: KnownIssue,
  { loan, open, currency: code, isUnknown }: LoanMoney,
  kind: "kept" | "written-off" = "kept",
): NewEntry[] {
  return [
    newEntry(kind, {
      amount: open,
      unknown: isUnknown ? -1 : 0,
      currency: code,
      loanId: loan.id,
      orderId: issue.orderId,
      issueId: issue.id,
    }),
  ];
}

function writeOffOf(
  issue: KnownIssue,
  money: LoanMoney | undefined,
  account: LoanAccount,
): Decided | ResolutionRefusal {
  const { shop, others } = balancesOf(account);
  const losses = [shop, ...others].flatMap(({ currency: code, missing }) => {
    const { loanId, orderId, id: issueId } = issue;
    const values = { amount: missing, currency: code, loanId, orderId, issueId };
    return missing > 0 ? newEntry("written-off", values) : [];
  });
  const isStray = isOpen(money) && (account.order === undefined || money.isUnknown);
  // Of an order, the known money of a loan is refunded or kept, and not written off.
  const stray = isStray
    ? keptOf(issue, account.order === undefined ? money : { ...money, open: 0 }, "written-off")
    : [];
  const entries = [...losses, ...stray];
  return entries.length > 0 ? decided({ entries }) : { kind: "nothing-to-write-off" };
}

/** Why an issue does not open again. */
export type ReopeningRefusal = {
  /**
   * `refund-stands`: it was resolved by a refund, which must be reversed instead. `nothing-open`:
   * its loan has no money to decide about.
   */
  readonly kind: "not-resolved" | "refund-stands" | "nothing-open";
};

/**
 * Opens a resolved payment issue again: opposite entries undo all its resolutions. The status of the
 * order stays.
 */
export function reopeningOf(issue: KnownIssue, account: LoanAccount): Decided | ReopeningRefusal {
  if (issue.resolution === undefined) return { kind: "not-resolved" };
  if (issue.resolution === "refunded") return { kind: "refund-stands" };
  const entries = undoneBy(issue, account);
  const loan = account.loans.find(({ id }) => id === issue.loanId);
  const store = loan === undefined ? undefined : refusedAgain(issue, loan);
  const after: LoanAccount = {
    ...account,
    loans: account.loans.map((one) => (one.id === store?.id ? store : one)),
    entries: [...account.entries, ...entries],
  };
  const isExpected = moneyIssues(after).some((one) => isSameIssue(one, issue));
  if (isAboutMoney(issue, account) && !isExpected) return { kind: "nothing-open" };
  return decided({ entries, store });
}

const decisionKinds = ["kept", "waived", "written-off"] as const;

/** The opposite of all entries that the resolutions of an issue have left. */
function undoneBy(issue: KnownIssue, { entries }: LoanAccount): NewEntry[] {
  const own = entries.filter(({ issueId }) => issueId === issue.id);
  return decisionKinds.flatMap((kind) => {
    const some = own.filter((entry) => entry.kind === kind);
    return [...Map.groupBy(some, (entry) => entry.currency)].flatMap(([code, same]) => {
      const amount = sumOf(same, [kind]);
      const unknown = same.reduce((count, entry) => count + entry.unknown, 0);
      if (amount === 0 && unknown === 0) return [];
      const { loanId, orderId, id: issueId } = issue;
      const opposite = oppositeOf({ amount, unknown });
      return newEntry(kind, { ...opposite, currency: code, loanId, orderId, issueId });
    });
  });
}

const refusals: readonly LoanRefusal[] = ["underpaid", "wrong-currency", "unknown-order"];

/** The loan whose acceptance is undone; `undefined` if none was accepted. */
function refusedAgain(issue: KnownIssue, loan: StoredLoan): StoredLoan | undefined {
  const refusal = refusals.find((kind) => kind === issue.kind);
  const wasAccepted =
    issue.resolution === "accepted" && loan.refusal === undefined && loan.orderId !== undefined;
  return wasAccepted && refusal !== undefined ? { ...loan, refusal } : undefined;
}
