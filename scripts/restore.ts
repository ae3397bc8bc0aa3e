import { restoreSqlite } from "../apps/server/src/db/backup-sqlite.ts";
import { runDatabaseTask } from "./database-setting.ts";
import { restorePostgres } from "./postgres-tools.ts";

await runDatabaseTask("from", async ({ database, file, force }) => {
  if (database.kind === "postgres") {
    await restorePostgres(database.url, file, force);
    return `The database is as it was in ${file}.`;
  }
  const former = restoreSqlite(database.file, file);
  return `${database.file} is as it was in ${file}.${former === undefined ? "" : ` What was there is now ${former}.`}`;
});
