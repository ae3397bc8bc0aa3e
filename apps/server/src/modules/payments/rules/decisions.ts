import {
  balancesByCurrency,
  balancesOf,
  formatMoney,
  moneyPhaseOf,
  shopCurrency,
  sumOf,
  unknownIn,
} from "@keepsats/domain";
import { isLoanRefusal, type Resolution } from "@keepsats/protocol";
import { Refusal } from "../../../platform/refusal.ts";
import { isAboutMoney, isSameIssue, moneyIssues } from "./issues.ts";
import { hasOpenPart, type LoanMoney, moneyByLoan } from "./loan-money.ts";
import {
  type KnownIssue,
  type LoanAccount,
  type NewEntry,
  newEntry,
  oppositeOf,
  type StatusMove,
  type StoredLoan,
} from "./types.ts";

export interface StaffDecision {
  readonly kind: "decided";
  readonly entries: readonly NewEntry[];
  readonly move?: StatusMove | undefined;
  /** If the decision changes whether the loan pays its order. */
  readonly storedLoan?: StoredLoan | undefined;
}

function decided(
  entries: readonly NewEntry[] = [],
  changes: Pick<StaffDecision, "move" | "storedLoan"> = {},
): StaffDecision {
  return { kind: "decided", entries, ...changes };
}

export function resolutionOf(
  issue: KnownIssue,
  resolution: Resolution,
  account: LoanAccount,
): StaffDecision | Refusal {
  const money = moneyByLoan(account).get(issue.loanId);
  switch (resolution) {
    case "refunded":
      if (hasOpenPart(money)) return refundDue(money);
      return account.entries.some(({ kind }) => kind === "refunded") ? decided() : nothingRefunded;
    case "accepted":
      return acceptanceOf(issue, money, account);
    case "written-off":
      return writeOffOf(issue, money, account);
    case "dismissed":
      return hasOpenPart(money) ? moneyOpen : decided();
  }
}

const nothingRefunded = new Refusal("nothing_refunded", {
  detail: "Record a refund first, or resolve the payment issue in another way.",
});
const notAcceptable = new Refusal("not_acceptable", {
  detail: "The loan brought no money, or its money was already decided about.",
});
const nothingToWriteOff = new Refusal("nothing_to_write_off", {
  detail:
    "Nothing is missing. An order's money of a known amount can only be refunded or accepted.",
});
const moneyOpen = new Refusal("money_open", {
  detail: "The loan has money that must be refunded, accepted or written off.",
});

function refundDue({ open, currency, isUnknown }: LoanMoney): Refusal {
  if (isUnknown)
    return new Refusal("amount_unknown", {
      detail: "The paid-out amount is unknown. Record a refund of the amount that you returned.",
    });
  return new Refusal("refund_due", {
    detail: `Record a refund of ${formatMoney(open, currency)} first.`,
    refund_due: open,
    currency,
  });
}

/**
 * Decides whether a loan can be accepted. A refused loan becomes a payment of its order, and any
 * shortfall is waived. For any other loan, the shop keeps the money.
 */
function acceptanceOf(
  issue: KnownIssue,
  money: LoanMoney | undefined,
  account: LoanAccount,
): StaffDecision | Refusal {
  if (money === undefined) return notAcceptable;
  const payment = paymentBy(issue, money, account);
  if (payment !== undefined) return payment;
  return hasOpenPart(money) ? decided([openMoneyEntry("kept", issue, money)]) : notAcceptable;
}

/** Makes a refused loan a payment of its order; `undefined` if the order needs none. */
function paymentBy(
  issue: KnownIssue,
  money: LoanMoney,
  account: LoanAccount,
): StaffDecision | undefined {
  const { order } = account;
  const { loan, open, share } = money;
  const hasMoney = hasOpenPart(money) || share > 0;
  if (order === undefined || loan.refusal === undefined || !hasMoney) return undefined;
  const phase = moneyPhaseOf(order.status);
  const { missing } = balancesOf(account).shop;
  if (phase === "cancelled" || (phase === "paid" && missing === 0 && share === 0)) return undefined;
  const inDollars = money.currency === shopCurrency.code && !money.isUnknown;
  // An order that awaits payment has no price yet, so nothing is missing.
  const lacks = phase === "paid" ? missing : Math.max(0, order.total - (inDollars ? open : 0));
  const waived = newEntry("waived", {
    loanId: loan.id,
    orderId: order.id,
    issueId: issue.id,
    amount: lacks,
    currency: shopCurrency.code,
  });
  const entries = [
    ...(lacks === 0 ? [] : [waived]),
    ...(inDollars ? [] : [openMoneyEntry("kept", issue, money)]),
  ];
  return decided(entries, {
    move: phase === "awaiting" ? { kind: "status", to: "PaymentProcessed" } : undefined,
    storedLoan: { ...loan, refusal: undefined },
  });
}

