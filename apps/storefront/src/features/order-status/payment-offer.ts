import type { SubscribedOrder } from "@keepsats/protocol";
import type { ButtonKind } from "@keepsats/ui/button.tsx";
import type { OrderLink } from "../../lib/order-link.ts";
import { hasAttemptFailed } from "./status-labels.ts";

export interface PaymentOffer {
  readonly title: string;
  readonly description: string;
  /** The text of the payment button. */
  readonly label: string;
  readonly kind: ButtonKind;
}

interface Shown {
  readonly order: SubscribedOrder | undefined;
  /** An error of the order stream. */
  readonly error: string | undefined;
  readonly link: OrderLink | undefined;
}

/**
 * The offer to pay an order on its page. With a loan in the link, it is made only once that
 * loan is known not to pay: until then it may be active. Without the order's key, it is
 * made only after a failed attempt.
 */
export function paymentOffer({ order, error, link }: Shown): PaymentOffer | undefined {
  if (order?.status !== "Pending") return undefined;
  if (link?.key !== undefined && error === "ContractNotFound") {
    return {
      title: "Pay with another loan",
      description: "Your order is still open and awaits payment.",
      label: "Try payment again",
      // A loan may have been paid out: the customer should first read what the page says about it.
      kind: "plain",
    };
  }
  if (hasAttemptFailed(order)) {
    return {
      title: "This payment did not go through",
      description: "No loan was paid out. You can try again.",
      label: "Try payment again",
      kind: "forward",
    };
  }
  if (link?.key === undefined || link.loanId !== undefined) return undefined;
  return {
    title: "This order is not paid yet",
    description: "Pay with a loan against your bitcoin. We ship your order when it is paid.",
    label: "Finance with Bitcoin",
    kind: "forward",
  };
}
