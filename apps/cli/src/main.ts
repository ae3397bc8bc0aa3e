import "../../../scripts/require-node.mjs";
import { once } from "node:events";
import { createInterface } from "node:readline/promises";
import { runCommand } from "./cli.ts";
import { failureOf } from "./errors.ts";

/** The width of the terminal, even if the output goes to a pager; 80 if unknown. */
const columns = process.stdout.columns || process.stderr.columns || 80;

let shownProgress = "";

function progress(text: string): void {
  if (text === shownProgress) return;
  shownProgress = text;
  if (process.stderr.isTTY) process.stderr.write(`\r\u001b[K${text}`);
}

function clearProgress(): void {
  if (shownProgress !== "" && process.stderr.isTTY) process.stderr.write("\r\u001b[K");
  shownProgress = "";
}

const canAsk = process.stdin.isTTY && process.stderr.isTTY;

/** @returns the typed line; empty after Ctrl-C, Ctrl-D or the end of the input */
async function ask(question: string): Promise<string> {
  clearProgress();
  const terminal = createInterface({ input: process.stdin, output: process.stderr });
  const closed = once(terminal, "close").then(() => "\n");
  const answer = await Promise.race([terminal.question(question).catch(() => "\n"), closed]);
  terminal.close();
  if (answer === "\n") process.stderr.write(answer);
  return answer.trim();
}

function write(text: string): void {
  clearProgress();
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
  clearProgress();
  const { code, text } = failureOf(error);
  console.error(text);
  process.exitCode = code;
}
