import { existsSync } from "node:fs";
import { restoreSqlite } from "../apps/server/src/db/backup-sqlite.ts";
import { carryOver, isSqliteFile } from "../apps/server/src/db/carry-over.ts";
import { DatabaseUnusable } from "../apps/server/src/db/database.ts";
import { runDatabaseTask } from "./database-setting.ts";
import { restorePostgres } from "./postgres-tools.ts";

await runDatabaseTask("from", async ({ database, file, force }) => {
  if (!existsSync(file)) throw new DatabaseUnusable(`there is no file ${file}`);
  if (database.kind === "sqlite") {
    const former = restoreSqlite(database.file, file);
    return `${database.file} is as it was in ${file}.${former === undefined ? "" : ` What was there is now ${former}.`}`;
  }
  if (isSqliteFile(file)) {
    await carryOver(file, database.url, force);
    return `The shop is carried over from ${file} to PostgreSQL.`;
  }
  await restorePostgres(database.url, file, force);
  return `The database is as it was in ${file}.`;
});
