import * as z from "zod/mini";
import { type CurrentTimeZone, dayNamed, type Span } from "../scheduling/calendar-day.ts";
import { SECOND } from "../scheduling/clock.ts";

const seconds = /^\d{1,11}$/;
const day = /^\d{4}-\d\d-\d\d$/;
const anyTime = /^(?:\d{1,11}|\d{4}-\d\d-\d\d(?:T\d\d:\d\d(?::\d\d)?Z)?)$/;
const notATime =
  "must be a day such as 2026-11-01, a time such as 2026-11-01T12:30:00Z, or seconds since 1970";

const secondAt = (start: number): Span => ({ start, end: start + SECOND });

/** Parses a time of a query: a day or a second. */
function parseTime(text: string, timeZone: CurrentTimeZone): Span | undefined {
  if (day.test(text)) return dayNamed(text, timeZone());
  if (seconds.test(text)) return secondAt(Number(text) * SECOND);
  const start = Date.parse(text);
  // JavaScript parses 2026-02-30 as March 2.
  const exists =
    !Number.isNaN(start) && new Date(start).toISOString().startsWith(text.slice(0, 16));
  return exists ? secondAt(start) : undefined;
}

/**
 * A time or a day of a query, decoded to epoch milliseconds. `end`: the end of the day or second
 * instead of its start.
 */
export function timeParameter(
  timeZone: CurrentTimeZone,
  description: string,
  { end = false } = {},
) {
  const examples = ["2026-11-01", "2026-11-01T12:30:00Z", "1793500000"];
  return z.pipe(
    z.string().check(z.regex(anyTime, notATime), z.meta({ description, examples })),
    z.transform((text: string, context): number => {
      const found = parseTime(text, timeZone);
      if (found !== undefined) return end ? found.end : found.start;
      context.issues.push({ code: "custom", message: notATime, input: text });
      return z.NEVER;
    }),
  );
}
