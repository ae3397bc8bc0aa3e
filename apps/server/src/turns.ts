import { subscribe } from "node:diagnostics_channel";
import { type Clock, elapsed } from "./clock.ts";

/**
 * Between two parts of long work, lets the event loop answer requests. It resolves at once until
 * the present turn has taken {@link LONGEST_TURN}.
 */
export type EndTurn = () => Promise<void>;

/**
 * How long work goes on in one turn of the event loop, in milliseconds, if its parts are short
 * enough.
 */
const LONGEST_TURN = 1;
/** For how long after a request others count as served, in milliseconds. */
const RECENTLY = 10;

interface Options {
  /**
   * While others are served, the work takes at most this share of the time, and pauses for the rest
   * of it. 1 for work that holds a transaction: others wait for that, so it does not pause.
   */
  readonly share: number;
  /** A monotonic clock, in milliseconds. What passes on it between two turns is taken for work. */
  readonly now?: Clock;
  /** Whether others are served now. */
  readonly isServing?: () => boolean;
}

let lastRequest = Number.NEGATIVE_INFINITY;
// Node tells of each request of all HTTP servers of the process.
subscribe("http.server.request.start", () => {
  lastRequest = elapsed();
});

/** Whether a server of this process has received an HTTP request a moment ago. */
export function isServingRequests(): boolean {
  return elapsed() - lastRequest < RECENTLY;
}

/** Creates {@link EndTurn} for one piece of long work. */
export function createEndTurn({
  share,
  now = elapsed,
  isServing = isServingRequests,
}: Options): EndTurn {
  let began = now();
  return async () => {
    const took = now() - began;
    if (took < LONGEST_TURN) return;
    await new Promise(setImmediate);
    if (share < 1 && isServing())
      await new Promise((resolve) => setTimeout(resolve, took / share - took));
    began = now();
  };
}
