import * as z from "zod/mini";
import { dateNamed, dayOn, type Span } from "../scheduling/calendar-day.ts";
import { SECOND } from "../scheduling/clock.ts";

const seconds = /^\d{1,11}$/;
const day = /^\d{4}-\d\d-\d\d$/;
const anyTime = /^(?:\d{1,11}|\d{4}-\d\d-\d\d(?:T\d\d:\d\d(?::\d\d)?Z)?)$/;
const notATime =
  "must be a day such as 2026-11-01, a time such as 2026-11-01T12:30:00Z, or seconds since 1970";

/** A day of the calendar, or a second. */
export type DayOrSecond = Temporal.PlainDate | Span;

const secondAt = (start: number): Span => ({ start, end: start + SECOND });

function parseTime(text: string): DayOrSecond | undefined {
  if (day.test(text)) return dateNamed(text);
  if (seconds.test(text)) return secondAt(Number(text) * SECOND);
  const start = Date.parse(text);
  // JavaScript parses 2026-02-30 as March 2.
  const exists =
    !Number.isNaN(start) && new Date(start).toISOString().startsWith(text.slice(0, 16));
  return exists ? secondAt(start) : undefined;
}

/** A day or a second, as a query parameter. {@link spanOf} gives its time. */
export function timeParameter(description: string) {
  const examples = ["2026-11-01", "2026-11-01T12:30:00Z", "1793500000"];
  return z.pipe(
    z.string().check(z.regex(anyTime, notATime), z.meta({ description, examples })),
    z.transform((text: string, context): DayOrSecond => {
      const found = parseTime(text);
      if (found !== undefined) return found;
      context.issues.push({ code: "custom", message: notATime, input: text });
      return z.NEVER;
    }),
  );
}

export function spanOf(time: DayOrSecond, timeZone: string): Span {
  return time instanceof Temporal.PlainDate ? dayOn(time, timeZone) : time;
}
