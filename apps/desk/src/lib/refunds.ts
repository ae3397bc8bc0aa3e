import { call } from "@keepsats/client";
import {
  type Cents,
  centsFromAmount,
  decimalFromCents,
  currency as shopCurrency,
} from "@keepsats/domain";
import {
  amountsOf,
  amountsText,
  type IssueRefundRequest,
  issueRefundRequestSchema,
  type MerchantLedger,
  type PaymentIssue,
  paths,
  refundAnswerSchema,
  refundReversalAnswerSchema,
  withId,
  withRefundId,
} from "@keepsats/protocol";
import * as z from "zod/mini";
import { amountText } from "./amounts.ts";
import { emptyAs } from "./form.ts";

/** The account of a refund: that of an order, or that of a payment issue, whose money it is. */
export type RefundAccount = { readonly orderId: string } | { readonly issueId: string };

/** Money that can be refunded. */
export interface RefundTarget {
  readonly account: RefundAccount;
  readonly label: string;
  readonly currency: string;
  /** `null` if nobody knows it. */
  readonly amount: Cents | null;
}

/** What a form about a refund is opened with. */
export interface RefundState {
  readonly ledger: Pick<MerchantLedger, RefundSum>;
  /** Without a payment issue only money that no payment issue is about. */
  readonly targets: readonly RefundTarget[];
}

type RefundSum =
  | "received"
  | "refunded"
  | "kept"
  | "refundable"
  | "refund_due"
  | "other_currencies";
type RefundableIssue = Pick<
  PaymentIssue,
  "id" | "loan_id" | "open_amount" | "resolution" | "balance"
>;

/** The money of a payment issue that can be refunded; `undefined` if there is none. */
export function targetOfIssue(issue: RefundableIssue): RefundTarget | undefined {
  const { id, loan_id, open_amount: amount, resolution, balance } = issue;
  if (resolution !== null || amount === 0) return undefined;
  const { currency } = balance;
  const label = `${amount === null ? "Unknown amount" : amountText(amount, currency)} of loan ${loan_id}`;
  return { account: { issueId: id }, label, currency, amount };
}

/** The money of an order that can be refunded: that of each payment issue, and the rest. */
export function refundStateOf({
  id,
  ledger,
  payment_issues,
}: {
  readonly id: string;
  readonly ledger: RefundState["ledger"];
  readonly payment_issues: readonly RefundableIssue[];
}): RefundState {
  const ofIssues = payment_issues.flatMap((issue) => targetOfIssue(issue) ?? []);
  const rest = amountsOf(ledger, "refundable").flatMap(({ currency, cents }): RefundTarget[] => {
    const named = ofIssues
      .filter((target) => target.currency === currency)
      .reduce((sum, { amount }) => sum + (amount ?? 0), 0);
    const amount = cents - named;
    const label = `${amountText(amount, currency)} without a payment issue`;
    return amount > 0 ? [{ account: { orderId: id }, label, currency, amount }] : [];
  });
  return { ledger, targets: [...ofIssues, ...rest] };
}

/** What is refunded in a currency so far. */
export function refundedIn(ledger: RefundState["ledger"], currency: string): Cents {
  return amountsOf(ledger, "refunded").find((one) => one.currency === currency)?.cents ?? 0;
}

/** The fields of a form about a refund; the amount may have a dollar sign, and commas. */
export const refundSchema = z.object({
  amount: z.pipe(
    z.string(),
    z.transform((text: string, context): Cents => {
      const cents = centsFromAmount(text.replace(/[$\s]|,(?=\d{3}(\D|$))/g, ""));
      if (cents !== undefined && cents > 0) return cents;
      const message = "Enter an amount such as 12.50";
      context.issues.push({ code: "custom", message, input: text });
      return z.NEVER;
    }),
  ),
  method: issueRefundRequestSchema.shape.method,
  reference: emptyAs(undefined, issueRefundRequestSchema.shape.reference),
  reason: emptyAs(undefined, issueRefundRequestSchema.shape.reason),
});

/** The first values of the fields. @param amount to refund; `null` if nobody knows it */
export function refundValues(amount: Cents | null) {
  return {
    amount: amount === null ? "" : decimalFromCents(amount),
    method: "bank transfer",
    reference: "",
    reason: "",
  };
}

export const refundLabels = {
  method: "Method",
  reference: "Reference (optional)",
  reason: "Reason, for staff only (optional)",
};

/** The label of the amount, such as `Amount in dollars` or `Amount in Eur`. */
export function amountLabel(currency: string): string {
  return `Amount in ${currency === shopCurrency.code ? shopCurrency.plural : currency}`;
}

/**
 * Records a refund. @param key idempotency key, reused when the same refund is retried, so that it
 * is recorded once
 */
export function recordRefund(account: RefundAccount, refund: IssueRefundRequest, key: string) {
  return call({
    path:
      "orderId" in account
        ? withId(paths.merchant.refunds, account.orderId)
        : withId(paths.merchant.issueRefunds, account.issueId),
    method: "POST",
    idempotencyKey: key,
    body: z.encode(issueRefundRequestSchema, refund),
    answer: refundAnswerSchema,
  });
}

/** Records that a refund did not arrive. */
export function reverseRefund(account: RefundAccount, refundId: string, reason: string) {
  return call({
    path:
      "orderId" in account
        ? withRefundId(paths.merchant.refundReversal, account.orderId, refundId)
        : withRefundId(paths.merchant.issueRefundReversal, account.issueId, refundId),
    method: "POST",
    body: { reason },
    answer: refundReversalAnswerSchema,
  });
}

/** What must still be refunded, such as `Refund due: $45.00.`; an empty text if there is nothing. */
export function refundDueText(ledger: RefundState["ledger"]): string {
  const due = amountsText(amountsOf(ledger, "refund_due"));
  return due === "" ? "" : `Refund due: ${due}.`;
}

/** Why a refund did not arrive. */
export const reasonSchema = z.string().check(z.trim(), z.minLength(1, "Enter a reason"));
