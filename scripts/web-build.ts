import { readdir, stat } from "node:fs/promises";
import { join } from "node:path";

const root = join(import.meta.dirname, "..");
const sources = [
  "apps/web",
  "packages/domain/src",
  "packages/protocol/src",
  "catalogue/pictures",
  "package-lock.json",
];

/** Whether the built web app is missing or older than one of its sources. */
export async function buildIsStale(): Promise<boolean> {
  const built = await stat(join(root, "apps/web/dist/index.html")).catch(() => undefined);
  if (built === undefined) return true;
  const times = await Promise.all(sources.map((source) => newest(join(root, source))));
  return Math.max(...times) > built.mtimeMs;
}

async function newest(path: string): Promise<number> {
  const stats = await stat(path);
  if (!stats.isDirectory()) return stats.mtimeMs;
  const entries = await readdir(path);
  const inside = entries.filter((name) => name !== "dist" && name !== "node_modules");
  return Math.max(0, ...(await Promise.all(inside.map((name) => newest(join(path, name))))));
}
