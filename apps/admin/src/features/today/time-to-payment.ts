import type { Today } from "@keepsats/protocol";
import { counted, DAY, HOUR, MINUTE } from "../../lib/format.ts";

/**
 * The number of orders that were paid within a time and not within the time of the bucket before.
 */
type Bucket = Today["order_to_payment"][number];

/** One row for each bucket: `up to 1 minute`, `1 minute to 5 minutes`, …, `more than 7 days`. */
export function paymentTimeRows(
  buckets: readonly Bucket[],
): readonly { readonly label: string; readonly orders: number }[] {
  return buckets.map(({ within, orders }, index) => {
    const after = buckets[index - 1]?.within ?? null;
    return { label: rangeText(after, within), orders };
  });
}

function rangeText(after: number | null, within: number | null): string {
  if (within === null) return after === null ? "any time" : `more than ${durationText(after)}`;
  return after === null
    ? `up to ${durationText(within)}`
    : `${durationText(after)} to ${durationText(within)}`;
}

/** @param milliseconds whole minutes, hours or days */
function durationText(milliseconds: number): string {
  if (milliseconds % DAY === 0) return counted(milliseconds / DAY, "day");
  if (milliseconds % HOUR === 0) return counted(milliseconds / HOUR, "hour");
  return counted(milliseconds / MINUTE, "minute");
}

/** The time within which half of the payments came, or all; `undefined` without a paid order. */
export function medianPaymentText(buckets: readonly Bucket[]): string | undefined {
  const all = buckets.reduce((sum, { orders }) => sum + orders, 0);
  if (all === 0) return undefined;
  let before = 0;
  const median = buckets.findIndex(({ orders }) => {
    before += orders;
    return 2 * before >= all;
  });
  const within = buckets[median]?.within ?? null;
  const last = buckets[median - 1]?.within ?? null;
  if (within !== null)
    return `${before === all ? "All" : "Half of the"} payments came within ${durationText(within)}.`;
  return last === null
    ? undefined
    : `More than half of the payments took more than ${durationText(last)}.`;
}
