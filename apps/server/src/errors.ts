/** The code of an error, such as "ECONNREFUSED" or PostgreSQL's "57014"; "" when it has none. */
export function codeOf(error: unknown): string {
  return error instanceof Error && "code" in error ? String(error.code) : "";
}

/**
 * An error in one line, for the log and for the person who starts the server: its code, where the
 * message does not name it, and its message. Example: `SQLITE_FULL: database or disk is full`.
 */
export function reasonOf(error: unknown): string {
  if (!(error instanceof Error)) return String(error);
  // Its message is "The operation was aborted due to timeout", its code a number that says nothing.
  if (error.name === "TimeoutError") return "no answer in time";
  // `fetch` throws "fetch failed"; its cause says why. An error that repeats its cause says more
  // than it.
  const { cause } = error;
  if (cause instanceof Error && !(cause.message !== "" && error.message.includes(cause.message)))
    return reasonOf(cause);
  const code = codeOf(error);
  if (error.message === "") return code === "" ? error.name : code;
  return error.message.includes(code) ? error.message : `${code}: ${error.message}`;
}
