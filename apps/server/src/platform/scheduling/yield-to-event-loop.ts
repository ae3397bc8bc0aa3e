import { subscribe } from "node:diagnostics_channel";
import { type Clock, elapsed } from "./clock.ts";

/**
 * Yields after {@link MAX_WORK} of work, so that the event loop can answer requests. Call it
 * between two parts of long work.
 */
export type YieldToEventLoop = () => Promise<void>;

/** In milliseconds; a longer part is not interrupted. */
const MAX_WORK = 1;
/** How long after its start a request counts as being served, in milliseconds. */
const RECENT = 10;

interface Options {
  /**
   * The maximum share of the time while requests are served; the work pauses for the rest. 1 for
   * work that holds a transaction, for which requests wait.
   */
  readonly share: number;
  /** A monotonic clock in milliseconds, which measures the work between two yields. */
  readonly now?: Clock;
  readonly isServing?: () => boolean;
}

let lastRequest = Number.NEGATIVE_INFINITY;
// Published for each request of all HTTP servers of the process.
subscribe("http.server.request.start", () => {
  lastRequest = elapsed();
});

/** Whether this process has just received an HTTP request. */
export function isServingRequests(): boolean {
  return elapsed() - lastRequest < RECENT;
}

/** For one piece of long work. */
export function createYield({
  share,
  now = elapsed,
  isServing = isServingRequests,
}: Options): YieldToEventLoop {
  let began = now();
  return async () => {
    const took = now() - began;
    if (took < MAX_WORK) return;
    await new Promise(setImmediate);
    if (share < 1 && isServing())
      await new Promise((resolve) => setTimeout(resolve, took / share - took));
    began = now();
  };
}
