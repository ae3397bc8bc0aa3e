import type { Today } from "@keepsats/protocol";
import { amountText } from "../../lib/format.ts";

export type Day = Today["days"][number];

const format = new Intl.DateTimeFormat("en", { month: "short", day: "numeric", timeZone: "UTC" });

/** `2026-11-03` → `Nov 3`. */
export function dayLabel({ day }: Day): string {
  return format.format(Date.parse(day));
}

export type Totals = Omit<Day, "day">;

export function totalsOf(days: readonly Day[]): Totals {
  return days.reduce<Totals>(
    (sum, { placed, paid, paid_amount }) => ({
      placed: sum.placed + placed,
      paid: sum.paid + paid,
      paid_amount: sum.paid_amount + paid_amount,
    }),
    { placed: 0, paid: 0, paid_amount: 0 },
  );
}

/**
 * The figures of one or several days. The amount is the money of these days less their refunds,
 * whenever its orders were placed.
 */
export function dayFigures({ placed, paid, paid_amount }: Totals) {
  return [
    { label: "Orders", text: placed.toLocaleString("en") },
    { label: "Paid", text: paid.toLocaleString("en") },
    { label: "Received, less refunds", text: amountText(paid_amount) },
  ];
}

/** The earliest day with the highest value; `undefined` if no value is above 0. */
export function highestDay(days: readonly Day[], valueIn: (day: Day) => number): Day | undefined {
  const highest = Math.max(0, ...days.map(valueIn));
  return highest === 0 ? undefined : days.find((day) => valueIn(day) === highest);
}
