import { execFileSync } from "node:child_process";
import { readdir, stat } from "node:fs/promises";
import { join } from "node:path";

const root = join(import.meta.dirname, "..");

/** The apps that are built, each into its folder `dist`. */
export const buildParts = ["storefront", "admin", "server"] as const;
export type Part = (typeof buildParts)[number];

/** The file of each build that is replaced last. */
const lastFiles: Record<Part, string> = {
  storefront: "index.html",
  admin: "index.html",
  server: "server.mjs",
};

const shared = ["packages", "package-lock.json"];
const sources: Record<Part, readonly string[]> = {
  storefront: [...shared, "apps/storefront", "catalogue/pictures"],
  admin: [...shared, "apps/admin"],
  server: [...shared, "apps/server"],
};

export function isPart(text: string): text is Part {
  return buildParts.some((part) => part === text);
}

/**
 * Builds the parts that are missing or older than one of their sources, in a separate process,
 * because a build sets NODE_ENV.
 */
export async function buildStaleParts(): Promise<void> {
  const stale: Part[] = [];
  for (const part of buildParts) if (await isStale(part)) stale.push(part);
  if (stale.length === 0) return;
  console.log(`Building: ${stale.join(", ")} …`);
  execFileSync(process.execPath, ["scripts/build.ts", ...stale], { cwd: root, stdio: "inherit" });
}

async function isStale(part: Part): Promise<boolean> {
  const times = await Promise.all(sources[part].map((source) => newest(join(root, source))));
  return Math.max(...times) > (await timeOfBuild(part));
}

/** In milliseconds; 0 if it was never built. */
async function timeOfBuild(part: Part): Promise<number> {
  const last = await stat(join(root, "apps", part, "dist", lastFiles[part])).catch(() => undefined);
  return last?.mtimeMs ?? 0;
}

async function newest(path: string): Promise<number> {
  const stats = await stat(path);
  if (!stats.isDirectory()) return stats.mtimeMs;
  const entries = await readdir(path);
  const inside = entries.filter((name) => name !== "dist" && name !== "node_modules");
  return Math.max(0, ...(await Promise.all(inside.map((name) => newest(join(path, name))))));
}
