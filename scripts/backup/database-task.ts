import { parseArgs } from "node:util";
import { type Config, readDatabase } from "../../apps/server/src/config/config.ts";
import { ConfigError } from "../../apps/server/src/config/environment.ts";
import { DatabaseUnusable } from "../../apps/server/src/platform/database/database.ts";
import { reasonOf } from "../../apps/server/src/platform/errors.ts";

/** The arguments of `npm run backup` and `npm run restore`. */
export interface DatabaseTask {
  readonly database: Config["database"];
  /** The path of the file or folder. */
  readonly path: string;
  /** The number of backups to keep in the folder; `undefined` if `path` is a file. */
  readonly keep: number | undefined;
  /** Replace existing data. */
  readonly force: boolean;
  /** Drop unknown tables. */
  readonly dropOthers: boolean;
  /** Restore while servers are connected. */
  readonly whileRunning: boolean;
  readonly noChecksum: boolean;
}

const OPTIONS = {
  to: { to: { type: "string" }, keep: { type: "string" } },
  from: {
    from: { type: "string" },
    force: { type: "boolean" },
    "drop-others": { type: "boolean" },
    "while-running": { type: "boolean" },
    "no-checksum": { type: "boolean" },
  },
} as const;

/** The error of a restore without `--force`. */
export function databaseNotEmpty(): DatabaseUnusable {
  return new DatabaseUnusable(
    "the database is not empty; stop the shop, and add --force to replace what is in it",
  );
}

/** Prints the text that `work` returns. An expected error is printed in one line, with exit code 1. */
export async function runDatabaseTask(
  option: "to" | "from",
  work: (task: DatabaseTask) => Promise<string>,
): Promise<void> {
  // Backups hold personal data, so only their owner may read them.
  process.umask(0o077);
  try {
    const values = new Map(Object.entries(parseArgs({ options: OPTIONS[option] }).values));
    const path = values.get(option);
    if (typeof path !== "string" || path === "")
      throw new ConfigError(`--${option} is not given, expected a file`);
    const task = {
      database: readDatabase(process.env),
      path,
      keep: backupsToKeep(values.get("keep")),
      force: values.get("force") === true,
      dropOthers: values.get("drop-others") === true,
      whileRunning: values.get("while-running") === true,
      noChecksum: values.get("no-checksum") === true,
    };
    console.log(await work(task));
  } catch (error) {
    console.error(lineFor(error));
    process.exit(1);
  }
}

function backupsToKeep(given: unknown): number | undefined {
  if (given === undefined) return undefined;
  const number = Number(given);
  if (Number.isInteger(number) && number >= 1) return number;
  throw new ConfigError(`--keep: got "${given}", expected a whole number from 1`);
}

/** One line for an expected error; any other error is printed with its stack. */
function lineFor(error: unknown): unknown {
  if (error instanceof ConfigError || error instanceof DatabaseUnusable) return error.message;
  if (!(error instanceof Error && "code" in error)) return error;
  // A wrong argument, or an error of the system (such as a full disk), SQLite or PostgreSQL.
  return error instanceof TypeError ? error.message : reasonOf(error);
}
