import { balanceIn, balancesOf, currency as shopCurrency } from "@keepsats/domain";
import {
  type IssueKind,
  issueKinds,
  type PaymentIssue,
  type PaymentIssueDetail,
} from "@keepsats/protocol";
import { moneyByLoan, type StoredAccount, type StoredIssue } from "../payments/index.ts";
import { ledgerAnswer } from "./ledger-answer.ts";

/**
 * The payment issues of an order in the words of the merchant API; those of unknown kinds, which a
 * newer version may have stored, are left out.
 */
export function knownIssues(
  issues: readonly StoredIssue[],
  account: StoredAccount,
): PaymentIssue[] {
  return issues.flatMap((issue) => issueAnswer(issue, account) ?? []);
}

/**
 * A payment issue in the words of the merchant API, before it is encoded; `undefined` if its kind
 * is not known.
 *
 * @param account that of its order, or of its loan without an order
 */
export function issueAnswer(issue: StoredIssue, account: StoredAccount): PaymentIssue | undefined {
  const kind: IssueKind | undefined = issueKinds.find((known) => known === issue.kind);
  if (kind === undefined) return undefined;
  const { loanId, orderId, orderStatus, customerName, detail, openedAt } = issue;
  const balances = balancesOf(account);
  const money = moneyByLoan(account, balances).get(loanId);
  const currency = money?.currency ?? shopCurrency.code;
  const { refundable, refundDue, missing } = balanceIn(balances, currency);
  const isUnknown = money?.isUnknown ?? false;
  return {
    id: issue.id,
    loan_id: loanId,
    order_id: orderId ?? null,
    order_status: orderStatus ?? null,
    customer_name: customerName || null,
    kind,
    detail,
    open_amount: isUnknown ? null : (money?.open ?? 0),
    refunded_amount: money?.refunded ?? 0,
    balance: {
      ...{ currency, refundable, missing },
      refund_due: refundDue,
      unknown_amount: isUnknown,
    },
    opened_at: openedAt,
    resolution: resolutionAnswer(issue),
  };
}

/** A payment issue with the ledger of its account; `undefined` if its kind is not known. */
export function issueDetailAnswer(
  issue: StoredIssue,
  account: StoredAccount,
): PaymentIssueDetail | undefined {
  const answer = issueAnswer(issue, account);
  return answer === undefined ? undefined : { ...answer, ledger: ledgerAnswer(account) };
}

function resolutionAnswer(issue: StoredIssue): PaymentIssue["resolution"] {
  const { resolution, resolutionNote = "", resolvedBy = "", resolvedAt } = issue;
  if (resolution === undefined || resolvedAt === undefined) return null;
  return { kind: resolution, note: resolutionNote, by: resolvedBy, at: resolvedAt };
}
