import { isOrderStatus, type OrderStatus, orderStatusLabels } from "@keepsats/domain";
import { ago } from "./time.tsx";

const statuses: Record<OrderStatus, string> = { ...orderStatusLabels, PaymentProcessed: "To ship" };

/** The words for a status; a status of a newer server as it is. */
export function statusWords(status: string): string {
  return isOrderStatus(status) ? statuses[status] : status;
}

/** Who made a change of an order. */
interface Author {
  readonly by: string;
  readonly by_name: string | null;
}

const actors: Readonly<Record<string, string>> = {
  shopper: "the shopper",
  provider: "the lender",
  shop: "the shop",
  merchant: "staff",
};

/** Who made a change: a person or a token by name. */
export function byWords({ by, by_name }: Author): string {
  return by_name ?? actors[by] ?? by;
}

/** The beginning of a loan's id, by which people tell loans apart. */
export function shortLoanId(id: string): string {
  return id.length > 12 ? id.slice(0, 8) : id;
}

interface Known {
  readonly status: string;
  readonly events: readonly {
    readonly from: string | null;
    readonly to: string;
    readonly by: string;
    readonly by_name: string | null;
    readonly at: number;
  }[];
}

/**
 * Says what an order has become while somebody was at it, such as "Shipped by Ada a moment ago".
 *
 * @param now in milliseconds
 */
export function lateText({ status, events }: Known, now: number): string {
  const move = events.findLast(({ from, to }) => to === status && from !== to);
  const words = status === "PaymentProcessed" ? "Paid" : statusWords(status);
  return move === undefined ? `${words} now` : `${words} by ${byWords(move)} ${ago(move.at, now)}`;
}
