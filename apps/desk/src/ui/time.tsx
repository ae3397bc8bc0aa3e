import { counted } from "./counted.ts";

const format = new Intl.DateTimeFormat("en", { dateStyle: "medium", timeStyle: "short" });

/** A time in the place of whoever reads it. @param at in milliseconds since 1970 */
export function Time({ at, className }: { at: number; className?: string }) {
  return (
    <time dateTime={new Date(at).toISOString()} className={className}>
      {format.format(at)}
    </time>
  );
}

const MINUTE = 60_000;
const HOUR = 60 * MINUTE;
const DAY = 24 * HOUR;

/**
 * How long ago something was, in words. Both are milliseconds since 1970; clocks may differ, so the
 * future is a moment ago.
 */
export function ago(at: number, now: number): string {
  const passed = now - at;
  if (passed < MINUTE) return "a moment ago";
  if (passed < HOUR) return `${counted(Math.floor(passed / MINUTE), "minute")} ago`;
  if (passed < DAY) return `${counted(Math.floor(passed / HOUR), "hour")} ago`;
  return `${counted(Math.floor(passed / DAY), "day")} ago`;
}
