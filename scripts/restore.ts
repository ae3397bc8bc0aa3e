import { existsSync, statSync } from "node:fs";
import { verifyChecksum } from "../apps/server/src/db/backup-checksum.ts";
import { restoreSqlite } from "../apps/server/src/db/backup-sqlite.ts";
import { carryOver, isSqliteFile } from "../apps/server/src/db/carry-over.ts";
import { DatabaseUnusable } from "../apps/server/src/db/database.ts";
import { runDatabaseTask } from "./database-setting.ts";
import { refuseWhileServersRun } from "./postgres-tools.ts";
import { showCount, showingGrowth } from "./progress.ts";
import { restorePostgres } from "./restore-postgres.ts";

await runDatabaseTask(
  "from",
  async ({ database, path, force, dropOthers, whileRunning, noChecksum }) => {
    if (!existsSync(path) || statSync(path).isDirectory())
      throw new DatabaseUnusable(`there is no file ${path}`);
    if (!noChecksum) await showingGrowth("Checking the backup", {}, () => verifyChecksum(path));
    if (database.kind === "sqlite") {
      const growing = { file: `${database.file}.part`, size: statSync(path).size };
      const former = await showingGrowth("Restoring", growing, () =>
        restoreSqlite(database.file, path),
      );
      return `${database.file} is as it was in ${path}.${former === undefined ? "" : ` What was there is now ${former}.`}`;
    }
    if (!whileRunning) await refuseWhileServersRun(database.url);
    if (isSqliteFile(path)) {
      await carryOver(path, database.url, { force, onRows: showCount("Carrying over rows") });
      return `The shop is carried over from ${path} to PostgreSQL.`;
    }
    await showingGrowth("Restoring", {}, () =>
      restorePostgres(database.url, path, { force, dropOthers }),
    );
    return `The database is as it was in ${path}.`;
  },
);
