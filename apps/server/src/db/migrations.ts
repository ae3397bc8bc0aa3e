import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";

/** One step of the database's history; steps are never edited, only added. */
export interface Migration {
  readonly version: number;
  readonly name: string;
  readonly sql: string;
}

const folder = join(import.meta.dirname, "migrations");

/** All migrations for a kind of database, oldest first; version N is the Nth of them. */
export function migrationsFor(kind: "sqlite"): Migration[] {
  const pattern = new RegExp(`^(\\d{3})-([a-z-]+)\\.${kind}\\.sql$`);
  return readdirSync(folder)
    .sort()
    .flatMap((file) => {
      const match = pattern.exec(file);
      return match === null ? [] : [{ file, version: Number(match[1]), name: match[2] ?? "" }];
    })
    .map(({ file, version, name }, index) => {
      if (version !== index + 1) throw new Error(`migration ${file} is out of order`);
      return { version, name, sql: readFileSync(join(folder, file), "utf8") };
    });
}
