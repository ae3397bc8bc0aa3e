import { parseArgs } from "node:util";
import { type Config, ConfigError, readDatabase } from "../apps/server/src/config.ts";
import { DatabaseUnusable } from "../apps/server/src/db/database.ts";
import { reasonOf } from "../apps/server/src/errors.ts";

/** What a command about the whole database works on. */
export interface DatabaseTask {
  readonly database: Config["database"];
  /** The file or folder that it names. */
  readonly path: string;
  /** How many copies are kept in the folder; `undefined` when it names one file. */
  readonly keep: number | undefined;
  /** Whether it may replace what is there. */
  readonly force: boolean;
  /** Whether it may drop tables that it does not know. */
  readonly dropOthers: boolean;
  /** Whether it may do so under servers that are connected. */
  readonly whileRunning: boolean;
}

const OPTIONS = {
  to: { to: { type: "string" }, keep: { type: "string" } },
  from: {
    from: { type: "string" },
    force: { type: "boolean" },
    "drop-others": { type: "boolean" },
    "while-running": { type: "boolean" },
  },
} as const;

/** Runs such a command; where something is wrong it says so in one line, and the process ends with 1. */
export async function runDatabaseTask(
  option: "to" | "from",
  work: (task: DatabaseTask) => Promise<string>,
): Promise<void> {
  // Copies hold names and addresses: they are for their owner's eyes.
  process.umask(0o077);
  try {
    const values = new Map(Object.entries(parseArgs({ options: OPTIONS[option] }).values));
    const path = values.get(option);
    if (typeof path !== "string" || path === "")
      throw new ConfigError(`--${option}: is not given, takes a file`);
    const task = {
      database: readDatabase(process.env),
      path,
      keep: copiesToKeep(values.get("keep")),
      force: values.get("force") === true,
      dropOthers: values.get("drop-others") === true,
      whileRunning: values.get("while-running") === true,
    };
    console.log(await work(task));
  } catch (error) {
    console.error(lineFor(error));
    process.exit(1);
  }
}

function copiesToKeep(given: unknown): number | undefined {
  if (given === undefined) return undefined;
  const number = Number(given);
  if (Number.isInteger(number) && number >= 1) return number;
  throw new ConfigError(`--keep: got "${given}", takes a whole number from 1`);
}

/** What to say of an error: one line where it is one of the world and not of the program. */
function lineFor(error: unknown): unknown {
  if (error instanceof ConfigError || error instanceof DatabaseUnusable) return error.message;
  if (!(error instanceof Error && "code" in error)) return error;
  // Wrong arguments; or the system (a full disk, a missing permission), SQLite or PostgreSQL.
  return error instanceof TypeError ? error.message : reasonOf(error);
}
