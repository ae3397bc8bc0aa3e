import { backUpSqlite } from "../apps/server/src/db/backup-sqlite.ts";
import { runDatabaseTask } from "./database-setting.ts";
import { backUpPostgres } from "./postgres-tools.ts";

await runDatabaseTask("to", async ({ database, file }) => {
  if (database.kind === "sqlite") backUpSqlite(database.file, file);
  else backUpPostgres(database.url, file);
  return `The database is copied to ${file}. The merchant's token is not in it.`;
});
