import type { Today } from "@keepsats/protocol";
import { counted } from "../../ui/counted.ts";

type Wait = Today["order_to_payment"][number];

const MINUTE = 60_000;
const HOUR = 60 * MINUTE;
const DAY = 24 * HOUR;

/**
 * The times from order to payment as rows: `up to 1 minute`, `1 minute to 5 minutes`, …, `more than
 * 7 days`.
 */
export function waitRows(
  waits: readonly Wait[],
): readonly { readonly label: string; readonly orders: number }[] {
  return waits.map(({ within, orders }, at) => {
    const after = waits[at - 1]?.within ?? null;
    return { label: rangeText(after, within), orders };
  });
}

function rangeText(after: number | null, within: number | null): string {
  if (within === null) return after === null ? "any time" : `more than ${lengthText(after)}`;
  return after === null
    ? `up to ${lengthText(within)}`
    : `${lengthText(after)} to ${lengthText(within)}`;
}

/** A length of time. @param milliseconds of a whole number of minutes, hours or days */
function lengthText(milliseconds: number): string {
  if (milliseconds % DAY === 0) return counted(milliseconds / DAY, "day");
  if (milliseconds % HOUR === 0) return counted(milliseconds / HOUR, "hour");
  return counted(milliseconds / MINUTE, "minute");
}

/**
 * Within which time half of the payments came, or all of them, in a sentence; `undefined` when no
 * order was paid yet.
 */
export function halfPaidText(waits: readonly Wait[]): string | undefined {
  const all = waits.reduce((sum, { orders }) => sum + orders, 0);
  if (all === 0) return undefined;
  let before = 0;
  const half = waits.findIndex(({ orders }) => {
    before += orders;
    return 2 * before >= all;
  });
  const within = waits[half]?.within ?? null;
  const last = waits[half - 1]?.within ?? null;
  if (within !== null)
    return `${before === all ? "All" : "Half of the"} payments came within ${lengthText(within)}.`;
  return last === null
    ? undefined
    : `More than half of the payments came after more than ${lengthText(last)}.`;
}
