import { existsSync, statSync } from "node:fs";
import { join } from "node:path";
import BetterSqlite3 from "better-sqlite3";
import { backUpSqlite } from "../apps/server/src/db/backup-sqlite.ts";
import { DatabaseUnusable } from "../apps/server/src/db/database.ts";
import { recordBackup } from "../apps/server/src/db/last-backup.ts";
import { makePrivateFolder } from "../apps/server/src/db/private-files.ts";
import { reasonOf } from "../apps/server/src/errors.ts";
import { type DatabaseTask, runDatabaseTask } from "./database-setting.ts";
import { copyName, keepNewest } from "./kept-copies.ts";
import { ask, backUpPostgres } from "./postgres-tools.ts";
import { showingGrowth } from "./progress.ts";

await runDatabaseTask("to", async (task) => {
  const { path, keep } = task;
  if (keep === undefined) {
    if (existsSync(path) && statSync(path).isDirectory())
      throw new DatabaseUnusable(
        `--to: ${path} is a folder, takes a file, or a folder with --keep and a number`,
      );
    await backUp(task, path);
    return `The database is copied to ${path}. The merchant's token is not in it.${await record(task)}`;
  }
  makePrivateFolder(path);
  const file = join(path, copyName(task.database.kind, new Date()));
  await backUp(task, file);
  const kept = keepNewest(path, keep);
  return `The database is copied to ${file}. ${kept} ${kept === 1 ? "copy is" : "copies are"} in ${path}.${await record(task)}`;
});

/**
 * Records the time of the backup for the metrics. @returns a warning if that failed, for example on
 * a PostgreSQL standby
 */
async function record({ database }: DatabaseTask): Promise<string> {
  const statement = recordBackup(new Date());
  try {
    if (database.kind === "postgres") await ask(database.url, statement);
    else runOnSqlite(database.file, statement);
    return "";
  } catch (error) {
    return `\nIts time could not be recorded, so the alert BackupIsMissing ignores this backup: ${reasonOf(error)}`;
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
    await showingGrowth("Copying the database", { file: part, size }, () =>
      backUpSqlite(database.file, to),
    );
  } else {
    await showingGrowth("Copying the database", { file: part }, () =>
      backUpPostgres(database.url, to),
    );
  }
}
