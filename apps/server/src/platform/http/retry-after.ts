/**
 * Parses a `Retry-After` header: a number of seconds, or an HTTP date.
 *
 * @param now in epoch milliseconds
 * @returns the delay in milliseconds; `undefined` if the header is missing or invalid
 */
export function parseRetryAfter(
  header: string | null | undefined,
  now: number,
): number | undefined {
  if (header === null || header === undefined) return undefined;
  const seconds = Number(header);
  const delay = Number.isFinite(seconds) ? seconds * 1000 : Date.parse(header) - now;
  return Number.isFinite(delay) ? Math.max(0, delay) : undefined;
}
