import { isOrderStatus, type OrderStatus } from "@keepsats/domain";
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

/** What is shown of a status; `next` says what happens now. */
export interface StatusText {
  readonly icon: LucideIcon;
  readonly title: string;
  readonly description: string;
  readonly next: string;
}

const texts: Record<OrderStatus, StatusText> = {
  Pending: {
    icon: Clock,
    title: "Pending",
    description: "Your order is pending confirmation.",
    next: "It is confirmed as soon as the lender reports your loan.",
  },
  PaymentProcessing: {
    icon: Hourglass,
    title: "Payment processing",
    description: "Your payment is being processed.",
    next: "The lender waits for your collateral, then pays us. You need not stay on this page.",
  },
  PaymentProcessed: {
    icon: CircleCheckBig,
    title: "Payment processed",
    description: "Your payment has been processed. We will ship your order shortly.",
    next: "This page will tell you when it is on its way.",
  },
  Shipped: {
    icon: Truck,
    title: "Shipped",
    description: "Your order has been shipped!",
    next: "It is on its way to the address below.",
  },
  Delivered: {
    icon: PackageCheck,
    title: "Delivered",
    description: "Your order has been delivered!",
    next: "May you keep it for a long time.",
  },
  Cancelled: {
    icon: CircleX,
    title: "Cancelled",
    description: "Your order has been cancelled.",
    next: "Nothing will be shipped. If a loan was paid out, the shop will be in touch.",
  },
};

const unknown: StatusText = {
  icon: CircleHelp,
  title: "Unknown",
  description: "Unknown status",
  next: "",
};

/** What to show for a status; a missing or unknown one is "Unknown". */
export function statusText(status: string | null | undefined): StatusText {
  return typeof status === "string" && isOrderStatus(status) ? texts[status] : unknown;
}

/** What an error means for the shopper, in a sentence. */
export function streamErrorHint(kind: string): string {
  switch (kind) {
    case "OrderNotFound":
      return "Check the link: it should be the one that you were given when you paid.";
    case "ContractNotFound":
      return "The lender has no loan that pays this order in full. Your order is kept, and the shop can see the loan: ask there.";
    default:
      return "The lender cannot be reached. Your order is safe, and we keep trying.";
  }
}

/** What to show for an error of the stream. */
export function streamErrorText(kind: string): string {
  switch (kind) {
    case "OrderNotFound":
      return "Order not found.";
    case "ContractNotFound":
      return "Contract not found.";
    case "ConnectionError":
      return "Could not connect websocket. Please check logs";
    default:
      return "Something went wrong.";
  }
}
