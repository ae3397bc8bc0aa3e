import { setTimeout as pause } from "node:timers/promises";

/** The timeout, in milliseconds; only a failing test reaches it. */
const TIMEOUT = 60_000;

/** Between two polls, in milliseconds. A long wait polls less often, and takes less processor time. */
const [SHORTEST_INTERVAL, STEP, LONGEST_INTERVAL] = [20, 2, 100];

/** Polls until the answer is neither false nor undefined, and returns it. */
export async function waitFor<T>(
  what: string | (() => string),
  ask: () => T | Promise<T>,
  timeout = TIMEOUT,
): Promise<Exclude<T, undefined | false | null>> {
  const end = Date.now() + timeout;
  let interval = SHORTEST_INTERVAL;
  while (Date.now() < end) {
    const answer = await ask();
    if (isThere(answer)) return answer;
    await pause(interval);
    interval = Math.min(interval + STEP, LONGEST_INTERVAL);
  }
  throw new Error(`timed out waiting for ${typeof what === "string" ? what : what()}`);
}

function isThere<T>(answer: T): answer is Exclude<T, undefined | false | null> {
  return answer !== undefined && answer !== false && answer !== null;
}
