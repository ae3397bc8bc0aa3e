import { type Config, readDatabase } from "../../apps/server/src/config/config.ts";
import { ConfigError } from "../../apps/server/src/config/environment.ts";
import { DatabaseUnusable } from "../../apps/server/src/platform/database/database.ts";
import { reasonOf } from "../../apps/server/src/platform/errors.ts";

/** The error of a restore without `--force`. */
export function databaseNotEmpty(): DatabaseUnusable {
  return new DatabaseUnusable(
    "the database is not empty; stop the shop, and add --force to replace what is in it",
  );
}

/** Prints the text that `work` returns. An expected error is printed in one line, with exit code 1. */
export async function runDatabaseTask(
  work: (database: Config["database"]) => Promise<string>,
): Promise<void> {
  // Backups hold personal data, so only their owner may read them.
  process.umask(0o077);
  try {
    console.log(await work(readDatabase(process.env)));
  } catch (error) {
    console.error(lineFor(error));
    process.exit(1);
  }
}

/** @throws {ConfigError} if the argument `option` was not given */
export function requirePath(option: string, path: string | undefined): string {
  if (path === undefined || path === "")
    throw new ConfigError(`--${option} is not given, expected a file`);
  return path;
}

/** One line for an expected error; any other error is printed with its stack. */
function lineFor(error: unknown): unknown {
  if (error instanceof ConfigError || error instanceof DatabaseUnusable) return error.message;
  if (!(error instanceof Error && "code" in error)) return error;
  // A wrong argument, or an error of the system (such as a full disk), SQLite or PostgreSQL.
  return error instanceof TypeError ? error.message : reasonOf(error);
}
