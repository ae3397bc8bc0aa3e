/// <reference lib="esnext.temporal" />

/** From `start` until before `end`, in epoch milliseconds. */
export interface Span {
  readonly start: number;
  readonly end: number;
}

/**
 * A day of the calendar in a time zone. It has 23 to 25 hours; none if the zone skipped it, as
 * Pacific/Apia did December 30, 2011.
 */
export interface CalendarDay extends Span {
  /** Such as `2026-11-23`. */
  readonly name: string;
}

/** Returns the shop's time zone, such as `Europe/Berlin`. */
export type CurrentTimeZone = () => string;

const zonedTime = (time: number, timeZone: string) =>
  Temporal.Instant.fromEpochMilliseconds(time).toZonedDateTimeISO(timeZone);

/** The first time that exists on a date: not every day begins at 00:00. */
const startOf = (date: Temporal.PlainDate, timeZone: string) =>
  date.toZonedDateTime(timeZone).epochMilliseconds;

export function dayOn(date: Temporal.PlainDate, timeZone: string): CalendarDay {
  const end = startOf(date.add({ days: 1 }), timeZone);
  return { name: date.toString(), start: startOf(date, timeZone), end };
}

/**
 * The day of a time in epoch milliseconds. Where clocks are set back over midnight, the first
 * midnight ends the day.
 */
export function dayAt(time: number, timeZone: string): CalendarDay {
  const date = zonedTime(time, timeZone).toPlainDate();
  const day = dayOn(date, timeZone);
  return time < day.end ? day : dayOn(date.add({ days: 1 }), timeZone);
}

/** @returns `undefined` for a day that the calendar does not have, such as `2026-02-30` */
export function dateNamed(name: string): Temporal.PlainDate | undefined {
  try {
    return Temporal.PlainDate.from(name);
  } catch {
    return undefined;
  }
}

/** The days of a span, oldest first. The first one begins and the last one ends with the span. */
export function daysIn({ start, end }: Span, timeZone: string): CalendarDay[] {
  const first = Temporal.PlainDate.from(dayAt(start, timeZone).name);
  return daysUntil(first, end - 1, timeZone).map((day) => ({
    name: day.name,
    start: Math.max(day.start, start),
    end: Math.min(day.end, end),
  }));
}

/** The last days until today, oldest first. */
export function lastDays(now: number, count: number, timeZone: string): CalendarDay[] {
  const today = Temporal.PlainDate.from(dayAt(now, timeZone).name);
  return daysUntil(today.subtract({ days: count - 1 }), now, timeZone);
}

function daysUntil(first: Temporal.PlainDate, time: number, timeZone: string): CalendarDay[] {
  const days: CalendarDay[] = [];
  let date = first;
  let start = startOf(date, timeZone);
  while (start <= time) {
    const next = date.add({ days: 1 });
    const end = startOf(next, timeZone);
    days.push({ name: date.toString(), start, end });
    date = next;
    start = end;
  }
  return days;
}

/** The same time of the day, some days before. A time that this day skips is an hour later. */
export function daysBefore(time: number, days: number, timeZone: string): number {
  return zonedTime(time, timeZone).subtract({ days }).epochMilliseconds;
}
