import { parseArgs } from "node:util";
import { type Config, ConfigError, readDatabase } from "../apps/server/src/config.ts";
import { DatabaseUnusable } from "../apps/server/src/db/database.ts";

/** What a command about the whole database works on. */
export interface DatabaseTask {
  readonly database: Config["database"];
  /** The file that it names. */
  readonly file: string;
  /** Whether it may replace what is there. */
  readonly force: boolean;
}

/** Runs such a command; where something is wrong it says so in one line, and the process ends with 1. */
export async function runDatabaseTask(
  option: "to" | "from",
  work: (task: DatabaseTask) => Promise<string>,
): Promise<void> {
  // Copies hold names and addresses: they are for their owner's eyes.
  process.umask(0o077);
  try {
    const { values } = parseArgs({ options: { [option]: { type: "string" }, force: { type: "boolean" } } });
    const file = values[option];
    if (typeof file !== "string" || file === "")
      throw new ConfigError(`--${option}: is not given, takes a file`);
    const database = readDatabase(process.env);
    console.log(await work({ database, file, force: values.force === true }));
  } catch (error) {
    const known = error instanceof ConfigError || error instanceof DatabaseUnusable;
    const usage = error instanceof TypeError && "code" in error;
    console.error(known || usage ? error.message : error);
    process.exit(1);
  }
}
