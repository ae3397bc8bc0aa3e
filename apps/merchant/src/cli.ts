import { resolve } from "node:path";
import { parseArgs } from "node:util";
import { config as configureSchemas } from "zod/mini";
import en from "zod/v4/locales/en.js";
import { createClient } from "./client.ts";
import { type Command, helpLine, helpOf, options } from "./command.ts";
import { commands, earlierCommands } from "./commands.ts";
import { type Ask, confirm } from "./confirm.ts";
import { usageError } from "./exit.ts";
import type { Output } from "./output.ts";
import { readSettings } from "./settings.ts";

configureSchemas(en());

const help = `Usage: npm run merchant -- COMMAND [--json]

${commands.map(helpLine).join("\n")}

  orders ship --help and so on: the options of a command, and an example.
  An order's, webhook's or session's ID may be shortened to its first 8 characters.
  --json prints JSON instead of tables.
  --yes cancels a paid order, erases, deletes an item, or makes links void, without asking; required if the command does not run
      in a terminal.

  SHOP_URL        the shop's URL (http://localhost:$PORT, or 3000)
  MERCHANT_TOKEN  the token (the file merchant-token beside DATABASE_URL's)

  Exit codes: 0 done, 1 unexpected error, 2 wrong arguments or input, or not confirmed, 3 not found,
              4 refused, 5 shop unreachable or busy, or token refused`;

/** Node's replacement for invalid UTF-8 in an argument. */
const REPLACEMENT = "\ufffd";

interface World {
  readonly env: Readonly<Record<string, string | undefined>>;
  readonly write: (text: string) => void;
  readonly progress: (text: string) => void;
  /** The width of the terminal in columns. */
  readonly columns: number;
  /** Asks the user at the terminal; `undefined` without a terminal. */
  readonly ask?: Ask;
}

/**
 * Runs one command.
 *
 * @param args the arguments after the program's name
 * @throws {CommandFailed} with the exit code and the message
 */
export async function runCommand(args: readonly string[], world: World): Promise<void> {
  const damaged = args.find((arg) => arg.includes(REPLACEMENT));
  if (damaged !== undefined) throw usageError(`"${damaged}" is not in UTF-8.`);
  const { positionals, values } = parse(args);
  const { json = false, help: wantsHelp = false, ...given } = values;
  const [group = "help", action = ""] = positionals;
  const known = [...commands, ...earlierCommands];
  const words = `${group} ${action}`.trim();
  // The name of a command has two words, or one, such as "desk".
  const command =
    known.find(({ name }) => name === words) ?? known.find(({ name }) => name === group);
  const rest = positionals.slice(command?.name.split(" ").length);
  if (group === "help" || wantsHelp)
    return world.write(command === undefined ? help : helpOf(command));
  if (command === undefined) throw usageError(`Unknown command "${words}".`);
  check(command, rest, Object.keys(given));
  const output: Output = {
    json,
    width: world.columns,
    line: world.write,
    progress: world.progress,
  };
  return command.run({
    client: createClient(readSettings(world.env)),
    output,
    args: rest,
    options: given,
    confirm: async (what, verb) => {
      if (given.yes !== true) await confirm(world.ask, what, verb);
    },
    fileOf: (name) => resolve(world.env.INIT_CWD ?? ".", name),
  });
}

function parse(args: readonly string[]) {
  try {
    return parseArgs({
      args: [...args],
      allowPositionals: true,
      options: { json: { type: "boolean" }, help: { type: "boolean", short: "h" }, ...options },
    });
  } catch (error) {
    const [whatIsWrong] = (error instanceof Error ? error.message : String(error)).split(". ");
    throw usageError(`${whatIsWrong}.`);
  }
}

/**
 * @throws {CommandFailed} if the arguments are too few or too many, or an option is given that the
 *   command does not have
 */
function check(command: Command, args: readonly string[], given: readonly string[]): void {
  const unknown = given.find((name) => !command.options.some((known) => known === name));
  if (unknown !== undefined)
    throw usageError(`"${command.name}" has no option --${unknown}.\n${helpOf(command)}`);
  const least = command.args.filter((name) => !name.startsWith("[")).length;
  const most = command.args.some((name) => name.includes("…"))
    ? Number.POSITIVE_INFINITY
    : command.args.length;
  if (args.length < least || args.length > most) throw usageError(helpOf(command));
}
