import {
  awaitsPayment,
  balancesByCurrency,
  balancesOf,
  hasOpenMoney,
  type LoanPayout,
  loanPayoutOf,
  shopCurrency,
  sumOf,
} from "@keepsats/domain";
import type { LoanRefusal } from "@keepsats/protocol";
import { isPresumedExtension } from "./extensions.ts";
import { isEnough, type LoanAmount, lentBy, reported, withStoredLoan } from "./reports.ts";
import { changedDetail, lentClause, nameClause, unknownAfterPayoutDetail } from "./sentences.ts";
import {
  type Consequences,
  type NewEntry,
  type NewIssue,
  newEntry,
  oppositeOf,
  type ReportFacts,
  type StoredLoan,
} from "./types.ts";

// What a report means at the payout and after it.

/** The first report that a loan was paid out. */
export function firstPayout(facts: ReportFacts): Consequences {
  const { loan, order, now } = facts;
  const lent = lentBy(loan, order?.total);
  const paidAt = loan.updatedAt === 0 ? now : loan.updatedAt;
  const account = { loanId: loan.id, orderId: order?.id };
  return {
    ...payment(facts, lent, lent),
    entries: [newEntry("received", { ...payoutIn(lent), ...account, at: paidAt })],
    payoutReport: {
      loanId: loan.id,
      orderId: loan.orderId,
      amount: lent.cents,
      currency: lent.currency,
      providerAmount: loan.amountText,
      paidAt,
      seenAt: now,
    },
  };
}

function payoutIn(lent: LoanAmount): LoanPayout {
  return {
    amount: lent.cents ?? 0,
    unknown: lent.cents === undefined ? 1 : 0,
    currency: lent.currency,
  };
}

/**
 * Decides whether the money of a loan pays its order.
 *
 * @param brought the money in the order's account: less than `lent` if a part was refunded before
 */
function payment(facts: ReportFacts, lent: LoanAmount, brought: LoanAmount): Consequences {
  const { stored, order, others, now } = facts;
  const refusal = refusalOf(facts, brought);
  const loan: StoredLoan = { ...reported(facts, lent), refusal, paidOutAt: now };
  const isPresumed = order !== undefined && isPresumedExtension(loan, others);
  const pays = refusal === undefined && order !== undefined && awaitsPayment(order.status);
  const storedLoan = { ...loan, presumedExtensionAt: isPresumed ? now : undefined };
  return withStoredLoan(stored, storedLoan, {
    move: pays ? { kind: "status", to: "PaymentProcessed" } : undefined,
  });
}

function refusalOf(
  { loan, order, others }: ReportFacts,
  brought: LoanAmount,
): LoanRefusal | undefined {
  if (order === undefined || loan.orderId !== order.id) return "unknown-order";
  if (brought.currency !== shopCurrency.code) return "wrong-currency";
  return isEnough(brought, order.total, others) ? undefined : "underpaid";
}

/**
 * Whether a loan without an order brings money that staff have not decided about: its money is
 * open, or its payout was reversed and is repeated.
 */
export function isUndecidedWithoutOrder({ entries }: ReportFacts, { state }: StoredLoan): boolean {
  const balances = balancesWithoutOrder(entries);
  if (state !== "ended") return hasOpenMoney(balances);
  return balancesByCurrency(balances).every(({ missing }) => missing === 0);
}

function balancesWithoutOrder(entries: ReportFacts["entries"]) {
  const own = entries.filter(({ orderId }) => orderId === undefined);
  return balancesOf({ order: undefined, entries: own });
}

/** Moves undecided money without an order to the order that its loan names now. */
export function transferToOrder(facts: ReportFacts, stored: StoredLoan): Consequences {
  const { loan, order, entries } = facts;
  const balances = balancesWithoutOrder(entries);
  const lent = lentBy(loan, order?.total);
  const transfers = balancesByCurrency(balances).flatMap(({ currency, refundable }) => {
    const unknown = currency === stored.currency ? balances.unknownAmounts : 0;
    if (refundable === 0 && unknown === 0) return [];
    const money = { amount: refundable, unknown, currency, loanId: loan.id };
    return [
      newEntry("transferred", { ...oppositeOf(money), orderId: undefined }),
      newEntry("transferred", { ...money, orderId: order?.id }),
    ];
  });
  const bound = { ...stored, orderId: order?.id };
  const changes = [...transfers, ...entriesAfterPayout(facts, bound, lent)];
  const arrived = changes.filter(({ orderId }) => orderId === order?.id);
  const payout = loanPayoutOf(arrived, loan.id);
  const brought: LoanAmount = {
    cents: payout === undefined ? 0 : payout.unknown > 0 ? undefined : payout.amount,
    currency: payout?.currency ?? lent.currency,
    amountText: lent.amountText,
  };
  return { ...payment({ ...facts, stored: bound }, lent, brought), entries: changes };
}

