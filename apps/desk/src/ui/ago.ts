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
  if (passed < HOUR) return counted(passed / MINUTE, "minute");
  if (passed < DAY) return counted(passed / HOUR, "hour");
  return counted(passed / DAY, "day");
}

function counted(amount: number, unit: string): string {
  const whole = Math.floor(amount);
  return `${whole} ${unit}${whole === 1 ? "" : "s"} ago`;
}
