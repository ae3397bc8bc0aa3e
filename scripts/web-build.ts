import { readdir, stat } from "node:fs/promises";
import { join } from "node:path";

const root = join(import.meta.dirname, "..");
const sources = [
  "apps/web",
  "apps/desk",
  "packages/ui/src",
  "packages/domain/src",
  "packages/protocol/src",
  "catalogue/pictures",
  "package-lock.json",
];

/** Whether the built web app or the built desk is missing or older than one of their sources. */
export async function buildIsStale(): Promise<boolean> {
  const times = await Promise.all(sources.map((source) => newest(join(root, source))));
  const built = await Promise.all(["apps/web", "apps/desk"].map(timeOfBuild));
  return Math.max(...times) > Math.min(...built);
}

/** When an app was built, in milliseconds; 0 for never. */
async function timeOfBuild(app: string): Promise<number> {
  const page = await stat(join(root, app, "dist/index.html")).catch(() => undefined);
  return page?.mtimeMs ?? 0;
}

async function newest(path: string): Promise<number> {
  const stats = await stat(path);
  if (!stats.isDirectory()) return stats.mtimeMs;
  const entries = await readdir(path);
  const inside = entries.filter((name) => name !== "dist" && name !== "node_modules");
  return Math.max(0, ...(await Promise.all(inside.map((name) => newest(join(path, name))))));
}
