import { balancesOf, type Cents, loanPayoutOf, moneyPhaseOf, shopCurrency } from "@keepsats/domain";
import { moneyOfIssue } from "@keepsats/protocol";
import { extensionsAmong } from "./extensions.ts";
import { hasOpenPart, type LoanMoney, moneyByLoan } from "./loan-money.ts";
import { reversedGrantsIn } from "./refunds.ts";
import {
  cancelledDetail,
  duplicateDetail,
  otherCurrencyDetail,
  overpaidDetail,
  uncertainOrderDetail,
  undeliveredGrantDetail,
  underpaidDetail,
} from "./sentences.ts";
import type { KnownIssue, LoanAccount, NewIssue, StoredLoan } from "./types.ts";

/**
 * The payment issues that should be open for an account: one for each loan with open money.
 *
 * @param overpaymentLimit above it, staff are asked to check a payout before they refund the rest; by
 *   default twice the order's total plus $100
 */
export function moneyIssues(account: LoanAccount, overpaymentLimit?: Cents): readonly NewIssue[] {
  const { order } = account;
  const all = [...moneyByLoan(account).values()];
  const hasGrants = balancesOf(account).shop.granted > 0;
  const reversedGrants = reversedGrantsIn(account.entries);
  const firstPayer = all.find(
    ({ loan, share, brought }) =>
      // Once the whole price is granted, no loan has a share in it.
      loan.refusal === undefined && (share > 0 || (hasGrants && brought > 0)),
  );

  function describe(money: LoanMoney): Pick<NewIssue, "kind" | "detail"> {
    const { loan, brought, open } = money;
    if (order === undefined) return { kind: "unknown-order", detail: uncertainOrderDetail(loan) };
    const { status, total } = order;
    switch (loan.refusal ?? laterRefusal(money)) {
      case "unknown-order":
        return { kind: "unknown-order", detail: uncertainOrderDetail(loan) };
      case "wrong-currency":
        return { kind: "wrong-currency", detail: otherCurrencyDetail(loan) };
      case "underpaid":
        return { kind: "underpaid", detail: underpaidDetail(loan, total) };
      case undefined:
        break;
    }
    if (moneyPhaseOf(status) === "cancelled")
      return { kind: "paid-after-cancel", detail: cancelledDetail };
    if (money !== firstPayer) return { kind: "duplicate", detail: duplicateDetail };
    if (brought <= total && reversedGrants > 0) {
      const detail = undeliveredGrantDetail(Math.min(open, reversedGrants));
      return { kind: "overpaid", detail };
    }
    const limit = overpaymentLimit ?? 2 * total + 10_000;
    return { kind: "overpaid", detail: overpaidDetail(brought, loan, { total, limit }) };
  }

  return all.filter(needsDecision).map((money) => ({
    ...describe(money),
    loanId: money.loan.id,
    orderId: order?.id,
    reopensResolved: true,
    openAmount: money.isUnknown ? null : money.open,
    currency: money.currency,
  }));
}

function needsDecision(money: LoanMoney): boolean {
  const { loan, share } = money;
  // A refused loan can turn out to be the only money of a paid order, for example because the
  // payout of the other loan was reversed.
  return hasOpenPart(money) || (loan.refusal !== undefined && share > 0);
}

/** Why a loan that has paid its order no longer does: its currency or amount was corrected. */
function laterRefusal({ currency: lent, isUnknown }: LoanMoney): StoredLoan["refusal"] {
  if (lent !== shopCurrency.code) return "wrong-currency";
  return isUnknown ? "underpaid" : undefined;
}

export interface IssueChanges {
  /** To store as open: new ones, resolved ones, and open ones whose detail has changed. */
  readonly open: readonly NewIssue[];
  /** `refunded`: a refund resolved it. `dismissed`: the shop resolves it, with this note. */
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
  overpaymentLimit?: Cents,
): IssueChanges {
  const expected = moneyIssues(account, overpaymentLimit);
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

/** False for a kind of a newer version, which opens and resolves such issues itself. */
function isMoneyKind(kind: string): boolean {
  const money = moneyOfIssue(kind);
  return money === "refused" || money === "excess";
}

export type IssueKey = Pick<KnownIssue, "kind" | "loanId" | "orderId">;

export function isSameIssue(one: IssueKey, other: IssueKey): boolean {
  return one.kind === other.kind && one.loanId === other.loanId && one.orderId === other.orderId;
}

/** Why there is nothing left to decide about an issue. */
function endOf(
  { loanId }: KnownIssue,
  account: LoanAccount,
  expected: readonly NewIssue[],
): Pick<IssueChanges["resolve"][number], "resolution" | "note"> {
  const { entries } = account;
  const dismissed = (note: string) => ({ resolution: "dismissed", note }) as const;
  if (expected.some((one) => one.loanId === loanId))
    return dismissed("It continues as another payment issue.");
  if (extensionsAmong(account).has(loanId))
    return dismissed("It extends another loan, so it brought no money.");
  if (entries.some((entry) => entry.kind === "transferred" && entry.loanId === loanId))
    return dismissed("It names another order now, and its money is counted there.");
  if (loanPayoutOf(entries, loanId) === undefined)
    return dismissed("The provider took the payout back.");
  const { refunded = 0, share = 0 } = moneyByLoan(account).get(loanId) ?? {};
  if (refunded > 0) return { resolution: "refunded", note: "Its money was refunded." };
  return dismissed(share > 0 ? "Its money pays the order." : "The shop keeps its money.");
}
