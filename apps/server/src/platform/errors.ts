/** The code of an error, such as "ECONNREFUSED" or PostgreSQL's "57014"; "" if it has none. */
export function codeOf(error: unknown): string {
  return error instanceof Error && "code" in error ? String(error.code) : "";
}

/**
 * An error as one line for the log and the operator: its message, with its code in front if the
 * message does not contain it. Example: `SQLITE_FULL: database or disk is full`.
 */
export function reasonOf(error: unknown): string {
  if (!(error instanceof Error)) return String(error);
  // Its message is "The operation was aborted due to timeout", and its code a meaningless number.
  if (error.name === "TimeoutError") return "no answer in time";
  // `fetch` throws "fetch failed", with the reason as its cause. An error that contains the message
  // of its cause says more than the cause.
  const { cause } = error;
  if (cause instanceof Error && !(cause.message !== "" && error.message.includes(cause.message)))
    return reasonOf(cause);
  const code = codeOf(error);
  if (error.message === "") return code === "" ? error.name : code;
  return error.message.includes(code) ? error.message : `${code}: ${error.message}`;
}
