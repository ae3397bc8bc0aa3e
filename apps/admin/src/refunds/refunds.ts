import {
  type Cents,
  currencyLabel,
  decimalFromCents,
  type GrantKind,
  grantKinds,
  shopCurrency,
} from "@keepsats/domain";
import {
  type AdminLedger,
  type AdminOrder,
  amountsOf,
  amountsText,
  issueRefundRequestSchema,
  type PaymentIssue,
  paths,
  withId,
} from "@keepsats/protocol";
import * as z from "zod/mini";
import { amountText, centsFromText } from "../lib/format.ts";
import { emptyAs, parsedText } from "../lib/forms/form-schema.ts";
import { type GrantOffer, grantOfferOf, offerOfReturn } from "./grants.ts";

export interface RefundTarget {
  /** The path of the refunds of the order or the payment issue whose money is refunded. */
  readonly refundsPath: string;
  readonly label: string;
  readonly currency: string;
  /** `null` if it is unknown. */
  readonly amount: Cents | null;
  /** The choices for money of the order's price, of which staff can refund a part. */
  readonly grant?: GrantOffer | undefined;
}

export interface RefundState {
  readonly ledger: AdminLedger;
  /** A target without a payment issue holds only money that no payment issue is about. */
  readonly targets: readonly RefundTarget[];
}

/** The refundable money of a payment issue; `undefined` if there is none. */
export function targetOfIssue(issue: PaymentIssue): RefundTarget | undefined {
  const { id, loan_id, open_amount: amount, resolution, balance } = issue;
  if (resolution !== null || amount === 0) return undefined;
  const { currency } = balance;
  const label = `${amount === null ? "Unknown amount" : amountText(amount, currency)} of loan ${loan_id}`;
  const refundsPath = withId(paths.admin.issueRefunds, id);
  return { refundsPath, label, currency, amount };
}

/**
 * The refundable money of an order: that of each payment issue, the rest, and money of the price
 * that can be granted.
 */
export function refundStateOf(order: AdminOrder): RefundState {
  const { id, ledger, payment_issues } = order;
  const refundsPath = withId(paths.admin.refunds, id);
  const ofIssues = payment_issues.flatMap((issue) => targetOfIssue(issue) ?? []);
  const rest = amountsOf(ledger, "refundable").flatMap(({ currency, cents }): RefundTarget[] => {
    const named = ofIssues
      .filter((target) => target.currency === currency)
      .reduce((sum, { amount }) => sum + (amount ?? 0), 0);
    const amount = cents - named;
    const label = `${amountText(amount, currency)} without a payment issue`;
    return amount > 0 ? [{ refundsPath, label, currency, amount }] : [];
  });
  return { ledger, targets: [...ofIssues, ...rest, ...grantTargets(order)] };
}

/** The refund of a return that was received; without targets for another one. */
export function returnRefundStateOf(order: AdminOrder, returnId: string): RefundState {
  const { returns = [] } = order;
  const orderReturn = returns.find(({ id, state }) => id === returnId && state === "received");
  const others = returns.filter((one) => one !== orderReturn);
  const { ledger, targets } = refundStateOf({ ...order, returns: others });
  if (orderReturn === undefined) return { ledger, targets: [] };
  const ofReturn = targets.flatMap(({ grant, ...target }) =>
    grant === undefined ? [] : [{ ...target, grant: offerOfReturn(grant, orderReturn) }],
  );
  return { ledger, targets: ofReturn };
}

function grantTargets(order: AdminOrder): RefundTarget[] {
  const grant = grantOfferOf(order);
  if (grant === undefined) return [];
  const currency = shopCurrency.code;
  const label = `${amountText(grant.most, currency)} of the price, as a return or goodwill`;
  const refundsPath = withId(paths.admin.refunds, order.id);
  return [{ refundsPath, label, currency, amount: grant.most, grant }];
}

export const refundSchema = z.object({
  amount: parsedText("Enter an amount such as 12.50", (text) => centsFromText(text) || undefined),
  /** Only a granted refund is sent with it. */
  kind: z.pipe(z.custom<GrantKind | "">(), z.enum(grantKinds, "Choose a kind.")),
  method: issueRefundRequestSchema.shape.method,
  reference: emptyAs(undefined, issueRefundRequestSchema.shape.reference),
  reason: emptyAs(undefined, issueRefundRequestSchema.shape.reason),
});

/**
 * The initial values of the form. A refund has the kind `return` if staff do not choose it.
 *
 * @param amount to refund; `null` if it is unknown
 */
export function refundValues(amount: Cents | null, grant?: GrantOffer) {
  const kind: GrantKind | "" = grant !== undefined && grant.returnId === undefined ? "" : "return";
  return {
    kind,
    amount: amount === null ? "" : decimalFromCents(amount),
    method: "bank transfer",
    reference: "",
    reason: "",
  };
}

export const refundLabels = {
  kind: "Kind",
  method: "Method",
  reference: "Reference (optional)",
  reason: "Reason, for staff only (optional)",
};

export function amountLabel(currency: string): string {
  return `Amount in ${currency === shopCurrency.code ? shopCurrency.plural : currencyLabel(currency)}`;
}

/** Such as `Refund due: $45.00.`; an empty text if no refund is due. */
export function refundDueText(ledger: AdminLedger): string {
  const due = amountsText(amountsOf(ledger, "refund_due"));
  return due === "" ? "" : `Refund due: ${due}.`;
}
