import {
  balancesOf,
  type Cents,
  currency,
  hasOpenMoney,
  keptIn,
  loanPrincipalOf,
  moneyPhaseOf,
  refundedIn,
  sumOf,
  unknownIn,
} from "@keepsats/domain";
import { moneyOfIssue } from "@keepsats/protocol";
import { extensionsAmong } from "./extensions.ts";
import type {
  AccountEntry,
  ExpectedIssue,
  KnownIssue,
  LoanAccount,
  PayableOrder,
  StatusMove,
  StoredLoan,
} from "./facts.ts";
import { paysOrMayPay } from "./reports.ts";
import {
  CANCELLED_MONEY,
  DUPLICATE_MONEY,
  otherCurrencyMoney,
  overpaidMoney,
  renamedMoney,
  underpaidMoney,
} from "./sentences.ts";

/** The money of one loan in an account, in hundredths of its currency. */
export interface LoanMoney {
  readonly loan: StoredLoan;
  readonly currency: string;
  /** What it brought; 0 if it is an extension, or its amount is unknown. */
  readonly brought: Cents;
  /** The part that pays the order. */
  readonly share: Cents;
  readonly refunded: Cents;
  /** The part that staff must still decide about. */
  readonly open: Cents;
  /** The amount is unknown, and staff have not decided about it. */
  readonly isUnknown: boolean;
}

/**
 * Divides the money of an account among its loans, by loan id; together, their open parts are the
 * refundable amount of the account.
 *
 * The loans that pay the order by themselves, or were accepted, pay its price first, the earliest
 * first. Refunds and kept money count for the loan that they name; the rest, such as a refund that
 * names no payment issue, counts for the money that pays nothing.
 *
 * Example: of two loans of $45.00 for an order of $45.00, the first pays its price and the second
 * is open.
 */
export function moneyByLoan(account: LoanAccount): ReadonlyMap<string, LoanMoney> {
  const { order, loans, entries } = account;
  const isPaid = order !== undefined && moneyPhaseOf(order.status) === "paid";
  const price = isPaid ? order.total - balancesOf(account).shop.waived : 0;
  const whole = loans.toSorted(payersFirst).flatMap((loan) => wholeMoneyOf(loan, entries) ?? []);
  const divided = [...Map.groupBy(whole, (money) => money.currency)].flatMap(([code, some]) =>
    divide(
      some,
      entries.filter((entry) => entry.currency === code),
      { price: code === currency.code ? price : 0, hasOrder: order !== undefined },
    ),
  );
  return new Map(divided.map((money) => [money.loan.id, money]));
}

function payersFirst(one: StoredLoan, other: StoredLoan): number {
  return (
    Number(one.refusal !== undefined) - Number(other.refusal !== undefined) ||
    (one.paidOutAt ?? 0) - (other.paidOutAt ?? 0) ||
    (one.id < other.id ? -1 : 1)
  );
}

type WholeMoney = Omit<LoanMoney, "share" | "refunded" | "open">;

function wholeMoneyOf(loan: StoredLoan, entries: readonly AccountEntry[]): WholeMoney | undefined {
  const principal = loanPrincipalOf(entries, loan.id);
  if (principal === undefined) return undefined;
  const own = entries.filter(({ loanId }) => loanId === loan.id);
  return {
    loan,
    currency: principal.currency,
    brought: principal.amount + sumOf(own, ["extension"]),
    isUnknown: unknownIn(own) > 0,
  };
}

/** Divides the money of one currency. @param whole in the order in which it pays the price */
function divide(
  whole: readonly WholeMoney[],
  entries: readonly AccountEntry[],
  { price, hasOrder }: { readonly price: Cents; readonly hasOrder: boolean },
): LoanMoney[] {
  let unpaid = price;
  const parts = whole.map((money) => {
    const share = Math.max(0, Math.min(unpaid, money.brought));
    unpaid -= share;
    return { ...money, share, refunded: 0, open: money.brought - share };
  });
  let refunded = refundedIn(entries);
  let kept = keptIn(entries, { hasOrder });
  const take = (part: (typeof parts)[number], mostRefunded: Cents, mostKept: Cents) => {
    const back = Math.max(0, Math.min(part.open, mostRefunded, refunded));
    const stays = Math.max(0, Math.min(part.open - back, mostKept, kept));
    part.refunded += back;
    part.open -= back + stays;
    refunded -= back;
    kept -= stays;
  };
  for (const part of parts) {
    const own = entries.filter(({ loanId }) => loanId === part.loan.id);
    take(part, refundedIn(own), keptIn(own, { hasOrder }));
  }
  // Money that pays nothing is refunded before the money of a payer.
  for (const part of parts.toReversed()) take(part, refunded, kept);
  return parts;
}

export interface IssueOptions {
  /**
   * Above it, staff are asked to check a payout before they refund the rest; by default twice the
   * order's total plus $100.
   */
  readonly overpaymentLimit?: Cents | undefined;
}

/** The payment issues that should be open for an account: one for each loan with open money. */
export function moneyIssues(
  account: LoanAccount,
  { overpaymentLimit }: IssueOptions = {},
): readonly ExpectedIssue[] {
  const { order } = account;
  const all = [...moneyByLoan(account).values()];
  const firstPayer = all.find(({ loan, share }) => loan.refusal === undefined && share > 0);
  return all.filter(needsDecision).map((money) => ({
    ...issueAbout(money, order, { isFirstPayer: money === firstPayer, overpaymentLimit }),
    loanId: money.loan.id,
    orderId: order?.id,
  }));
}

