import { type Clock, elapsed } from "./clock.ts";

/**
 * Between two parts of long work, lets the event loop answer requests. It resolves at once until the present turn has taken
 * {@link LONGEST_TURN}.
 */
export type EndTurn = () => Promise<void>;

/** How long work goes on in one turn of the event loop, in milliseconds, if its parts are short enough. */
const LONGEST_TURN = 1;
/** A turn in which others were served takes longer than this, in milliseconds. */
const ALONE = 0.2;

interface Options {
  /**
   * While others are served, the work takes at most this share of the time, and pauses for the rest of it. 1 for work that holds
   * a transaction: others wait for that, so it does not pause.
   */
  readonly share: number;
  /** A monotonic clock, in milliseconds. */
  readonly now?: Clock;
}

/** Creates {@link EndTurn} for one piece of long work. */
export function createEndTurn({ share, now = elapsed }: Options): EndTurn {
  let began = now();
  return async () => {
    const ended = now();
    const took = ended - began;
    if (took < LONGEST_TURN) return;
    await new Promise(setImmediate);
    if (share < 1 && now() - ended > ALONE)
      await new Promise((resolve) => setTimeout(resolve, took / share - took));
    began = now();
  };
}
