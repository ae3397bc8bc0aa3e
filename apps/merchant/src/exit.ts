/** What the exit code of a command means; it is part of what scripts rely on. */
export const exitCodes = {
  done: 0,
  /** Something failed that nobody foresaw. */
  fault: 1,
  /** The command or its input is wrong, or it was not confirmed; nothing was changed. */
  usage: 2,
  /** There is no such order or item, or several begin like this. */
  notFound: 3,
  /** The order cannot make this move, or has another status than the one that was seen. */
  refused: 4,
  /** The shop cannot be reached, or does not accept the token. */
  unreachable: 5,
} as const;

/** A command ends without having done its work; `message` is for the person at the terminal. */
export class CommandFailed extends Error {
  override readonly name = "CommandFailed";
  readonly exitCode: number;

  constructor(exitCode: number, message: string) {
    super(message);
    this.exitCode = exitCode;
  }
}

/** The command was called in a way that it does not know. */
export function usageError(message: string): CommandFailed {
  return new CommandFailed(exitCodes.usage, `${message}\nSee: npm run merchant -- help`);
}
