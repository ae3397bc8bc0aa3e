import { setTimeout as pause } from "node:timers/promises";

/** In milliseconds. It is at an end only where something is wrong. */
const PATIENCE = 60_000;

/** Asks again and again until there is an answer that is neither false nor undefined, and hands it out. */
export async function waitFor<T>(
  what: string | (() => string),
  ask: () => T | Promise<T>,
  patience = PATIENCE,
): Promise<Exclude<T, undefined | false | null>> {
  const end = Date.now() + patience;
  while (Date.now() < end) {
    const answer = await ask();
    if (isThere(answer)) return answer;
    await pause(20);
  }
  throw new Error(`waited in vain for ${typeof what === "string" ? what : what()}`);
}

function isThere<T>(answer: T): answer is Exclude<T, undefined | false | null> {
  return answer !== undefined && answer !== false && answer !== null;
}
