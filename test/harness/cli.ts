import { runCommand } from "../../apps/cli/src/cli.ts";
import { CommandFailed, failureOf } from "../../apps/cli/src/errors.ts";
import type { Terminal } from "../../apps/cli/src/session.ts";
import type { Shop } from "./shop.ts";

/** How a CLI command has ended. */
export interface Ended {
  readonly code: number;
  /** What it wrote to standard output. */
  readonly out: string;
  /** What it wrote to standard error, without the end of the line. */
  readonly err: string;
  /** What it asked. */
  readonly asked: readonly string[];
}

export interface Circumstances {
  readonly token?: string;
  readonly url?: string;
  /** Answers the questions; without it there is no terminal. */
  readonly answer?: Terminal["ask"];
}

/** The words of a command line, as a shell splits them: quotation marks keep blanks. */
export function wordsOf(line: string): string[] {
  return [...line.matchAll(/"([^"]*)"|\S+/g)].map(([word, quoted]) => quoted ?? word);
}

/**
 * Runs a CLI command in this process, with the shop's folder as working directory, 80
 * columns wide, as `main.ts` does in a process of its own. `test/cli/program.test.ts` tests
 * that process.
 *
 * @param command a command line, or its words
 * @throws what the command throws that is no {@link CommandFailed}: a fault of the program, which
 *   fails the test
 */
export async function runCli(
  shop: Pick<Shop, "url" | "token" | "folder">,
  command: string | readonly string[],
  { token, url, answer }: Circumstances = {},
): Promise<Ended> {
  const lines: string[] = [];
  const asked: string[] = [];
  const ended = { code: 0, err: "" };
  try {
    await runCommand(typeof command === "string" ? wordsOf(command) : command, {
      env: {
        SHOP_URL: url ?? shop.url,
        ADMIN_TOKEN: token ?? shop.token,
        INIT_CWD: shop.folder,
      },
      write: (text) => lines.push(`${text}\n`),
      columns: 80,
      ...(answer === undefined
        ? {}
        : {
            ask: (question) => {
              asked.push(question);
              return answer(question);
            },
          }),
    });
  } catch (error) {
    if (!(error instanceof CommandFailed)) throw error;
    const { code, text } = failureOf(error);
    Object.assign(ended, { code, err: text });
  }
  return { ...ended, out: lines.join(""), asked };
}
