const sqliteCodes = /^SQLITE_(?:BUSY|FULL|IOERR|CANTOPEN|READONLY|NOMEM)/;
/**
 * Connection lost, out of resources, shutting down or starting, system error, a statement or transaction that took too
 * long, a lock that could not be had, and a standby that takes no writes.
 */
const postgresStates = /^(?:08...|53...|57...|58...|25006|25P03|55P03)$/;
const networkCodes = new Set([
  "ECONNREFUSED",
  "ECONNRESET",
  "EPIPE",
  "ETIMEDOUT",
  "EHOSTUNREACH",
  "ENETUNREACH",
  "ENOTFOUND",
  "EAI_AGAIN",
]);
/** What the PostgreSQL client says without a code. */
const clientMessages =
  /^(?:Connection terminated|timeout expired|timeout exceeded when trying to connect|Client has encountered a connection error|Postgres connection has been discarded|Query read timeout)/;

/** Work was not begun, because too much other work waits before it. The same work may succeed later. */
export class Overloaded extends Error {
  override readonly name = "Overloaded";
}

/**
 * Whether an error means that the database cannot be reached or written to for the moment, or has too much to do, so
 * that the same work may succeed later; anything else is a fault of the work itself. What was being committed may be
 * stored or not.
 */
export function isDatabaseAway(error: unknown): boolean {
  if (!(error instanceof Error)) return false;
  if (error instanceof Overloaded) return true;
  const code = "code" in error && typeof error.code === "string" ? error.code : "";
  if (sqliteCodes.test(code) || networkCodes.has(code)) return true;
  if (code === "ENOENT" && "syscall" in error && error.syscall === "connect") return true;
  return postgresStates.test(code) || clientMessages.test(error.message);
}

/** Whether another program holds a lock of the SQLite file. */
export function isLocked(error: unknown): boolean {
  return error instanceof Error && "code" in error && /^SQLITE_BUSY/.test(String(error.code));
}

/** Whether the database can be read all the same: its disk is full, it is locked for writing, or takes no writes. */
export function isOnlyUnwritable(error: unknown): boolean {
  const code = error instanceof Error && "code" in error ? String(error.code) : "";
  return (
    /^SQLITE_(?:FULL|BUSY|READONLY|IOERR_WRITE|IOERR_FSYNC)/.test(code) || /^(?:53100|25006)$/.test(code)
  );
}

/**
 * Whether an error may be the fault of one piece of work out of several in a transaction, all of which is undone: such
 * as a row that somebody else holds for too long. Where the database itself is away, trying each by itself is no use.
 */
export function mayBeOneJobs(error: unknown): boolean {
  const code = error instanceof Error && "code" in error ? error.code : undefined;
  const waitedTooLong = code === "55P03" || code === "57014";
  return waitedTooLong || !isDatabaseAway(error);
}

/** Whether PostgreSQL has undone a transaction because another got into its way: to be tried again at once. */
export function isRolledBackForAnother(error: unknown): boolean {
  const code = error instanceof Error && "code" in error ? error.code : undefined;
  return code === "40P01" || code === "40001";
}
