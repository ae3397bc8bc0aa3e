import "../../../scripts/require-node.mjs";
import { once } from "node:events";
import { createInterface } from "node:readline/promises";
import { runCommand } from "./cli.ts";
import { failureOf } from "./errors.ts";

/** The width of the terminal, even if the output goes to a pager; 80 if unknown. */
const columns = process.stdout.columns || process.stderr.columns || 80;

/** @returns the typed line; empty after Ctrl-C, Ctrl-D or the end of the input */
async function ask(question: string): Promise<string> {
  const prompt = createInterface({ input: process.stdin, output: process.stderr });
  const closed = once(prompt, "close").then(() => "\n");
  const answer = await Promise.race([prompt.question(question).catch(() => "\n"), closed]);
  prompt.close();
  if (answer === "\n") process.stderr.write(answer);
  return answer.trim();
}

try {
  await runCommand(process.argv.slice(2), {
    env: process.env,
    write: (text) => console.log(text),
    columns,
    ask: process.stdin.isTTY && process.stderr.isTTY ? ask : undefined,
  });
} catch (error) {
  const { code, text } = failureOf(error);
  console.error(text);
  process.exitCode = code;
}
