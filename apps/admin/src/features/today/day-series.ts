import type { Cents } from "@keepsats/domain";
import type { Today } from "@keepsats/protocol";
import { amountText, DAY } from "../../lib/format.ts";

export type Day = Today["days"][number];

const format = new Intl.DateTimeFormat("en", { month: "short", day: "numeric", timeZone: "UTC" });

/** The days in order, each once, from the first to the last. A missing day had no orders. */
export function withoutGaps(days: readonly Day[]): readonly Day[] {
  const known = new Map(days.map((day) => [Date.parse(day.day), day]));
  const times = [...known.keys()].filter(Number.isFinite);
  if (times.length === 0) return [];
  const first = Math.min(...times);
  const length = (Math.max(...times) - first) / DAY + 1;
  return Array.from({ length }, (_, n) => {
    const time = first + n * DAY;
    return known.get(time) ?? { day: isoDate(time), placed: 0, paid: 0, paid_amount: 0 };
  });
}

function isoDate(time: number): string {
  return new Date(time).toISOString().slice(0, 10);
}

/** `2026-11-03` → `Nov 3`. */
export function dayLabel({ day }: Day): string {
  return format.format(Date.parse(day));
}

interface Totals {
  readonly placed: number;
  readonly paid: number;
  readonly paid_amount: Cents;
}

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

interface DayFigure {
  readonly label: string;
  readonly text: string;
}

/**
 * The figures of one or several days. The amount is the money of these days less their refunds,
 * whenever its orders were placed.
 */
export function dayFigures({ placed, paid, paid_amount }: Totals): readonly DayFigure[] {
  return [
    { label: "Orders", text: placed.toLocaleString("en") },
    { label: "Paid", text: paid.toLocaleString("en") },
    { label: "Received, less refunds", text: amountText(paid_amount) },
  ];
}

/** The earliest day with the highest value; `undefined` if no value is above 0. */
export function highestDay(days: readonly Day[], valueIn: (day: Day) => number): Day | undefined {
  return days.reduce<Day | undefined>(
    (highest, day) =>
      valueIn(day) > (highest === undefined ? 0 : valueIn(highest)) ? day : highest,
    undefined,
  );
}
