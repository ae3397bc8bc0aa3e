import { formatMoney, isOrderStatus, type OrderStatus, orderStatusLabels } from "@keepsats/domain";
import type { SubscribedOrder } from "@keepsats/protocol";
import {
  CircleCheckBig,
  CircleHelp,
  CircleX,
  Clock,
  Hourglass,
  type LucideIcon,
  PackageCheck,
  Truck,
} from "lucide-react";

interface StatusText {
  readonly icon: LucideIcon;
  readonly title: string;
  readonly description: string;
  /** The next step. */
  readonly next: string;
}

const texts: Record<OrderStatus, Omit<StatusText, "title">> = {
  Pending: {
    icon: Clock,
    description: "Your order is pending confirmation.",
    next: "It is confirmed as soon as the lender reports your loan.",
  },
  PaymentProcessing: {
    icon: Hourglass,
    description: "Your payment is being processed.",
    next: "The lender pays us once your collateral arrives. You can close this page.",
  },
  PaymentProcessed: {
    icon: CircleCheckBig,
    description: "Your payment has been processed. We will ship your order shortly.",
    next: "This page will show when it is on its way.",
  },
  Shipped: {
    icon: Truck,
    description: "Your order has been shipped!",
    next: "It is on its way to the address below.",
  },
  Delivered: {
    icon: PackageCheck,
    description: "Your order has been delivered!",
    next: "We hope you enjoy it.",
  },
  Cancelled: {
    icon: CircleX,
    description: "Your order has been cancelled.",
    next: "Nothing will be shipped.",
  },
};

const unknown: StatusText = {
  icon: CircleHelp,
  title: "Unknown",
  description: "Unknown status",
  next: "",
};

/** "Unknown" for a missing or unknown status. */
export function statusText(status: string | null | undefined): StatusText {
  if (typeof status !== "string" || !isOrderStatus(status)) return unknown;
  return { title: orderStatusLabels[status], ...texts[status] };
}

type ShownOrder = Pick<SubscribedOrder, "status" | "refunded" | "payment_attempt_failed">;

/**
 * The next step; empty if the error of the order stream says it.
 *
 * @param hasLoanId the page has a loan id, so there may be a loan
 */
export function nextText(
  order: ShownOrder,
  { error, hasLoanId }: { readonly error: string | undefined; readonly hasLoanId: boolean },
): string {
  const { status, refunded } = order;
  if (status === "Pending" && error === "ContractNotFound") return "";
  if (hasAttemptFailed(order)) return "It is confirmed as soon as a new payment succeeds.";
  const { next } = statusText(status);
  if (status !== "Cancelled") return next;
  if (refunded) return `${next} The shop has refunded ${formatMoney(refunded)}.`;
  return hasLoanId ? `${next} If a loan was paid out, the shop will contact you.` : next;
}

/** Whether the last payment attempt has failed, so that the order awaits another one. */
export function hasAttemptFailed({ status, payment_attempt_failed }: ShownOrder): boolean {
  return status === "Pending" && payment_attempt_failed === true;
}

/** The text about an error of the order stream, and a hint at the next step. */
export function streamErrorLabels(kind: string) {
  const hint = "The lender cannot be reached. Your order is safe, and we keep trying.";
  switch (kind) {
    case "OrderNotFound":
      return {
        text: "Order not found.",
        hint: "Please check that you have opened the full link to your order.",
      };
    case "ContractNotFound":
      return {
        text: "Contract not found.",
        hint: "The lender has no loan that pays for this order in full. If one was paid out, the shop is notified and will contact you.",
      };
    case "ConnectionError":
      return { text: "Could not connect websocket. Please check logs", hint };
    default:
      return { text: "Something went wrong.", hint };
  }
}
