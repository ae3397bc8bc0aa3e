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

/** A queue is full, or the wait in it was too long. The work was not started. */
export class Overloaded extends Error {
  override readonly name = "Overloaded";
}

/**
 * Whether the database is unreachable, not writable or overloaded, so that a retry may succeed. Any
 * other error is a fault of the work itself. After such an error a commit may have happened or not.
 */
export function isDatabaseUnavailable(error: unknown): boolean {
  if (!(error instanceof Error)) return false;
  if (error instanceof Overloaded) return true;
  const code = codeOf(error);
  if (sqliteCodes.test(code) || networkCodes.has(code)) return true;
  // ENOENT: the Unix socket of a stopped PostgreSQL server.
  if (code === "ENOENT" && "syscall" in error && error.syscall === "connect") return true;
  return postgresStates.test(code) || clientMessages.test(error.message);
}

/** Whether another process holds the lock of the SQLite file. */
export function isLocked(error: unknown): boolean {
  return codeOf(error).startsWith("SQLITE_BUSY");
}

/** Whether only writes fail: the disk is full, or the database is locked or read-only. */
export function isOnlyUnwritable(error: unknown): boolean {
  const code = codeOf(error);
  return (
    /^SQLITE_(?:FULL|BUSY|READONLY|IOERR_WRITE|IOERR_FSYNC)/.test(code) ||
    /^(?:53100|25006)$/.test(code)
  );
}

/**
 * Whether one job of a batch may have caused the rollback of its transaction, for example by
 * waiting for a locked row until the timeout. While the database is unavailable, retrying each job
 * alone would not help.
 */
export function mayBeCausedByOneJob(error: unknown): boolean {
  const code = codeOf(error);
  const isTimeout = code === "55P03" || code === "57014";
  return isTimeout || !isDatabaseUnavailable(error);
}

/** Another transaction has changed what the work has read. An immediate retry may succeed. */
export class Conflict extends Error {
  override readonly name = "Conflict";
}

/**
 * Whether a transaction was rolled back by a deadlock, a serialization failure or {@link Conflict}.
 */
export function isConflict(error: unknown): boolean {
  if (error instanceof Conflict) return true;
  const code = codeOf(error);
  return code === "40P01" || code === "40001";
}

/** Whether PostgreSQL refused a row of a table because its key exists. */
export function isDuplicateIn(error: unknown, table: string): boolean {
  return codeOf(error) === "23505" && Reflect.get(Object(error), "table") === table;
}
