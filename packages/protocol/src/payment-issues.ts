import * as z from "zod/mini";
import { amountAsCents, openEnum, secondsAsMilliseconds } from "./codecs.ts";
import { currencyCode, ledgerSchema } from "./ledger.ts";
import { orderNumberSchema, statusTextSchema } from "./orders.ts";
import { singleLine } from "./texts.ts";

/**
 * The kinds of payment issue.
 *
 * - `underpaid`: the loan lends less than its order costs, or an unknown amount.
 * - `overpaid`: the loan paid more than its order costs, or a granted refund did not arrive.
 * - `wrong-currency`: the loan is not in US dollars.
 * - `unknown-order`: the loan names an unknown order, or a different order than it was requested for.
 * - `duplicate`: another loan has already paid the order.
 * - `paid-after-cancel`: the order is cancelled, and its money must be refunded.
 * - `disputed`: the provider reports a dispute.
 * - `changed-after-payout`: the provider changed the loan after it was paid out.
 * - `unrecognized`: the provider reports a status or a format that this version does not know.
 */
export const issueKinds = [
  "underpaid",
  "overpaid",
  "wrong-currency",
  "unknown-order",
  "duplicate",
  "paid-after-cancel",
  "disputed",
  "changed-after-payout",
  "unrecognized",
] as const;
export type IssueKind = (typeof issueKinds)[number];

interface IssueRule {
  /**
   * The money that it is about: a loan that pays its order only once staff accept it, money that
   * the order does not need, or none, because it reports a statement of the provider.
   */
  readonly money: "refused" | "excess" | "none";
  /** Whether it puts the payment of an order in doubt, so that shipping asks first. */
  readonly doubtsPayment: boolean;
}

const rules = {
  underpaid: { money: "refused", doubtsPayment: false },
  overpaid: { money: "excess", doubtsPayment: false },
  "wrong-currency": { money: "refused", doubtsPayment: false },
  "unknown-order": { money: "refused", doubtsPayment: false },
  duplicate: { money: "excess", doubtsPayment: false },
  "paid-after-cancel": { money: "excess", doubtsPayment: false },
  disputed: { money: "none", doubtsPayment: true },
  "changed-after-payout": { money: "none", doubtsPayment: true },
  unrecognized: { money: "none", doubtsPayment: false },
} as const satisfies Record<IssueKind, IssueRule>;

/** Why a paid-out loan does not pay its order, unless staff accept it. */
export type LoanRefusal = {
  [Kind in IssueKind]: (typeof rules)[Kind]["money"] extends "refused" ? Kind : never;
}[IssueKind];

function isIssueKind(kind: string): kind is IssueKind {
  return Object.hasOwn(rules, kind);
}

/** `undefined` for a kind that a newer version has stored. */
export function moneyOfIssue(kind: string): IssueRule["money"] | undefined {
  return isIssueKind(kind) ? rules[kind].money : undefined;
}

export function isLoanRefusal(kind: string): kind is LoanRefusal {
  return moneyOfIssue(kind) === "refused";
}

/** False for a kind that a newer version has stored. */
export function doubtsPayment(kind: string): boolean {
  return isIssueKind(kind) && rules[kind].doubtsPayment;
}

/**
 * The resolutions of a payment issue.
 *
 * - `refunded`: its money was refunded.
 * - `accepted`: the loan counts as the payment although it does not fit, or the shop keeps its money.
 * - `written-off`: missing money is not collected, or money that cannot be returned is kept.
 * - `dismissed`: no action was needed.
 */
export const resolutions = ["refunded", "accepted", "written-off", "dismissed"] as const;
export type Resolution = (typeof resolutions)[number];

const resolutionSchema = z.object({
  kind: openEnum(resolutions),
  note: z.string(),
  by: z.string(),
  at: secondsAsMilliseconds,
});

/**
 * The balance of an order, or of a loan without an order, in the currency of the payment issue's
 * loan.
 */
const balanceSchema = z.object({
  currency: currencyCode,
  /** What may be refunded. */
  refundable: amountAsCents,
  /** What must be refunded. */
  refund_due: amountAsCents,
  /** What a paid order has not received, or what was refunded although the payout was reversed. */
  missing: amountAsCents,
  /** Whether its loan was paid out with an unknown amount. */
  unknown_amount: z.boolean(),
});

export const paymentIssueSchema = z.object({
  id: z.string(),
  loan_id: z.string(),
  /** `null` if the loan has no order of the shop. */
  order_id: z.nullable(z.string()),
  /** Absent if the shop has no such order. */
  order_number: orderNumberSchema,
  /** The order's status; `null` if the shop has no such order. */
  order_status: z.nullable(statusTextSchema),
  /** `null` if the shop has no such order, or its personal data was erased. */
  customer_name: z.optional(z.nullable(z.string())),
  kind: openEnum(issueKinds),
  detail: z.string(),
  /**
   * The part of its loan's money that staff must still decide about, in the currency of `balance`; 0
   * if there is none, `null` if unknown.
   */
  open_amount: z.nullable(amountAsCents),
  /** The part of its loan's money that was refunded. */
  refunded_amount: amountAsCents,
  balance: balanceSchema,
  opened_at: secondsAsMilliseconds,
  /** `null` while it is open. */
  resolution: z.nullable(resolutionSchema),
});
export type PaymentIssue = z.output<typeof paymentIssueSchema>;

export const paymentIssuesSchema = z.object({
  payment_issues: z.array(paymentIssueSchema),
  next_cursor: z.nullable(z.string()),
});

/** A payment issue with the ledger of its order, or of its loan without an order. */
export const paymentIssueDetailSchema = z.extend(paymentIssueSchema, { ledger: ledgerSchema });
export type PaymentIssueDetail = z.output<typeof paymentIssueDetailSchema>;

/** The body of `POST payment-issues/{id}/resolution`. */
export const resolutionRequestSchema = z.object({
  kind: z.enum(resolutions),
  note: singleLine(1_000),
});

/** The body of `POST payment-issues/{id}/reopening`: why the resolution was wrong. */
export const reopeningRequestSchema = z.object({ note: singleLine(1_000) });