function openMoneyEntry(
  kind: "kept" | "written-off",
  { id: issueId, orderId }: KnownIssue,
  { loan, open: amount, currency, isUnknown }: LoanMoney,
): NewEntry {
  const account = { loanId: loan.id, orderId, issueId };
  return newEntry(kind, { ...account, amount, unknown: isUnknown ? -1 : 0, currency });
}

function writeOffOf(
  issue: KnownIssue,
  money: LoanMoney | undefined,
  account: LoanAccount,
): StaffDecision | Refusal {
  const { loanId, orderId, id: issueId } = issue;
  const entries = balancesByCurrency(balancesOf(account))
    .filter(({ missing }) => missing > 0)
    .map(({ currency, missing: amount }) =>
      newEntry("written-off", { amount, currency, loanId, orderId, issueId }),
    );
  const hasOrder = account.order !== undefined;
  if (hasOpenPart(money) && (!hasOrder || money.isUnknown)) {
    // If the loan has an order, its known money can be refunded or kept, but not written off.
    const written = hasOrder ? { ...money, open: 0 } : money;
    entries.push(openMoneyEntry("written-off", issue, written));
  }
  return entries.length > 0 ? decided(entries) : nothingToWriteOff;
}

const notResolved = new Refusal("not_resolved", { detail: "The payment issue is open." });
const refundStands = new Refusal("refund_stands", {
  detail: "A refund resolved the payment issue. If that refund did not arrive, reverse it.",
});
const nothingOpen = new Refusal("nothing_open", {
  detail: "The loan has no money left to decide about.",
});

/**
 * Decides whether a resolved payment issue can open again. Opposite entries then undo all its
 * resolutions. The status of the order stays.
 */
export function reopeningOf(issue: KnownIssue, account: LoanAccount): StaffDecision | Refusal {
  if (issue.resolution === undefined) return notResolved;
  if (issue.resolution === "refunded") return refundStands;
  const entries = undoneBy(issue, account);
  const loan = account.loans.find(({ id }) => id === issue.loanId);
  const storedLoan = loan === undefined ? undefined : refusedAgain(issue, loan);
  const after: LoanAccount = {
    ...account,
    loans: account.loans.map((other) => (other.id === storedLoan?.id ? storedLoan : other)),
    entries: [...account.entries, ...entries],
  };
  const isExpected = moneyIssues(after).some((expected) => isSameIssue(expected, issue));
  if (isAboutMoney(issue, account) && !isExpected) return nothingOpen;
  return decided(entries, { storedLoan });
}

const decisionKinds = ["kept", "waived", "written-off"] as const;

function undoneBy({ id: issueId, loanId, orderId }: KnownIssue, account: LoanAccount): NewEntry[] {
  const entriesOfIssue = account.entries.filter((entry) => entry.issueId === issueId);
  return decisionKinds.flatMap((kind) => {
    const entriesOfKind = entriesOfIssue.filter((entry) => entry.kind === kind);
    const byCurrency = Map.groupBy(entriesOfKind, (entry) => entry.currency);
    return [...byCurrency].flatMap(([currency, entries]) => {
      const sum = { amount: sumOf(entries, [kind]), unknown: unknownIn(entries), currency };
      if (sum.amount === 0 && sum.unknown === 0) return [];
      return newEntry(kind, { ...oppositeOf(sum), loanId, orderId, issueId });
    });
  });
}

/** The loan whose acceptance is undone; `undefined` if none was accepted. */
function refusedAgain(issue: KnownIssue, loan: StoredLoan): StoredLoan | undefined {
  const wasAccepted =
    issue.resolution === "accepted" && loan.refusal === undefined && loan.orderId !== undefined;
  return wasAccepted && isLoanRefusal(issue.kind) ? { ...loan, refusal: issue.kind } : undefined;
}
