import { byWords, statusWords } from "./order-words.ts";
import { ago } from "./time.tsx";

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
