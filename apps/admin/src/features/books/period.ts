import { type BooksInterval, booksIntervals } from "@keepsats/protocol";

/** Days of the shop's time zone such as `2026-11-23`; empty for no limit. */
export interface Days {
  readonly from: string;
  readonly to: string;
}

/** The period of the books, kept in the address so that it can be linked to. */
export interface BooksPeriod extends Days {
  /** The rows of the table. */
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

const day = /^\d{4}-\d\d-\d\d$/;

/** Parses the period of an address, by default this month by day; without invalid values. */
export function parsePeriod(parameters: URLSearchParams, time: LocalTime): BooksPeriod {
  const current = monthBefore(time, 0);
  const dayOf = (name: "from" | "to") => {
    const text = parameters.get(name);
    if (text === null) return current[name];
    return day.test(text) ? text : "";
  };
  const by = booksIntervals.find((known) => known === parameters.get("by")) ?? "day";
  return { from: dayOf("from"), to: dayOf("to"), by };
}

/** The parameters of an address: empty days are kept, because without them it is this month. */
export function parametersOf({ from, to, by }: BooksPeriod): URLSearchParams {
  return new URLSearchParams({ from, to, by });
}

/** The path of a request for these days. */
export function withDays(path: string, { from, to }: Days, by?: BooksInterval): string {
  const named = { from, to, by: by ?? "" };
  const parameters = new URLSearchParams(Object.entries(named).filter(([, value]) => value !== ""));
  return parameters.size === 0 ? path : `${path}?${parameters}`;
}

const monthFormat = new Intl.DateTimeFormat("en", {
  year: "numeric",
  month: "short",
  timeZone: "UTC",
});
const dayFormat = new Intl.DateTimeFormat("en", { dateStyle: "medium", timeZone: "UTC" });

/** `2026-11-03` → `Nov 3, 2026`, and `2026-11` → `Nov 2026`. */
export function dayOrMonthLabel(period: string): string {
  return (day.test(period) ? dayFormat : monthFormat).format(Date.parse(period));
}
