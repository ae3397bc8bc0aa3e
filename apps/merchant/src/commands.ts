import { type Command, command } from "./command.ts";
import { listMismatches } from "./commands/mismatches.ts";
import { deskCommands } from "./desk-commands.ts";
import { itemCommands } from "./item-commands.ts";
import { orderCommands } from "./order-commands.ts";
import { systemCommands } from "./system-commands.ts";

/** All commands, in the order of the help. */
export const commands: readonly Command[] = [
  ...orderCommands,
  ...itemCommands,
  ...systemCommands,
  ...deskCommands,
];

/** Earlier names of commands, which go on working. */
export const earlierCommands: readonly Command[] = [
  command({
    name: "payments mismatches",
    args: [],
    options: [],
    summary: "all mismatches; the same as mismatches list --all",
    example: "",
    run: ({ client, output }) => listMismatches({ client, output, options: { all: true } }),
  }),
];
