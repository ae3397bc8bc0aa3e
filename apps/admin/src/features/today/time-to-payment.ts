import type { Today } from "@keepsats/protocol";
import { counted, DAY, HOUR, MINUTE } from "../../lib/format.ts";

/**
 * The number of orders that were paid within a time and not within the time of the bucket before.
 */
type Bucket = Today["order_to_payment"][number];

/** One row for each bucket: `Up to 1 minute`, `1 minute to 5 minutes`, …, `More than 7 days`. */
export function paymentTimes(buckets: readonly Bucket[]) {
  return buckets.map(({ within, orders }, index) => {
    const after = buckets[index - 1]?.within ?? null;
    return { label: rangeText(after, within), count: orders };
  });
}

function rangeText(after: number | null, within: number | null): string {
  if (within === null) return after === null ? "Any time" : `More than ${durationText(after)}`;
  return after === null
    ? `Up to ${durationText(within)}`
    : `${durationText(after)} to ${durationText(within)}`;
}

/** @param milliseconds whole minutes, hours or days */
function durationText(milliseconds: number): string {
  if (milliseconds % DAY === 0) return counted(milliseconds / DAY, "day");
  if (milliseconds % HOUR === 0) return counted(milliseconds / HOUR, "hour");
  return counted(milliseconds / MINUTE, "minute");
}
