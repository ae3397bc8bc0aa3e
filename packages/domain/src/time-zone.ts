/** The time zone of a shop that has not chosen one. */
export const TIME_ZONE = "UTC";

/** The areas of the IANA time zone database. Older names, such as PST, are ambiguous. */
const named =
  /^(?:UTC|(?:Africa|America|Antarctica|Arctic|Asia|Atlantic|Australia|Etc|Europe|Indian|Pacific)\/[\w/+-]+)$/i;

/** Whether a time zone of this name exists, such as `Europe/Berlin`. */
export function isTimeZone(name: string): boolean {
  if (!named.test(name)) return false;
  try {
    new Intl.DateTimeFormat("en", { timeZone: name });
    return true;
  } catch {
    return false;
  }
}

/** The names that this browser or server lists. It accepts others, such as former names of cities. */
export function timeZones(): readonly string[] {
  return [...new Set([TIME_ZONE, ...Intl.supportedValuesOf("timeZone")])];
}
