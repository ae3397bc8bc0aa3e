import type { Cents } from "@keepsats/domain";
import type { Today } from "@keepsats/protocol";
import { amountText } from "../../lib/amounts.ts";
import { counted } from "../../ui/counted.ts";

export type Day = Today["days"][number];

const DAY = 24 * 60 * 60_000;
const format = new Intl.DateTimeFormat("en", { month: "short", day: "numeric", timeZone: "UTC" });

/**
 * The days in their order, each once, from the first to the last: a day that is missing had no
 * orders.
 */
export function withoutGaps(days: readonly Day[]): readonly Day[] {
  const known = new Map(days.map((day) => [Date.parse(day.day), day]));
  const times = [...known.keys()].filter(Number.isFinite);
  if (times.length === 0) return [];
  const first = Math.min(...times);
  const length = (Math.max(...times) - first) / DAY + 1;
  return Array.from({ length }, (_, n) => {
    const time = first + n * DAY;
    return known.get(time) ?? { day: nameOf(time), placed: 0, paid: 0, paid_amount: 0 };
  });
}

function nameOf(time: number): string {
  return new Date(time).toISOString().slice(0, 10);
}

/** A day for people: `2026-11-03` → `Nov 3`. */
export function dayText({ day }: Day): string {
  return format.format(Date.parse(day));
}

interface Sum {
  readonly placed: number;
  readonly paid: number;
  readonly paid_amount: Cents;
}

export function sumOf(days: readonly Day[]): Sum {
  return days.reduce<Sum>(
    (sum, { placed, paid, paid_amount }) => ({
      placed: sum.placed + placed,
      paid: sum.paid + paid,
      paid_amount: sum.paid_amount + paid_amount,
    }),
    { placed: 0, paid: 0, paid_amount: 0 },
  );
}

/**
 * What happened on a day or on several: `3 orders placed, 2 of them paid. Received: $20.00`. The
 * money is that of the days, less refunds, whenever its orders were placed.
 */
export function sumText({ placed, paid, paid_amount }: Sum): string {
  const money = paid_amount === 0 ? "" : `. Received: ${amountText(paid_amount)}`;
  if (placed === 0) return `no orders placed${money}`;
  const shown = paid === 0 ? "none" : paid.toLocaleString("en");
  return `${counted(placed, "order")} placed, ${shown} of them paid${money}`;
}

/**
 * The day with the highest value, the earliest of several; `undefined` when no value is above 0.
 */
export function highestDay(days: readonly Day[], numberOf: (day: Day) => number): Day | undefined {
  return days.reduce<Day | undefined>(
    (highest, day) =>
      numberOf(day) > (highest === undefined ? 0 : numberOf(highest)) ? day : highest,
    undefined,
  );
}
