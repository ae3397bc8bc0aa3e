import "../../../scripts/require-node.mjs";
import { once } from "node:events";
import { createInterface } from "node:readline/promises";
import { runCommand } from "./cli.ts";
import { failureOf } from "./errors.ts";

/** The width of the terminal, even if the output goes to a pager; 80 if unknown. */
const columns = process.stdout.columns || process.stderr.columns || 80;

let shownProgress = "";

/** Replaces the line of progress on the terminal; an empty text removes it. */
function progress(text: string): void {
  if (process.stderr.isTTY && text !== shownProgress) process.stderr.write(`\r\u001b[K${text}`);
  shownProgress = text;
}

/** @returns the typed line; empty after Ctrl-C, Ctrl-D or the end of the input */
async function ask(question: string): Promise<string> {
  progress("");
  const prompt = createInterface({ input: process.stdin, output: process.stderr });
  const closed = once(prompt, "close").then(() => "\n");
  const answer = await Promise.race([prompt.question(question).catch(() => "\n"), closed]);
  prompt.close();
  if (answer === "\n") process.stderr.write(answer);
  return answer.trim();
}

function write(text: string): void {
  progress("");
  console.log(text);
}

try {
  await runCommand(process.argv.slice(2), {
    env: process.env,
    write,
    progress,
    columns,
    ask: process.stdin.isTTY && process.stderr.isTTY ? ask : undefined,
  });
} catch (error) {
  progress("");
  const { code, text } = failureOf(error);
  console.error(text);
  process.exitCode = code;
}
