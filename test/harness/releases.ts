import { cp, readdir, readFile, rename, rm, symlink, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { migrationsFor } from "../../apps/server/src/db/migrations.ts";

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
  for (const kind of ["sqlite", "postgres"] as const) {
    const number = String(migrationsFor(kind).length + 1).padStart(3, "0");
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

/** The folder of the web app's build that the tests serve. */
export const thisBuild = join(import.meta.dirname, "../../apps/web/dist");

/**
 * Writes a build that works like this one but has other names for all its assets, like the build of
 * another release.
 *
 * @param to a folder that does not exist yet
 */
export async function writeOtherBuild(to: string): Promise<void> {
  await cp(thisBuild, to, { recursive: true });
  const list: unknown = JSON.parse(await readFile(join(thisBuild, "files.json"), "utf8"));
  const files = Array.isArray(list) ? list.map(String) : [];
  const renamed = new Map(files.flatMap((file) => otherName(file.replace(/^.*\//, ""))));
  const replaced = (text: string) =>
    text.replace(/[\w-]+\.(?:js|css|woff2)\b/g, (name) => renamed.get(name) ?? name);
  const assets = join(to, "assets");
  for (const name of await readdir(assets)) {
    const other = renamed.get(name);
    if (other === undefined) await rm(join(assets, name));
    else await rename(join(assets, name), join(assets, other));
  }
  const texts = [...renamed.values()].filter((name) => !name.endsWith(".woff2"));
  for (const file of ["index.html", ...texts.map((name) => `assets/${name}`)]) {
    const path = join(to, file);
    await writeFile(path, replaced(await readFile(path, "utf8")));
  }
  const plain = files.filter((file) => !/^assets\/.*\.(?:br|gz)$/.test(file));
  await writeFile(join(to, "files.json"), replaced(JSON.stringify(plain)));
}

/** The name with its hash reversed. */
function otherName(name: string): [string, string][] {
  const [, stem, hash = "", type] = /^(.+)-([\w-]{8})\.(js|css|woff2)$/.exec(name) ?? [];
  if (stem === undefined) return [];
  return [[name, `${stem}-${[...hash].reverse().join("")}.${type}`]];
}
