import { awaitsPayment, type Cents, isOrderStatus } from "@keepsats/domain";
import type { PaymentIssue, ResolutionRequest } from "@keepsats/protocol";

/** A resolution that staff can choose for a payment issue. */
export interface ResolutionOption {
  readonly kind: ResolutionRequest["kind"];
  /** The text of its button. */
  readonly label: string;
  /** What the resolution does, shown before staff confirm it. */
  readonly description: string;
  /** Why it is unavailable; `undefined` if it is available. */
  readonly unavailable: string | undefined;
}

type Issue = Pick<PaymentIssue, "kind" | "amount" | "order_status">;

/** The three resolutions of a payment issue, the usual one first. */
export function resolutionOptions(
  issue: Issue,
): readonly [ResolutionOption, ResolutionOption, ResolutionOption] {
  const refunded: ResolutionOption = {
    kind: "refunded",
    label: "Refund",
    description:
      "First refund the customer outside of the shop, for example by bank transfer. The customer repays the lender. Then record the refund here: the shop itself pays nothing out.",
    unavailable:
      issue.amount === null
        ? "The received amount is unknown. Wait for the amount, or dismiss the payment issue."
        : undefined,
  };
  const accepted: ResolutionOption = {
    kind: "accepted",
    label: "Accept as payment",
    description: "The order counts as paid with this amount and is shipped as usual.",
    unavailable: whyNotAcceptable(issue),
  };
  const dismissed: ResolutionOption = {
    kind: "dismissed",
    label: "Dismiss",
    description:
      issue.amount === null
        ? "No payout received yet. Nothing to refund."
        : "The shop keeps the money. Dismiss it only if no refund is due, for example because the customer agreed.",
    unavailable: undefined,
  };
  return issue.amount === null ? [dismissed, refunded, accepted] : [refunded, accepted, dismissed];
}

/** Whether staff can only wait: the loan does not match its order and is not paid out yet. */
export function awaitsPayout({
  kind,
  detail,
  amount,
}: Pick<PaymentIssue, "kind" | "detail" | "amount">): boolean {
  if (amount !== null) return false;
  // The money of a loan that named several orders is with one of them. Only the detail tells that
  // it was paid out.
  return kind === "underpaid" || (kind === "unknown-order" && !detail.includes("was paid out"));
}

function whyNotAcceptable({ kind, amount, order_status }: Issue): string | undefined {
  if (kind !== "underpaid") return "Only an underpaid loan can be accepted as payment.";
  if (amount === null) return "No payout received yet. There is nothing to accept.";
  if (order_status === null || !isOrderStatus(order_status) || !awaitsPayment(order_status))
    return "The order no longer awaits payment.";
  return undefined;
}

/**
 * The refund that must be recorded before a payment issue is resolved in this way, in cents.
 *
 * @param issue read by itself or with its order: the list of payment issues may lack `refund_due`
 */
export function refundToRecord(
  kind: ResolutionRequest["kind"],
  issue: Pick<PaymentIssue, "refund_due"> | undefined,
): Cents {
  return kind === "refunded" ? (issue?.refund_due ?? 0) : 0;
}