/** A report about a loan that was paid out before. Only `ended` reverses the payout. */
export function afterPayout(facts: ReportFacts, stored: StoredLoan): Consequences {
  const { loan, order } = facts;
  // The amount counts only while the loan is reported as paid out.
  const lent = loan.state === "paid-out" ? lentBy(loan, order?.total) : stored;
  const isConclusive = loan.state === "paid-out" || loan.state === "ended";
  const storedLoan = {
    ...reported(facts, lent),
    orderId: stored.orderId,
    state: isConclusive ? loan.state : stored.state,
  };
  return withStoredLoan(stored, storedLoan, {
    entries: entriesAfterPayout(facts, stored, lent),
    newIssues: newIssuesAfterPayout(facts, stored, lent),
  });
}

/**
 * The entries of a later report. If the loan has ended, its payout is reversed. If it is paid out
 * again, the money is received again. Another amount is corrected. A loan that is active again or
 * in a dispute changes no sum.
 */
function entriesAfterPayout(
  { loan, entries }: ReportFacts,
  stored: StoredLoan,
  lent: LoanAmount,
): NewEntry[] {
  const account = { loanId: loan.id, orderId: stored.orderId };
  const payout = loanPayoutOf(entries, loan.id);
  switch (loan.state) {
    case "active":
    case "unknown":
      return [];
    case "ended":
      if (stored.state === "ended" || payout === undefined) return [];
      return [newEntry("reversed", { ...oppositeOf(payout), ...account })];
    case "paid-out":
      if (stored.state === "ended")
        return [newEntry("received", { ...payoutIn(lent), ...account })];
      if (!isOtherAmount(stored, lent)) return [];
      return correctionsOf(payout, payoutIn(lent)).flatMap((correction) => [
        newEntry("corrected", { ...correction, ...account }),
        ...lessWaived(correction, entries, account),
      ]);
  }
}

function correctionsOf(before: LoanPayout | undefined, now: LoanPayout): LoanPayout[] {
  const amount = now.amount - (before?.amount ?? 0);
  const unknown = now.unknown - (before?.unknown ?? 0);
  const isOtherCurrency = before !== undefined && before.currency !== now.currency;
  const corrections = isOtherCurrency ? [oppositeOf(before), now] : [{ ...now, amount, unknown }];
  return corrections.filter((one) => one.amount !== 0 || one.unknown !== 0);
}

/** If staff accepted a loan, they waived its shortfall. A larger amount reduces the waived sum. */
function lessWaived(
  correction: LoanPayout,
  entries: ReportFacts["entries"],
  account: Pick<NewEntry, "loanId" | "orderId">,
): NewEntry[] {
  const own = entries.filter(
    ({ loanId, orderId }) => loanId === account.loanId && orderId === account.orderId,
  );
  const less = Math.min(correction.amount, sumOf(own, ["waived"]));
  if (correction.currency !== shopCurrency.code || less <= 0) return [];
  return [newEntry("waived", { amount: -less, currency: shopCurrency.code, ...account })];
}

function isOtherAmount(stored: StoredLoan, { cents, currency }: LoanAmount): boolean {
  return stored.cents !== cents || stored.currency !== currency;
}

function newIssuesAfterPayout(
  facts: ReportFacts,
  stored: StoredLoan,
  lent: LoanAmount,
): NewIssue[] {
  const { loan, order } = facts;
  const isNewStatus = loan.providerStatus !== stored.providerStatus;
  // One paid status after another is the normal course of a loan.
  const staysPaidOut = loan.state === "paid-out" && stored.state === "paid-out";
  const isRenamed = order !== undefined && loan.orderId !== stored.namedOrderId;
  const isRelevant = (isNewStatus && !staysPaidOut) || isRenamed || isOtherAmount(stored, lent);
  const changes = isRelevant ? changesOf(facts, stored, lent) : [];
  const values = { loanId: loan.id, orderId: stored.orderId, reopensResolved: true };
  const newIssues: NewIssue[] = [];
  if (changes.length > 0)
    newIssues.push({ kind: "changed-after-payout", ...values, detail: changedDetail(changes) });
  if (isNewStatus && loan.state === "unknown") {
    const detail = unknownAfterPayoutDetail(loan, stored);
    newIssues.push({ kind: loan.isDisputed ? "disputed" : "unrecognized", ...values, detail });
  }
  return newIssues;
}

/** The differences from the loan at its payout. */
function changesOf({ loan, order }: ReportFacts, stored: StoredLoan, lent: LoanAmount): string[] {
  const changes: string[] = [];
  if (loan.state === "ended" || loan.state === "active")
    changes.push(`its status is ${loan.providerStatus}`);
  if (loan.state === "paid-out" && stored.state === "ended") changes.push("it is paid out again");
  if (isOtherAmount(stored, lent)) changes.push(lentClause(loan));
  // Without an order of the shop, it makes no difference which other order it names.
  if (order !== undefined && loan.orderId !== stored.orderId)
    changes.push(`it names ${nameClause(loan.orderId)}`);
  return changes;
}
