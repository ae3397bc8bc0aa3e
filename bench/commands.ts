import { createInterface } from "node:readline";

/** What a load program does when it is told to, by a line of its input. */
export interface Commands {
  readonly begin: () => Promise<unknown>;
  readonly rest: () => Promise<unknown>;
}

/**
 * Prints that the program is ready, and then answers each command with a line when it is carried
 * out. Resolves at `end`.
 */
export async function onCommands(commands: Commands): Promise<void> {
  console.log("ready");
  for await (const line of createInterface({ input: process.stdin })) {
    if (line === "begin") console.log(`begun ${(await commands.begin()) ?? ""}`);
    else if (line === "rest") console.log(`resting ${(await commands.rest()) ?? ""}`);
    else return;
  }
}
