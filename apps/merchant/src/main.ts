import { inspect } from "node:util";
import { runCommand } from "./cli.ts";
import { CommandFailed, exitCodes } from "./exit.ts";
import { printableLines } from "./output.ts";

const [major = 0] = process.versions.node.split(".").map(Number);
if (major < 24) {
  console.error(
    `This needs Node 24 or newer and this is ${process.versions.node}: call it with "npm run merchant -- …".`,
  );
  process.exit(exitCodes.fault);
}

/** Also where the result goes into a pager; 80 where there is no terminal. */
const columns = process.stdout.columns ?? process.stderr.columns ?? 80;
let told = "";
function progress(text: string): void {
  if (text === told) return;
  told = text;
  if (process.stderr.isTTY) process.stderr.write(`\r\u001b[K${text}`);
}

function write(text: string): void {
  endProgress();
  console.log(text);
}

try {
  await runCommand(process.argv.slice(2), { env: process.env, write, progress, columns });
} catch (error) {
  endProgress();
  console.error(printableLines(error instanceof CommandFailed ? error.message : inspect(error)));
  process.exitCode = error instanceof CommandFailed ? error.exitCode : exitCodes.fault;
}

function endProgress(): void {
  if (told !== "" && process.stderr.isTTY) process.stderr.write("\r\u001b[K");
  told = "";
}
