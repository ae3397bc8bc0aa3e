import { isApiError } from "./answer.ts";

/** 502 and 504 of a proxy whose server restarts, and 503 of the server itself. */
const UNAVAILABLE = [502, 503, 504];
const MAX_RETRIES = 2;
/** In milliseconds. */
const RETRY_DELAY = 1_000;

/**
 * Exponential backoff with jitter: the delay is doubled after each failure, up to `longest`, and
 * multiplied by a random factor from 0.5 to 1.5, so that pages that fail at the same moment retry
 * at different ones.
 */
export function backoff(failures: number, first: number, longest: number): number {
  return Math.min(longest, first * 2 ** failures) * (0.5 + Math.random());
}

/** The retry options of queries and mutations: retries only while the server is unavailable. */
export const retryWhileUnavailable = {
  retry: (failures: number, error: unknown) =>
    failures < MAX_RETRIES && isApiError(error) && UNAVAILABLE.includes(error.status ?? 0),
  retryDelay: () => backoff(0, RETRY_DELAY, RETRY_DELAY),
};
