import "../../../scripts/require-node.mjs";
import { once } from "node:events";
import { createInterface } from "node:readline/promises";
import { runCommand } from "./cli.ts";
import { failureOf } from "./exit.ts";

/** The width of the terminal, even if the output goes to a pager; 80 if unknown. */
const columns = process.stdout.columns || process.stderr.columns || 80;
let told = "";
function progress(text: string): void {
  if (text === told) return;
  told = text;
  if (process.stderr.isTTY) process.stderr.write(`\r\u001b[K${text}`);
}

const canAsk = process.stdin.isTTY && process.stderr.isTTY;

/** @returns the typed line; empty after Ctrl-C, Ctrl-D or the end of the input */
async function ask(question: string): Promise<string> {
  endProgress();
  const terminal = createInterface({ input: process.stdin, output: process.stderr });
  const left = once(terminal, "close").then(() => "\n");
  const answer = await Promise.race([terminal.question(question).catch(() => "\n"), left]);
  terminal.close();
  if (answer === "\n") process.stderr.write(answer);
  return answer.trim();
}

function write(text: string): void {
  endProgress();
  console.log(text);
}

try {
  await runCommand(process.argv.slice(2), {
    env: process.env,
    write,
    progress,
    columns,
    ask: canAsk ? ask : undefined,
  });
} catch (error) {
  endProgress();
  const { code, text } = failureOf(error);
  console.error(text);
  process.exitCode = code;
}

function endProgress(): void {
  if (told !== "" && process.stderr.isTTY) process.stderr.write("\r\u001b[K");
  told = "";
}
