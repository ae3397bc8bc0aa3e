import type { FollowedOrder } from "@keepsats/protocol";
import type { ButtonKind } from "@keepsats/ui/button.tsx";
import type { OrderLink } from "../../lib/order-link.ts";

/** The texts of the section in which an order can be paid. */
export interface PaymentOffer {
  readonly title: string;
  readonly description: string;
  /** The label of the payment button. */
  readonly label: string;
  readonly kind: ButtonKind;
}

interface Shown {
  readonly order: FollowedOrder | undefined;
  /** The kind of the stream's error. */
  readonly error: string | undefined;
  readonly link: OrderLink | undefined;
}

/** Whether the last payment attempt has failed, and the order waits for another one. */
export function isAttemptOver({ status, payment_attempt_over }: FollowedOrder): boolean {
  return status === "Pending" && payment_attempt_over === true;
}

/**
 * Whether and how the order page offers to pay an order. With a contract in the link it does so
 * only when that contract turns out not to pay: until then the loan may be under way. Without the
 * order's key it does so only after a failed attempt.
 */
export function paymentOffer({ order, error, link }: Shown): PaymentOffer | undefined {
  if (order?.status !== "Pending") return undefined;
  if (link?.key !== undefined && error === "ContractNotFound") {
    return {
      title: "Pay with another loan",
      description: "Your order is still there and waits for its payment.",
      label: "Try payment again",
      // A loan may have been paid out, and the shopper should first read what the page says of it.
      kind: "plain",
    };
  }
  if (isAttemptOver(order)) {
    return {
      title: "This payment did not go through",
      description: "No loan was paid out. You can try again.",
      label: "Try payment again",
      kind: "forward",
    };
  }
  if (link?.key === undefined || link.contractId !== undefined) return undefined;
  return {
    title: "This order is not paid yet",
    description: "Pay with a loan against your bitcoin. We ship your order when it is paid.",
    label: "Finance with Bitcoin",
    kind: "forward",
  };
}
