import {
  balancesOf,
  type Cents,
  currency,
  hasOpenMoney,
  moneyPhaseOf,
  principalOf,
} from "@keepsats/domain";
import type { IssueKind } from "@keepsats/protocol";
import { extensionsAmong } from "./rules-extensions.ts";
import type {
  ExpectedIssue,
  IssueOptions,
  KnownIssue,
  LoanAccount,
  Move,
  PayableOrder,
  StoredLoan,
} from "./rules-facts.ts";
import { type LoanMoney, moneyByLoan } from "./rules-open-money.ts";
import {
  CANCELLED_MONEY,
  DUPLICATE_MONEY,
  otherCurrencyMoney,
  overpaidMoney,
  renamedMoney,
  underpaidMoney,
} from "./rules-sentences.ts";

/** The kinds of payment issue about money of a loan that staff must decide about. */
const moneyKinds: readonly string[] = [
  "underpaid",
  "overpaid",
  "wrong-currency",
  "unknown-order",
  "duplicate",
  "paid-after-cancel",
] satisfies IssueKind[];

/** The part of an account that is about one loan with money. */
interface Case {
  readonly money: LoanMoney;
  readonly order: PayableOrder | undefined;
  /** Whether it is the first loan that pays the order by itself, or was accepted. */
  readonly isFirstPayer: boolean;
  readonly overpaymentLimit: Cents | undefined;
}

/**
 * The payment issues about money that should be open for an account now: one for each loan with
 * money to decide about.
 */
export function moneyIssues(
  account: LoanAccount,
  { overpaymentLimit }: IssueOptions = {},
): readonly ExpectedIssue[] {
  const balances = balancesOf(account);
  const all = [...moneyByLoan(account, balances).values()];
  const firstPayer = all.find(({ loan, share }) => loan.refusal === undefined && share > 0);
  return all.filter(isForStaff).map((money) => {
    const { order } = account;
    const isFirstPayer = money === firstPayer;
    return {
      ...issueAbout({ money, order, isFirstPayer, overpaymentLimit }),
      loanId: money.loan.id,
      orderId: order?.id,
    };
  });
}

function isForStaff({ loan, open, share, isUnknown }: LoanMoney): boolean {
  // A refused loan can turn out to be the only money of a paid order, for example because the
  // payout of the other loan was reversed.
  return open > 0 || isUnknown || (loan.refusal !== undefined && share > 0);
}

function issueAbout(one: Case): Pick<ExpectedIssue, "kind" | "detail"> {
  const { order, money, isFirstPayer, overpaymentLimit } = one;
  const { loan, brought } = money;
  if (order === undefined) return { kind: "unknown-order", detail: renamedMoney(loan) };
  switch (loan.refusal ?? laterRefusal(money)) {
    case "unknown-order":
      return { kind: "unknown-order", detail: renamedMoney(loan) };
    case "wrong-currency":
      return { kind: "wrong-currency", detail: otherCurrencyMoney(loan) };
    case "underpaid":
      return { kind: "underpaid", detail: underpaidMoney(loan, order) };
    case undefined:
      break;
  }
  if (moneyPhaseOf(order.status) === "cancelled")
    return { kind: "paid-after-cancel", detail: CANCELLED_MONEY };
  if (!isFirstPayer) return { kind: "duplicate", detail: DUPLICATE_MONEY };
  const limit = overpaymentLimit ?? defaultOverpaymentLimit(order.total);
  return { kind: "overpaid", detail: overpaidMoney(brought, loan, { total: order.total, limit }) };
}

/** Why a loan that paid its order would not pay it any more. */
function laterRefusal({ currency: lent, isUnknown }: LoanMoney): StoredLoan["refusal"] {
  if (lent !== currency.code) return "wrong-currency";
  return isUnknown ? "underpaid" : undefined;
}

/** Above it, the merchant is asked to check a payout before refunding the rest. */
function defaultOverpaymentLimit(total: Cents): Cents {
  return 2 * total + 10_000;
}

/** How the stored payment issues of an account must change. */
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
  const stored = issues.filter((one) => isAboutMoney(one, account));
  const open = expected.filter(
    (one) =>
      !stored.some(
        (known) =>
          isSameIssue(known, one) && known.resolution === undefined && known.detail === one.detail,
      ),
  );
  const over = stored.filter(
    (known) => known.resolution === undefined && !expected.some((one) => isSameIssue(known, one)),
  );
  return { open, resolve: over.map((issue) => ({ issue, ...endOf(issue, account, expected) })) };
}

/** Whether an issue is about money that came to this account. */
export function isAboutMoney(issue: KnownIssue, { order, entries }: LoanAccount): boolean {
  return (
    moneyKinds.includes(issue.kind) &&
    issue.orderId === order?.id &&
    entries.some(({ loanId }) => loanId === issue.loanId)
  );
}

type IssueOfLoan = Pick<KnownIssue, "kind" | "loanId" | "orderId">;

/** Whether both are the same issue of the same loan and order. */
export function isSameIssue(one: IssueOfLoan, other: IssueOfLoan): boolean {
  return one.kind === other.kind && one.loanId === other.loanId && one.orderId === other.orderId;
}

/** Why an issue has nothing to decide about any more. */
function endOf(
  { loanId }: KnownIssue,
  account: LoanAccount,
  expected: readonly ExpectedIssue[],
): Pick<IssueChanges["resolve"][number], "resolution" | "note"> {
  const dismissed = (note: string) => ({ resolution: "dismissed", note }) as const;
  const money = moneyByLoan(account, balancesOf(account)).get(loanId);
  if (expected.some((one) => one.loanId === loanId))
    return dismissed("It continues as another payment issue.");
  if (extensionsAmong(account).has(loanId))
    return dismissed("It extends another loan, so it brought no money.");
  if (account.entries.some(({ kind, ...one }) => kind === "transferred" && one.loanId === loanId))
    return dismissed("It names another order now, and its money is counted there.");
  if (principalOf(account.entries, loanId) === undefined)
    return dismissed("The provider took the payout back.");
  if (money !== undefined && money.refunded > 0)
    return { resolution: "refunded", note: "Its money was refunded." };
  return dismissed(
    money !== undefined && money.share > 0
      ? "Its money pays the order."
      : "The shop keeps its money.",
  );
}

/** Whether an unpaid loan may still pay its order, or a paid one does. */
export function isHope({ state, refusal }: Pick<StoredLoan, "state" | "refusal">): boolean {
  return state === "active" || (state === "paid-out" && refusal === undefined);
}

/**
 * The move of an order whose only payout did not pay it, once its money is dealt with: the customer
 * can pay again. Ask after the account is reconciled.
 */
export function moveOnceSettled(account: LoanAccount): Move | undefined {
  const { order, loans } = account;
  if (order?.status !== "PaymentProcessing" || hasOpenMoney(balancesOf(account))) return undefined;
  const wasRefused = loans.some(
    ({ paidOutAt, refusal }) => paidOutAt !== undefined && refusal !== undefined,
  );
  if (!wasRefused || loans.some(isHope)) return undefined;
  return { kind: "to", to: "Pending", attemptOver: true };
}
