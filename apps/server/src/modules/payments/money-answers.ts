import { balanceIn, balancesOf, shopCurrency } from "@keepsats/domain";
import type { AdminEntry, AdminLedger, PaymentIssue } from "@keepsats/protocol";
import { findRefundLinesOfOrder, type PaymentHooks } from "../orders/index.ts";
import { findIssuesOfOrder, type StoredIssue } from "./issues/issue-repository.ts";
import {
  readOrderAccount,
  type StoredAccount,
  type StoredEntry,
} from "./journal/journal-repository.ts";
import { extensionsAmong, moneyByLoan } from "./rules/index.ts";

// Money in answers of the admin API, before they are encoded.

/** The loans, payment issues and ledger of an order; `undefined` if there is no such order. */
export const describeMoney: PaymentHooks["describeMoney"] = async (db, orderId) => {
  const issues = await findIssuesOfOrder(db, orderId);
  const account = await readOrderAccount(db, orderId);
  if (account === undefined) return undefined;
  const extensions = extensionsAmong(account);
  return {
    loans: account.loans.map((loan) => ({
      id: loan.id,
      provider_status: loan.providerStatus,
      state: loan.state,
      amount: loan.cents ?? null,
      currency: loan.currency,
      is_extension: extensions.has(loan.id),
      bound_at: loan.boundAt,
    })),
    payment_issues: issues.map((issue) => issueAnswer(issue, account)),
    ledger: ledgerAnswer(account),
    refund_lines: await findRefundLinesOfOrder(db, orderId),
  };
};

export function ledgerAnswer(account: StoredAccount): AdminLedger {
  const { shop, others, unknownAmounts } = balancesOf(account);
  return {
    received: shop.received,
    kept: shop.kept,
    waived: shop.waivedOnAcceptance,
    granted: shop.granted,
    grantable: shop.grantable,
    written_off: shop.writtenOff,
    refund_due: shop.refundDue,
    refundable: shop.refundable,
    refunded: shop.refunded,
    missing: shop.missing,
    unknown_amounts: unknownAmounts,
    other_currencies: others.map(({ currency, received, refunded, kept, ...balance }) => ({
      currency,
      received,
      refunded,
      kept,
      refundable: balance.refundable,
      refund_due: balance.refundDue,
    })),
    entries: account.entries.map(entryAnswer),
  };
}

function entryAnswer(entry: StoredEntry): AdminEntry {
  return {
    kind: entry.kind,
    id: entry.id,
    loan_id: entry.loanId ?? null,
    amount: entry.amount === 0 && entry.unknown !== 0 ? null : entry.amount,
    currency: entry.currency,
    at: entry.at,
    by: entry.byName,
    reason: entry.reason ?? null,
    refund_id: entry.refundId ?? null,
    method: entry.method ?? null,
    reference: entry.reference ?? null,
    issue_id: entry.issueId ?? null,
    grant: entry.grant ?? null,
  };
}

/** A payment issue with the money of its account. */
export function issueAnswer(issue: StoredIssue, account: StoredAccount): PaymentIssue {
  const { kind, loanId, orderId, orderNumber, orderStatus, customerName, detail, openedAt } = issue;
  const money = moneyByLoan(account).get(loanId);
  const currency = money?.currency ?? shopCurrency.code;
  const { refundable, refundDue, missing } = balanceIn(balancesOf(account), currency);
  const isUnknown = money?.isUnknown ?? false;
  return {
    id: issue.id,
    loan_id: loanId,
    order_id: orderId ?? null,
    order_number: orderNumber,
    order_status: orderStatus ?? null,
    customer_name: customerName || null,
    kind,
    detail,
    open_amount: isUnknown ? null : (money?.open ?? 0),
    refunded_amount: money?.refunded ?? 0,
    balance: {
      currency,
      refundable,
      missing,
      refund_due: refundDue,
      unknown_amount: isUnknown,
    },
    opened_at: openedAt,
    resolution: resolutionAnswer(issue),
  };
}

function resolutionAnswer(issue: StoredIssue): PaymentIssue["resolution"] {
  const { resolution, resolutionNote = "", resolvedBy = "", resolvedAt } = issue;
  if (resolution === undefined || resolvedAt === undefined) return null;
  return { kind: resolution, note: resolutionNote, by: resolvedBy, at: resolvedAt };
}
