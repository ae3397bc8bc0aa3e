import { inspect } from "node:util";
import type { Problem } from "@keepsats/protocol";
import { printableLines } from "./output.ts";

/** The exit codes of commands. Scripts rely on them. */
export const exitCodes = {
  done: 0,
  /** An unexpected error. */
  fault: 1,
  /** The command or its input is wrong, or it was not confirmed; nothing was changed. */
  usage: 2,
  /** There is no such order, payment issue, item or token, or several match. */
  notFound: 3,
  /** The token or the current state does not permit the change, or a name is in use. */
  refused: 4,
  /** The shop cannot be reached, is busy, or does not accept the token. A retry may succeed. */
  unreachable: 5,
} as const;

/** The program prints `message`. `problem` is the shop's answer, if it refused the request. */
export class CommandFailed extends Error {
  override readonly name = "CommandFailed";
  readonly exitCode: number;
  readonly problem: Problem | undefined;

  constructor(exitCode: number, message: string, problem?: Problem) {
    super(message);
    this.exitCode = exitCode;
    this.problem = problem;
  }
}

export function usageError(message: string): CommandFailed {
  return new CommandFailed(exitCodes.usage, `${message}\nSee: npm run cli -- help`);
}

export function messageOf(error: unknown): string {
  return error instanceof Error ? error.message : String(error);
}

/** The exit code for an error, and the text for standard error, cleaned for a terminal. */
export function failureOf(error: unknown): { readonly code: number; readonly text: string } {
  const isExpected = error instanceof CommandFailed;
  return {
    code: isExpected ? error.exitCode : exitCodes.fault,
    text: printableLines(isExpected ? error.message : inspect(error)),
  };
}
