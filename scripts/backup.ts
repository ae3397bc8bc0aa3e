import { existsSync, readdirSync, rmSync, statSync } from "node:fs";
import { join } from "node:path";
import BetterSqlite3 from "better-sqlite3";
import { DatabaseUnusable } from "../apps/server/src/platform/database/database.ts";
import { recordBackup } from "../apps/server/src/platform/database/last-backup.ts";
import { makePrivateFolder, restrict } from "../apps/server/src/platform/database/private-files.ts";
import { reasonOf } from "../apps/server/src/platform/errors.ts";
import { CHECKSUM } from "./backup/checksum.ts";
import { type DatabaseTask, runDatabaseTask } from "./backup/database-task.ts";
import { backUpPostgres, queryRows } from "./backup/postgres-tools.ts";
import { backUpSqlite } from "./backup/sqlite.ts";
import { withProgress } from "./progress.ts";

await runDatabaseTask("to", async (task) => {
  const { path, keep } = task;
  if (keep === undefined) {
    if (existsSync(path) && statSync(path).isDirectory())
      throw new DatabaseUnusable(
        `--to: ${path} is a folder, expected a file, or a folder with --keep and a number`,
      );
    await backUp(task, path);
    return `The database is backed up to ${path}. The admin token is not in it.${await record(task)}`;
  }
  makePrivateFolder(path);
  const file = join(path, backupName(task.database.kind, new Date()));
  await backUp(task, file);
  const kept = keepNewest(path, keep);
  return `The database is backed up to ${file}. ${kept} ${kept === 1 ? "backup is" : "backups are"} kept in ${path}.${await record(task)}`;
});

function backupName(kind: "sqlite" | "postgres", now: Date): string {
  const second = now.toISOString().replace(/\.\d+/, "").replaceAll(":", "-");
  return `keepsats-${second}.${kind === "sqlite" ? "db" : "pgdump"}`;
}

/**
 * Deletes all but the newest backups in a folder, and makes those readable only by their owner.
 * Other files stay.
 *
 * @returns how many backups remain
 */
function keepNewest(folder: string, count: number): number {
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
  return kept.length;
}

/**
 * Records the time of the backup for the metrics.
 *
 * @returns a warning if that failed, for example on a PostgreSQL standby
 */
async function record({ database }: DatabaseTask): Promise<string> {
  const statement = recordBackup(new Date());
  try {
    if (database.kind === "postgres") await queryRows(database.url, statement);
    else runOnSqlite(database.file, statement);
    return "";
  } catch (error) {
    return `\nIts time could not be recorded, so the alert BackupOverdue ignores this backup: ${reasonOf(error)}`;
  }
}

function runOnSqlite(file: string, statement: string): void {
  const database = new BetterSqlite3(file);
  try {
    database.prepare(statement).run();
  } finally {
    database.close();
  }
}

async function backUp({ database }: DatabaseTask, to: string): Promise<void> {
  const part = `${to}.part`;
  if (database.kind === "sqlite") {
    const size = statSync(database.file, { throwIfNoEntry: false })?.size ?? 0;
    await withProgress("Backing up the database", { file: part, size }, () =>
      backUpSqlite(database.file, to),
    );
  } else {
    await withProgress("Backing up the database", { file: part }, () =>
      backUpPostgres(database.url, to),
    );
  }
}
