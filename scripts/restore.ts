import { statSync } from "node:fs";
import { parseArgs } from "node:util";
import { DatabaseUnusable } from "../apps/server/src/platform/database/database.ts";
import { verifyChecksum } from "./backup/backup-file.ts";
import { copyDatabase, isSqliteFile } from "./backup/copy-database.ts";
import { requirePath, runDatabaseTask } from "./backup/database-task.ts";
import { refuseWhileServersRun } from "./backup/postgres-tools.ts";
import { restorePostgres } from "./backup/restore-postgres.ts";
import { restoreSqlite } from "./backup/sqlite.ts";

await runDatabaseTask(async (database) => {
  const { values } = parseArgs({
    options: {
      from: { type: "string" },
      // Replaces existing data.
      force: { type: "boolean", default: false },
      // Drops unknown tables.
      "drop-others": { type: "boolean", default: false },
      // Restores while servers are connected.
      "while-running": { type: "boolean", default: false },
      "no-checksum": { type: "boolean", default: false },
    },
  });
  const { force, "drop-others": dropOthers } = values;
  const from = requirePath("from", values.from);
  if (statSync(from, { throwIfNoEntry: false })?.isFile() !== true)
    throw new DatabaseUnusable(`there is no file ${from}`);
  if (!values["no-checksum"]) await verifyChecksum(from);
  if (database.kind === "sqlite") {
    const former = await restoreSqlite(database.file, from);
    return `${database.file} is restored from ${from}.${former === undefined ? "" : ` The former database is now ${former}.`}`;
  }
  if (!values["while-running"]) await refuseWhileServersRun(database.url);
  if (await isSqliteFile(from)) {
    await copyDatabase(from, database.url, force);
    return `The shop is copied from ${from} to PostgreSQL.`;
  }
  await restorePostgres(database.url, from, { force, dropOthers });
  return `The database is restored from ${from}.`;
});
