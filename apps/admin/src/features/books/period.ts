import { type AdminTopic, type BooksInterval, booksIntervals } from "@keepsats/protocol";
import { type Days, dayOf, filledParameters, isDay, withParameters } from "../../lib/parameters.ts";

/** The topics that change the books and the VAT. */
export const booksTopics: readonly AdminTopic[] = ["figures", "payment_issues", "settings"];

/** The period of the books, kept in the address so that it can be linked to. */
export interface BooksPeriod extends Days {
  readonly by: BooksInterval;
}

/** A time, and the time zone of the days. */
export interface LocalTime {
  /** In epoch milliseconds. */
  readonly now: number;
  readonly timeZone: string;
}

/** The first and the last day of a month; 0 for the month of `now`, 1 for the one before. */
export function monthBefore({ now, timeZone }: LocalTime, months: number): Days {
  // Swedish dates are those of ISO 8601.
  const today = new Intl.DateTimeFormat("sv", { timeZone }).format(now);
  const month = (offset: number, dayOfMonth: number) => {
    const time = new Date(today);
    time.setUTCMonth(time.getUTCMonth() + offset, dayOfMonth);
    return time.toISOString().slice(0, 10);
  };
  return { from: month(-months, 1), to: month(1 - months, 0) };
}

/** Parses the period of an address, by default this month by day; without invalid values. */
export function parsePeriod(parameters: URLSearchParams, time: LocalTime): BooksPeriod {
  const current = monthBefore(time, 0);
  const by = booksIntervals.find((known) => known === parameters.get("by")) ?? "day";
  const from = dayOf(parameters.get("from") ?? current.from);
  const to = dayOf(parameters.get("to") ?? current.to);
  return { from, to, by };
}

/** The parameters of an address: empty days are kept, because without them it is this month. */
export function parametersOf({ from, to, by }: BooksPeriod): URLSearchParams {
  return new URLSearchParams({ from, to, by });
}

/** The path of a request for these days. */
export function withDays(path: string, { from, to }: Days, by: BooksInterval | "" = ""): string {
  return withParameters(path, filledParameters({ from, to, by }));
}

const monthFormat = new Intl.DateTimeFormat("en", {
  year: "numeric",
  month: "short",
  timeZone: "UTC",
});
const dayFormat = new Intl.DateTimeFormat("en", { dateStyle: "medium", timeZone: "UTC" });

/** `2026-11-03` → `Nov 3, 2026`, and `2026-11` → `Nov 2026`. */
export function dayOrMonthLabel(period: string): string {
  return (isDay(period) ? dayFormat : monthFormat).format(Date.parse(period));
}
