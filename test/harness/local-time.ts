const formats = new Map<string, Intl.DateTimeFormat>();

/** A time in a time zone, such as `2026-11-23 07:00:00`. It shares nothing with the server's calendar. */
export function localTime(at: number, timeZone: string): string {
  const format =
    formats.get(timeZone) ??
    new Intl.DateTimeFormat("sv-SE", { timeZone, dateStyle: "short", timeStyle: "medium" });
  formats.set(timeZone, format);
  return format.format(at);
}

/** The day of a time in a time zone, such as `2026-11-23`. */
export function localDay(at: number, timeZone: string): string {
  return localTime(at, timeZone).slice(0, "2026-11-23".length);
}

/** The day that is some days later, or before if `days` is negative. */
export function dayAfter(day: string, days: number): string {
  return new Date(Date.parse(day) + days * 24 * 60 * 60_000).toISOString().slice(0, 10);
}

/** Time zones whose days begin at different times, some with summer time. */
export const timeZonesOfTests = [
  "UTC",
  "America/New_York",
  "Europe/Berlin",
  "Asia/Kathmandu",
  "Pacific/Apia",
];
