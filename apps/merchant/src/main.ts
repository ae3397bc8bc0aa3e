import { runCommand } from "./cli.ts";
import { CommandFailed, exitCodes } from "./exit.ts";

const [major = 0] = process.versions.node.split(".").map(Number);
if (major < 24) {
  console.error(
    `This needs Node 24 or newer and this is ${process.versions.node}: call it with "npm run merchant -- …".`,
  );
  process.exit(exitCodes.fault);
}

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
  await runCommand(process.argv.slice(2), { env: process.env, write, progress });
} catch (error) {
  endProgress();
  console.error(error instanceof CommandFailed ? error.message : error);
  process.exitCode = error instanceof CommandFailed ? error.exitCode : exitCodes.fault;
}

function endProgress(): void {
  if (told !== "" && process.stderr.isTTY) process.stderr.write("\r\u001b[K");
  told = "";
}
