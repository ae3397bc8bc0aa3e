import { readFileSync } from "node:fs";
import BetterSqlite3 from "better-sqlite3";
import { migrateSqlite } from "../../apps/server/src/platform/database/migrate-sqlite.ts";
import { migrationsFor } from "../../apps/server/src/platform/database/migrations.ts";

// Applies an additional migration to a SQLite file, and kills its own process after so many
// statements of it: node die-in-migration.ts shop.db next.sql 2
const [file = "", migration = "", statements = ""] = process.argv.slice(2);
const sqlite = new BetterSqlite3(file);
sqlite.pragma("journal_mode = WAL");
// With a tiny cache, uncommitted pages are written to the disk, as with a migration that does not
// fit into memory.
sqlite.pragma("cache_size = 10");
sqlite.function("die", () => process.kill(process.pid, "SIGKILL"));
const parts = readFileSync(migration, "utf8").split(/(?<=;\n\n)/);
parts.splice(Number(statements), 0, "SELECT die();\n\n");
const released = migrationsFor("sqlite");
const next = { version: released.length + 1, name: "next", sql: parts.join("") };
migrateSqlite(sqlite, [...released, next]);
