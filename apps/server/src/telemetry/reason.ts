/** The code and message of an error, for the log. Example: `ECONNREFUSED: connect failed`. */
export function reasonOf(error: unknown): string {
  if (!(error instanceof Error)) return String(error);
  const code = "code" in error ? String(error.code) : "";
  if (error.message === "") return code === "" ? error.name : code;
  return error.message.includes(code) ? error.message : `${code}: ${error.message}`;
}
