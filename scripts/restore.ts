import { existsSync, statSync } from "node:fs";
import { DatabaseUnusable } from "../apps/server/src/platform/database/database.ts";
import { verifyChecksum } from "./backup/checksum.ts";
import { copyDatabase, isSqliteFile } from "./backup/copy-database.ts";
import { runDatabaseTask } from "./backup/database-task.ts";
import { refuseWhileServersRun } from "./backup/postgres-tools.ts";
import { restorePostgres } from "./backup/restore-postgres.ts";
import { restoreSqlite } from "./backup/sqlite.ts";
import { showCount, withProgress } from "./progress.ts";

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
