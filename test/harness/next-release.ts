import { cp, readFile, symlink, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { databaseKinds } from "./databases.ts";

const root = join(import.meta.dirname, "../..");
const dist = join(root, "apps/server/dist");

/**
 * Writes the server of a later release with an additional migration, `next-release`.
 *
 * @param sql the migration; the same for both kinds of database
 * @returns the entry of the server
 */
export async function writeNextRelease(folder: string, sql: string): Promise<string> {
  const current = await readFile(join(dist, "run.mjs"), "utf8");
  const [, build = ""] = /"\.\/(.+)\/run\.mjs"/.exec(current) ?? [];
  await cp(join(dist, build), join(folder, "next"), { recursive: true });
  for (const { name, migrations } of databaseKinds) {
    const number = String(migrations.length + 1).padStart(3, "0");
    const kind = name === "SQLite" ? "sqlite" : "postgres";
    await writeFile(join(folder, `next/migrations/${number}-next-release.${kind}.sql`), sql);
  }
  await symlink(join(root, "node_modules"), join(folder, "node_modules"));
  const entry = join(folder, "next.mjs");
  await writeFile(
    entry,
    `import { run } from "./next/run.mjs";\nawait run(${JSON.stringify(root)});\n`,
  );
  return entry;
}
