import BetterSqlite3 from "better-sqlite3";
import { migrateSqlite } from "../../apps/server/src/db/migrate-sqlite.ts";
import { migrationsFor } from "../../apps/server/src/db/migrations.ts";

// Migrates a SQLite file to a version, and kills its own process after so many statements of the
// last migration: node die-in-migration.ts shop.db 4 2
const [file = "", version = "", statements = ""] = process.argv.slice(2);
const sqlite = new BetterSqlite3(file);
sqlite.pragma("journal_mode = WAL");
// With a tiny cache, uncommitted pages are written to the disk, as with a migration that does not
// fit into memory.
sqlite.pragma("cache_size = 10");
sqlite.function("die", () => process.kill(process.pid, "SIGKILL"));
const migrations = migrationsFor("sqlite").slice(0, Number(version));
const last = migrations.pop();
if (last === undefined) throw new Error(`there is no migration to version ${version}`);
const parts = last.sql.split(/(?<=;\n)/);
parts.splice(Number(statements), 0, "SELECT die();\n");
migrateSqlite(sqlite, [...migrations, { ...last, sql: parts.join("") }]);