function needsDecision({ loan, open, share, isUnknown }: LoanMoney): boolean {
  // A refused loan can turn out to be the only money of a paid order, for example because the
  // payout of the other loan was reversed.
  return open > 0 || isUnknown || (loan.refusal !== undefined && share > 0);
}

/** @param options `isFirstPayer`: it is the first loan that pays the order */
function issueAbout(
  money: LoanMoney,
  order: PayableOrder | undefined,
  { isFirstPayer, overpaymentLimit }: IssueOptions & { readonly isFirstPayer: boolean },
): Pick<ExpectedIssue, "kind" | "detail"> {
  const { loan, brought } = money;
  if (order === undefined) return { kind: "unknown-order", detail: renamedMoney(loan) };
  const { status, total } = order;
  switch (loan.refusal ?? laterRefusal(money)) {
    case "unknown-order":
      return { kind: "unknown-order", detail: renamedMoney(loan) };
    case "wrong-currency":
      return { kind: "wrong-currency", detail: otherCurrencyMoney(loan) };
    case "underpaid":
      return { kind: "underpaid", detail: underpaidMoney(loan, total) };
    case undefined:
      break;
  }
  if (moneyPhaseOf(status) === "cancelled")
    return { kind: "paid-after-cancel", detail: CANCELLED_MONEY };
  if (!isFirstPayer) return { kind: "duplicate", detail: DUPLICATE_MONEY };
  const limit = overpaymentLimit ?? 2 * total + 10_000;
  return { kind: "overpaid", detail: overpaidMoney(brought, loan, { total, limit }) };
}

/** Why a loan that paid its order would no longer pay it. */
function laterRefusal({ currency: lent, isUnknown }: LoanMoney): StoredLoan["refusal"] {
  if (lent !== currency.code) return "wrong-currency";
  return isUnknown ? "underpaid" : undefined;
}

export interface IssueChanges {
  /** To store as open: new ones, resolved ones, and open ones with another detail. */
  readonly open: readonly ExpectedIssue[];
  /** `refunded`: a refund did it. `dismissed`: by the shop, with this note. */
  readonly resolve: readonly {
    readonly issue: KnownIssue;
    readonly resolution: "refunded" | "dismissed";
    readonly note: string;
  }[];
}

/**
 * Compares {@link moneyIssues} with the stored payment issues of the same account. Issues without
 * money in the account, such as a dispute, are left alone.
 */
export function issueChanges(
  account: LoanAccount,
  issues: readonly KnownIssue[],
  options: IssueOptions = {},
): IssueChanges {
  const expected = moneyIssues(account, options);
  const stored = issues.filter(
    (issue) => issue.resolution === undefined && isAboutMoney(issue, account),
  );
  return {
    open: expected.filter(
      (one) => !stored.some((known) => isSameIssue(known, one) && known.detail === one.detail),
    ),
    resolve: stored
      .filter((known) => !expected.some((one) => isSameIssue(known, one)))
      .map((issue) => ({ issue, ...endOf(issue, account, expected) })),
  };
}

export function isAboutMoney(issue: KnownIssue, { order, entries }: LoanAccount): boolean {
  return (
    isMoneyKind(issue.kind) &&
    issue.orderId === order?.id &&
    entries.some(({ loanId }) => loanId === issue.loanId)
  );
}

/** Not a kind of a newer version: that version opens and resolves it. */
function isMoneyKind(kind: string): boolean {
  const money = moneyOfIssue(kind);
  return money === "refused" || money === "excess";
}

type IssueKey = Pick<KnownIssue, "kind" | "loanId" | "orderId">;

export function isSameIssue(one: IssueKey, other: IssueKey): boolean {
  return one.kind === other.kind && one.loanId === other.loanId && one.orderId === other.orderId;
}

/** Why an issue no longer has anything to decide. */
function endOf(
  { loanId }: KnownIssue,
  account: LoanAccount,
  expected: readonly ExpectedIssue[],
): Pick<IssueChanges["resolve"][number], "resolution" | "note"> {
  const { entries } = account;
  const dismissed = (note: string) => ({ resolution: "dismissed", note }) as const;
  if (expected.some((one) => one.loanId === loanId))
    return dismissed("It continues as another payment issue.");
  if (extensionsAmong(account).has(loanId))
    return dismissed("It extends another loan, so it brought no money.");
  if (entries.some((entry) => entry.kind === "transferred" && entry.loanId === loanId))
    return dismissed("It names another order now, and its money is counted there.");
  if (loanPrincipalOf(entries, loanId) === undefined)
    return dismissed("The provider took the payout back.");
  const { refunded = 0, share = 0 } = moneyByLoan(account).get(loanId) ?? {};
  if (refunded > 0) return { resolution: "refunded", note: "Its money was refunded." };
  return dismissed(share > 0 ? "Its money pays the order." : "The shop keeps its money.");
}

/**
 * The move of an order whose only payout did not pay it, once staff have decided about its money:
 * the customer can pay again. The account must be reconciled.
 */
export function moveOnceSettled(account: LoanAccount): StatusMove | undefined {
  const { order, loans } = account;
  if (order?.status !== "PaymentProcessing" || hasOpenMoney(balancesOf(account))) return undefined;
  const wasRefused = loans.some(
    ({ paidOutAt, refusal }) => paidOutAt !== undefined && refusal !== undefined,
  );
  if (!wasRefused || loans.some(paysOrMayPay)) return undefined;
  return { kind: "to", to: "Pending", attemptFailed: true };
}
