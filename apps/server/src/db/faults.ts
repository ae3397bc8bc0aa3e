import { codeOf } from "../errors.ts";

const sqliteCodes = /^SQLITE_(?:BUSY|FULL|IOERR|CANTOPEN|READONLY|NOMEM)/;
/**
 * 08 connection lost, 53 out of resources, 57 shutting down, starting or statement timeout, 58
 * system error, 25006 read-only standby, 25P03 transaction idle for too long, 55P03 lock timeout.
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
/** Errors of the PostgreSQL client that have no code. */
const clientMessages =
  /^(?:Connection terminated|timeout expired|timeout exceeded when trying to connect|Client has encountered a connection error|Client was closed and is not queryable|Postgres connection has been discarded|Query read timeout)/;

/**
 * A queue is full or the wait in it was too long. The work was not begun; a retry later may
 * succeed.
 */
export class Overloaded extends Error {
  override readonly name = "Overloaded";
}

/**
 * Whether the database is unreachable, not writable or overloaded at the moment, so that a retry
 * later may succeed. Any other error is a fault of the work itself. After such an error a commit
 * may have happened or not.
 */
export function isDatabaseUnavailable(error: unknown): boolean {
  if (!(error instanceof Error)) return false;
  if (error instanceof Overloaded) return true;
  const code = codeOf(error);
  if (sqliteCodes.test(code) || networkCodes.has(code)) return true;
  // ENOENT: the Unix socket of a PostgreSQL server that does not run.
  if (code === "ENOENT" && "syscall" in error && error.syscall === "connect") return true;
  return postgresStates.test(code) || clientMessages.test(error.message);
}

/** Whether another process holds the lock of the SQLite file. */
export function isLocked(error: unknown): boolean {
  return codeOf(error).startsWith("SQLITE_BUSY");
}

/**
 * Whether only writes fail and reads still work: the disk is full, or the database is locked for
 * writing or read-only.
 */
export function isOnlyUnwritable(error: unknown): boolean {
  const code = codeOf(error);
  return (
    /^SQLITE_(?:FULL|BUSY|READONLY|IOERR_WRITE|IOERR_FSYNC)/.test(code) ||
    /^(?:53100|25006)$/.test(code)
  );
}

/**
 * Whether one job of a group may have caused the rollback of the whole transaction, for example
 * because it waited for a locked row until the timeout. When the database itself is unavailable,
 * retrying each job alone would not help.
 */
export function mayBeCausedByOneJob(error: unknown): boolean {
  const code = codeOf(error);
  const isTimeout = code === "55P03" || code === "57014";
  return isTimeout || !isDatabaseUnavailable(error);
}

/**
 * The work depends on what another transaction has changed meanwhile. It is rolled back, and a
 * retry at once may succeed.
 */
export class Conflict extends Error {
  override readonly name = "Conflict";
}

/**
 * Whether PostgreSQL rolled back because of a deadlock or a serialization conflict, or the work
 * because of a {@link Conflict}.
 */
export function isConflict(error: unknown): boolean {
  if (error instanceof Conflict) return true;
  const code = codeOf(error);
  return code === "40P01" || code === "40001";
}

/** Whether PostgreSQL refused a row of a table because its key is stored already. */
export function isDuplicateIn(error: unknown, table: string): boolean {
  return codeOf(error) === "23505" && Reflect.get(Object(error), "table") === table;
}
