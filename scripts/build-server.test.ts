import { mkdir, mkdtemp, readdir, readFile, rm, stat, utimes, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { basename, join } from "node:path";
import { afterAll, beforeAll, expect, test } from "vitest";
import { buildServer, currentCommit } from "./build-server.ts";

const WEEK = 7 * 24 * 3_600_000;
const migrations = join(import.meta.dirname, "../apps/server/src/platform/database/migrations");

let dist: string;
beforeAll(async () => {
  dist = await mkdtemp(join(tmpdir(), "keepsats-build-"));
  await buildServer(dist);
}, 60_000);
afterAll(() => rm(dist, { recursive: true }));

/** The folder that the entry of the build loads. */
async function current(): Promise<string> {
  const entry = await readFile(join(dist, "server.mjs"), "utf8");
  return join(dist, /"\.\/([\w-]+)\/server\.mjs"/.exec(entry)?.[1] ?? "");
}

test("a build has the migrations with which it was built", async () => {
  expect(await readdir(join(await current(), "migrations"))).toEqual(await readdir(migrations));
});

test("a build names its Git commit, or GIT_COMMIT if that is set", async () => {
  const { commit } = await import(join(dist, "server.mjs"));
  expect(commit).toBe(currentCommit());
  expect(currentCommit({})).toMatch(/^[0-9a-f]{12}(-dirty)?$/);
  expect(currentCommit({ GIT_COMMIT: "passed" })).toBe("passed");
});

test("another user may read a build", async () => {
  expect((await stat(await current())).mode & 0o005).toBe(0o005);
});

test("V8 keeps every file of a build with one byte for each character", async () => {
  const folder = await current();
  const files = (await readdir(folder)).filter((name) => name.endsWith(".mjs"));
  const codes = await Promise.all(files.map((name) => readFile(join(folder, name), "utf8")));
  expect(codes.filter((code) => /[^\0-\x7f]/.test(code))).toEqual([]);
});

test("a build that was replaced is kept for a week", async () => {
  const made = await current();
  const longAgo = (Date.now() - WEEK - 60_000) / 1000;
  for (const name of ["replaced-now", "replaced-long-ago"]) {
    await mkdir(join(dist, name));
    await utimes(join(dist, name), longAgo, longAgo);
  }
  await writeFile(join(dist, "server.mjs"), 'export { run } from "./replaced-now/server.mjs";\n');
  await buildServer(dist);
  expect(await current()).toBe(made);
  expect((await readdir(dist)).sort()).toEqual(
    [basename(made), "replaced-now", "server.mjs"].sort(),
  );
});
