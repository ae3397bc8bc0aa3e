import { resolve } from "node:path";
import { type Client, createClient } from "./client.ts";
import { CommandFailed, exitCodes } from "./exit.ts";
import { json } from "./output.ts";
import { readSettings } from "./settings.ts";

/** What surrounds a command: the process, or a test. */
export interface World {
  readonly env: Readonly<Record<string, string | undefined>>;
  readonly write: (text: string) => void;
  readonly progress: (text: string) => void;
  /** The width of the terminal in columns. */
  readonly columns: number;
  /** Asks the user at the terminal; `undefined` without a terminal. */
  readonly ask?: ((question: string) => Promise<string>) | undefined;
}

/** What a command works with. */
export interface Session {
  readonly client: Client;
  /** In columns. */
  readonly width: number;
  /** Writes a result: `value` with `--json`, otherwise `text`. */
  readonly show: (value: unknown, text: string) => void;
  /** Writes progress messages, which are not part of the result. */
  readonly progress: (text: string) => void;
  /**
   * Asks before an action that cannot be undone, unless `--yes`, or another option, is given.
   *
   * @param consequence a sentence without its full stop
   * @param action such as `Erase it`
   * @throws {CommandFailed} if it is not confirmed
   */
  readonly confirm: (options: Confirmed, consequence: string, action: string) => Promise<void>;
  /** The path of a file that was named on the command line. */
  readonly fileOf: (name: string) => string;
}

interface Confirmed {
  readonly yes?: true | undefined;
  /** The option that confirms it; `--yes` by default. */
  readonly option?: string;
  /** The exit code if nobody can be asked. */
  readonly exitCode?: number;
}

export function createSession(world: World, wantsJson: () => boolean): Session {
  return {
    // Created when a command runs, because the help needs no token.
    get client() {
      return createClient(readSettings(world.env));
    },
    width: world.columns,
    show: (value, text) => world.write(wantsJson() ? json(value) : text),
    progress: world.progress,
    async confirm(
      { yes = false, option = "--yes", exitCode = exitCodes.usage },
      consequence,
      action,
    ) {
      if (yes) return;
      if (world.ask === undefined) {
        const how = `Add ${option} to ${action.charAt(0).toLowerCase()}${action.slice(1)}`;
        const message = `${consequence}. ${how}; nothing was changed.`;
        throw new CommandFailed(exitCode, message);
      }
      const answer = await world.ask(`${consequence}. ${action}? [y/N] `);
      if (!/^\s*y(?:es)?\s*$/i.test(answer))
        throw new CommandFailed(exitCodes.usage, "Nothing was changed.");
    },
    // npm runs scripts in the folder of the package, and names the user's folder in INIT_CWD.
    fileOf: (name) => resolve(world.env.INIT_CWD ?? ".", name),
  };
}
