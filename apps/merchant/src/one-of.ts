import { usageError } from "./exit.ts";
import { printable } from "./output.ts";

/**
 * The value of an option that takes one of some words, in any case; `undefined` if the option is
 * not given.
 *
 * Example: `oneOf(orderStatuses, "pending", "status")` is `"Pending"`.
 *
 * @throws {CommandFailed} if it is none of them
 */
export function oneOf<Word extends string>(
  words: readonly Word[],
  given: string | undefined,
  option: string,
): Word | undefined {
  const known = words.find((word) => word.toLowerCase() === given?.toLowerCase());
  if (given === undefined || known !== undefined) return known;
  throw usageError(`--${option}: got "${printable(given)}", takes one of ${words.join(", ")}`);
}
