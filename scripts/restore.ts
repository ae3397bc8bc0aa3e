import { existsSync, statSync } from "node:fs";
import { verifyChecksum } from "../apps/server/src/platform/database/backup.ts";
import { restoreSqlite } from "../apps/server/src/platform/database/backup-sqlite.ts";
import { copyDatabase, isSqliteFile } from "../apps/server/src/platform/database/copy-database.ts";
import { DatabaseUnusable } from "../apps/server/src/platform/database/database.ts";
import { runDatabaseTask } from "./database-task.ts";
import { refuseWhileServersRun } from "./postgres-tools.ts";
import { showCount, withProgress } from "./progress.ts";
import { restorePostgres } from "./restore-postgres.ts";

await runDatabaseTask(
  "from",
  async ({ database, path, force, dropOthers, whileRunning, noChecksum }) => {
    if (!existsSync(path) || statSync(path).isDirectory())
      throw new DatabaseUnusable(`there is no file ${path}`);
    if (!noChecksum) await withProgress("Checking the backup", {}, () => verifyChecksum(path));
    if (database.kind === "sqlite") {
      const growing = { file: `${database.file}.part`, size: statSync(path).size };
      const former = await withProgress("Restoring", growing, () =>
        restoreSqlite(database.file, path),
      );
      return `${database.file} is restored from ${path}.${former === undefined ? "" : ` The former database is now ${former}.`}`;
    }
    if (!whileRunning) await refuseWhileServersRun(database.url);
    if (isSqliteFile(path)) {
      await copyDatabase(path, database.url, { force, onRows: showCount("Copying rows") });
      return `The shop is copied from ${path} to PostgreSQL.`;
    }
    await withProgress("Restoring", {}, () =>
      restorePostgres(database.url, path, { force, dropOthers }),
    );
    return `The database is restored from ${path}.`;
  },
);
