import { readdirSync, rmSync, statSync } from "node:fs";
import { join } from "node:path";
import { parseArgs } from "node:util";
import type { Config } from "../apps/server/src/config/config.ts";
import { ConfigError } from "../apps/server/src/config/environment.ts";
import { recordBackup } from "../apps/server/src/platform/database/last-backup.ts";
import { restrict } from "../apps/server/src/platform/database/private-files.ts";
import { reasonOf } from "../apps/server/src/platform/errors.ts";
import { CHECKSUM } from "./backup/backup-file.ts";
import { requirePath, runDatabaseTask } from "./backup/database-task.ts";
import { backUpPostgres, queryRows } from "./backup/postgres-tools.ts";
import { backUpSqlite, withSqlite } from "./backup/sqlite.ts";

await runDatabaseTask(async (database) => {
  const { values } = parseArgs({ options: { to: { type: "string" }, keep: { type: "string" } } });
  const to = requirePath("to", values.to);
  const keep = values.keep === undefined ? undefined : backupsToKeep(values.keep);
  if (keep === undefined && statSync(to, { throwIfNoEntry: false })?.isDirectory() === true)
    throw new ConfigError(
      `--to: ${to} is a folder, expected a file, or a folder with --keep and a number`,
    );
  const file = keep === undefined ? to : join(to, backupName(database.kind, new Date()));
  if (database.kind === "sqlite") await backUpSqlite(database.file, file);
  else await backUpPostgres(database.url, file);
  const note = keep === undefined ? "The admin token is not in it." : keepNewest(to, keep);
  return `The database is backed up to ${file}. ${note}${await record(database)}`;
});

function backupsToKeep(given: string): number {
  const number = Number(given);
  if (Number.isInteger(number) && number >= 1) return number;
  throw new ConfigError(`--keep: got "${given}", expected a whole number from 1`);
}

function backupName(kind: "sqlite" | "postgres", now: Date): string {
  const second = now.toISOString().replace(/\.\d+/, "").replaceAll(":", "-");
  return `keepsats-${second}.${kind === "sqlite" ? "db" : "pgdump"}`;
}

/**
 * Deletes all but the newest backups in a folder, and makes those readable only by their owner.
 * Other files stay.
 *
 * @returns a sentence about how many remain
 */
function keepNewest(folder: string, count: number): string {
  const pattern = /^keepsats-\d{4}-\d\d-\d\dT\d\d-\d\d-\d\dZ\.(?:db|pgdump)$/;
  const backups = readdirSync(folder)
    .filter((name) => pattern.test(name))
    .sort();
  for (const name of backups.slice(0, -count)) {
    rmSync(join(folder, name));
    rmSync(join(folder, name + CHECKSUM), { force: true });
  }
  const kept = backups.slice(-count);
  for (const name of kept) restrict(join(folder, name));
  return `${kept.length} ${kept.length === 1 ? "backup is" : "backups are"} kept in ${folder}.`;
}

/**
 * Records the time of the backup for the metrics.
 *
 * @returns a warning if that failed, for example on a PostgreSQL standby
 */
async function record(database: Config["database"]): Promise<string> {
  const statement = recordBackup(new Date());
  try {
    if (database.kind === "postgres") await queryRows(database.url, statement);
    else withSqlite(database.file, {}, (sqlite) => sqlite.prepare(statement).run());
    return "";
  } catch (error) {
    return `\nIts time could not be recorded, so the alert BackupOverdue ignores this backup: ${reasonOf(error)}`;
  }
}
