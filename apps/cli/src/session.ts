import { readFileSync } from "node:fs";
import { dirname, join, resolve } from "node:path";
import * as z from "zod/mini";
import { type Call, type Client, createClient } from "./client.ts";
import { CommandFailed, exitCodes } from "./errors.ts";
import { json } from "./output.ts";

type Environment = Readonly<Record<string, string | undefined>>;

/** The terminal in which a command runs, and its environment variables. */
export interface Terminal {
  readonly env: Environment;
  readonly write: (text: string) => void;
  /** The width of the terminal in columns. */
  readonly columns: number;
  /** Asks the user at the terminal; `undefined` without a terminal. */
  readonly ask?: ((question: string) => Promise<string>) | undefined;
}

interface Confirmation {
  readonly yes?: boolean | undefined;
  /** The option that confirms it; `--yes` by default. */
  readonly option?: string;
  /** The exit code without a terminal. */
  readonly exitCode?: number;
}

export type Session = ReturnType<typeof createSession>;

/** The API, the terminal and the files of a running command. */
export function createSession(terminal: Terminal, wantsJson: () => boolean) {
  const { env, columns, write, ask } = terminal;
  const session = {
    width: columns,

    /** Created when a command runs, because the help needs no token. */
    get client(): Client {
      return createClient(shopUrlOf(env), tokenOf(env));
    },

    /** Writes a result: `value` with `--json`, otherwise `text`. */
    show(value: unknown, text: string): void {
      write(wantsJson() ? json(value) : text);
    },

    /** Calls the API and shows its answer, as `textOf` describes it. */
    async perform<Schema extends z.ZodMiniType>(
      call: Call<Schema>,
      textOf: (answer: z.output<Schema>) => string,
    ): Promise<void> {
      const answer = await session.client.call(call);
      session.show(z.encode(call.answer, answer), textOf(answer));
    },

    /**
     * Asks before an action that cannot be undone, unless `--yes`, or another option, is given.
     *
     * @param consequence a sentence without its full stop
     * @param action such as `Erase it`
     * @throws {CommandFailed} if it is not confirmed
     */
    async confirm(
      { yes = false, option = "--yes", exitCode = exitCodes.usage }: Confirmation,
      consequence: string,
      action: string,
    ): Promise<void> {
      if (yes) return;
      if (ask === undefined) {
        const how = `Add ${option} to ${action.charAt(0).toLowerCase()}${action.slice(1)}`;
        throw new CommandFailed(exitCode, `${consequence}. ${how}; nothing was changed.`);
      }
      const answer = await ask(`${consequence}. ${action}? [y/N] `);
      if (!/^\s*y(?:es)?\s*$/i.test(answer))
        throw new CommandFailed(exitCodes.usage, "Nothing was changed.");
    },

    /** The path of a file that was named on the command line. */
    fileOf(name: string): string {
      // npm runs scripts in the folder of the package, and names the user's folder in INIT_CWD.
      return resolve(env.INIT_CWD ?? ".", name);
    },
  };
  return session;
}

function shopUrlOf(env: Environment): string {
  const url = env.SHOP_URL || `http://localhost:${env.PORT || "3000"}`;
  if (URL.canParse(url) && /^https?:$/.test(new URL(url).protocol)) return url.replace(/\/$/, "");
  const message = `SHOP_URL: got "${url}", expected a URL such as https://shop.example`;
  throw new CommandFailed(exitCodes.usage, message);
}

/** `ADMIN_TOKEN`, or the content of the file that the shop writes beside its database. */
function tokenOf(env: Environment): string {
  if (env.ADMIN_TOKEN) return env.ADMIN_TOKEN;
  const [, database = "data/keepsats.db"] =
    /^file:(?:\/\/(?=\/))?(.+)$/.exec(env.DATABASE_URL ?? "") ?? [];
  const file = join(dirname(database), "admin-token");
  try {
    return readFileSync(file, "utf8").trim();
  } catch {
    throw new CommandFailed(
      exitCodes.unreachable,
      `ADMIN_TOKEN is not set, and there is no ${file} (the shop makes it on its first start)`,
    );
  }
}
