/** The exit codes of commands. Scripts rely on them. */
export const exitCodes = {
  done: 0,
  /** An unexpected error. */
  fault: 1,
  /** The command or its input is wrong, or it was not confirmed; nothing was changed. */
  usage: 2,
  /** There is no such order or item, or several match. */
  notFound: 3,
  /** The status change is not permitted, or the order's status has changed. */
  refused: 4,
  /** The shop cannot be reached, or does not accept the token. */
  unreachable: 5,
} as const;

/** A command failed; `message` is shown to the user. */
export class CommandFailed extends Error {
  override readonly name = "CommandFailed";
  readonly exitCode: number;

  constructor(exitCode: number, message: string) {
    super(message);
    this.exitCode = exitCode;
  }
}

/** A command was called with wrong arguments. */
export function usageError(message: string): CommandFailed {
  return new CommandFailed(exitCodes.usage, `${message}\nSee: npm run merchant -- help`);
}
