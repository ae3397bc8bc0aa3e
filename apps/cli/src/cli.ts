import { Command, CommanderError, type CommandUnknownOpts } from "@commander-js/extra-typings";
import { config as configureSchemas } from "zod/mini";
import en from "zod/v4/locales/en.js";
import { addAccessCommands } from "./access.ts";
import { addOrderChanges } from "./change-orders.ts";
import { CommandFailed, exitCodes, usageError } from "./errors.ts";
import { addItemCommands } from "./items.ts";
import { addOrderCommands } from "./orders.ts";
import { addIssueCommands } from "./payment-issues.ts";
import { addOrderRefund, addRefundCommands } from "./refunds.ts";
import { createSession, type Terminal } from "./session.ts";

configureSchemas(en());

const afterHelp = `
  orders ship --help and so on: the arguments and options of a command, and an example.
  An order is named by its number, its id, or the first 8 or more characters of its id.
  Backups are made by "npm run backup" and "npm run restore", also while the shop is down.

  SHOP_URL     the shop's URL (http://localhost:$PORT, or 3000)
  ADMIN_TOKEN  the token (the file admin-token beside DATABASE_URL's)

  Exit codes: 0 done, 1 unexpected error, 2 wrong arguments or input, or not confirmed, 3 not found,
              4 refused, 5 shop unreachable or busy, or token refused`;

/**
 * @param args the arguments after the program's name
 * @throws {CommandFailed} with the exit code and the message
 */
export async function runCommand(args: readonly string[], terminal: Terminal): Promise<void> {
  // With this character Node replaces invalid UTF-8.
  const damaged = args.find((arg) => arg.includes("\ufffd"));
  if (damaged !== undefined) throw usageError(`"${damaged}" is not in UTF-8.`);
  const errors: string[] = [];
  const program = createProgram(terminal, (text) => errors.push(text));
  try {
    await program.parseAsync(args.length === 0 ? ["help"] : args, { from: "user" });
  } catch (error) {
    if (!(error instanceof CommanderError)) throw error;
    // Requested help ends with an error too, whose exit code is 0.
    if (error.exitCode !== 0) throw new CommandFailed(exitCodes.usage, errors.join("").trimEnd());
  }
}

/** @param writeError gets the text of a usage error */
export function createProgram(
  terminal: Terminal,
  writeError: (text: string) => void = () => {},
): CommandUnknownOpts {
  const program = new Command("npm run cli --")
    .option("--json", "print JSON instead of tables")
    .addHelpText("after", afterHelp)
    .exitOverride()
    .showHelpAfterError("See: npm run cli -- help")
    .configureOutput({
      writeOut: (text) => terminal.write(text.trimEnd()),
      writeErr: writeError,
      getOutHelpWidth: () => terminal.columns,
      getErrHelpWidth: () => terminal.columns,
    })
    .configureHelp({
      showGlobalOptions: true,
      visibleCommands: leavesOf,
      subcommandTerm: (leaf) => `${pathOf(leaf)}${leaf.usage().replace("[options]", "")}`,
    });
  const session = createSession(terminal, () => program.opts().json === true);
  const group = (name: string, description: string) =>
    program.command(name).description(description);
  const orders = group("orders", "Orders, and the links to them.");
  addOrderCommands(orders, session);
  addOrderChanges(orders, session);
  addOrderRefund(orders, session);
  addIssueCommands(group("payment-issues", "Payments that need attention."), session);
  addRefundCommands(group("refunds", "Recorded refunds."), session);
  addItemCommands(group("items", "The catalogue."), session);
  addAccessCommands(program, session);
  for (const leaf of leavesOf(program)) leaf.showHelpAfterError();
  return program;
}

/** The commands without subcommands, in the order of the help. */
export function leavesOf(command: CommandUnknownOpts): CommandUnknownOpts[] {
  return command.commands.flatMap((child) => (child.commands.length > 0 ? leavesOf(child) : child));
}

/** The path of a command, such as `orders ship`. */
export function pathOf(command: CommandUnknownOpts): string {
  const { parent } = command;
  return parent?.parent ? `${pathOf(parent)} ${command.name()}` : command.name();
}
