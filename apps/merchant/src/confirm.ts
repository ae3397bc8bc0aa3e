import { CommandFailed, exitCodes } from "./exit.ts";

/** Asks the user at the terminal; `undefined` without a terminal. */
export type Ask = ((question: string) => Promise<string>) | undefined;

/**
 * Asks before something is done that cannot be taken back.
 *
 * @param what the consequence, a sentence without its full stop
 * @param verb what is done, such as `Erase it`
 * @throws {CommandFailed} if it is not confirmed
 */
export async function confirm(ask: Ask, what: string, verb: string): Promise<void> {
  if (ask === undefined) {
    const how = `Add --yes to ${verb.charAt(0).toLowerCase()}${verb.slice(1)}; nothing was changed.`;
    throw new CommandFailed(exitCodes.usage, `${what}. ${how}`);
  }
  const answer = await ask(`${what}. ${verb}? [y/N] `);
  if (!/^\s*y(?:es)?\s*$/i.test(answer))
    throw new CommandFailed(exitCodes.usage, "Nothing was changed.");
}
