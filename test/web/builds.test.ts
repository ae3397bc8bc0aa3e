import { cp, mkdtemp, readdir, readFile, rm, utimes } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, expect, test } from "vitest";
import { putBeside } from "../../scripts/build-web-apps.ts";
import { thisBuild, writeOtherBuild } from "../harness/server-process.ts";
import { startShop } from "../harness/shop.ts";

const WEEK = 7 * 24 * 3_600;
let folder: string;
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), "keepsats-"));
  await writeOtherBuild(join(folder, "old"));
});
afterAll(() => rm(folder, { recursive: true }));

/** The assets to which a page refers. */
async function assetsOf(url: string): Promise<string[]> {
  const html = await (await fetch(url)).text();
  return [...html.matchAll(/\/assets\/[\w.-]+/g)].map(([path]) => path);
}

async function statuses(url: string, paths: readonly string[]): Promise<number[]> {
  return Promise.all(paths.map(async (path) => (await fetch(`${url}${path}`)).status));
}

test("a deployment keeps the old assets for a week", async () => {
  const dist = join(folder, "dist");
  await cp(join(folder, "old"), dist, { recursive: true });
  await using shop = await startShop({ webRoot: dist });
  const old = await assetsOf(shop.url);
  await cp(thisBuild, join(folder, "fresh"), { recursive: true });
  await putBeside(join(folder, "fresh"), dist);
  expect(await assetsOf(shop.url)).toEqual(old);
  expect(new Set(await statuses(shop.url, old))).toEqual(new Set([200]));
  expect(await readdir(join(dist, "assets"))).toContain(old[0]?.replace("/assets/", ""));

  await shop.restart();
  const present = await assetsOf(shop.url);
  expect(present).not.toEqual(old);
  expect(new Set(await statuses(shop.url, [...old, ...present]))).toEqual(new Set([200]));

  const then = Date.now() / 1000 - WEEK - 60;
  for (const path of [...old, ...present]) await utimes(join(dist, path), then, then);
  await cp(thisBuild, join(folder, "again"), { recursive: true });
  await putBeside(join(folder, "again"), dist);
  const left = await readdir(join(dist, "assets"));
  expect(old.filter((path) => left.includes(path.replace("/assets/", "")))).toEqual([]);
  expect(present.filter((path) => !left.includes(path.replace("/assets/", "")))).toEqual([]);
});

test("a server serves the assets of another server's build", async () => {
  await using one = await startShop({ webRoot: join(folder, "old") });
  const database = { kind: "sqlite", file: join(one.folder, "shop.db") } as const;
  await using other = await startShop({ config: { database } });
  for (const path of await assetsOf(other.url)) {
    const [own, kept, plain] = await Promise.all([
      fetch(`${other.url}${path}`),
      fetch(`${one.url}${path}`, { headers: { "accept-encoding": "gzip" } }),
      fetch(`${one.url}${path}`, { headers: { "accept-encoding": "identity" } }),
    ]);
    expect([kept.status, plain.status]).toEqual([200, 200]);
    for (const name of ["content-type", "cache-control"])
      expect(kept.headers.get(name)).toBe(own.headers.get(name));
    expect(kept.headers.get("content-encoding")).toBe(path.endsWith(".woff2") ? null : "gzip");
    expect(plain.headers.get("content-encoding")).toBeNull();
    const content = await own.text();
    expect(await kept.text()).toBe(content);
    expect(await plain.text()).toBe(content);
  }
  const old = {
    name: "index-old-1234.js",
    content: Buffer.from(""),
    gzipped: 0,
    used_at: Date.now(),
  };
  await one.database.db
    .insertInto("web_assets")
    .values([old, { ...old, name: "index-old-5678.js", used_at: old.used_at - (WEEK + 60) * 1000 }])
    .execute();
  await one.restart();
  const ofLate = ["/assets/index-old-1234.js", "/assets/index-old-5678.js"];
  expect(await statuses(one.url, ofLate)).toEqual([200, 404]);

  const missing = ["/assets/index-abcd1234.js", "/assets/nonsense"];
  expect(await statuses(one.url, missing)).toEqual([404, 404]);
});

test("the chunk of a lazy component imports the entry chunk only, so a retry loads it from a new address", async () => {
  const html = await readFile(join(thisBuild, "index.html"), "utf8");
  const atStart = [...html.matchAll(/assets\/([\w.-]+\.js)/g)].map(([, file]) => file ?? "");
  const list: unknown = JSON.parse(await readFile(join(thisBuild, "files.json"), "utf8"));
  const chunks = (Array.isArray(list) ? list.map(String) : []).filter((file) =>
    /assets\/.*\.js$/.test(file),
  );
  expect(chunks.length).toBeGreaterThan(atStart.length);
  for (const chunk of chunks) {
    const code = await readFile(join(thisBuild, chunk), "utf8");
    const imported = [...code.matchAll(/\b(?:from|import)\s*["']\.\/([\w.-]+\.js)["']/g)].map(
      ([, file]) => file ?? "",
    );
    for (const file of imported)
      expect(atStart, `what ${chunk} imports: see vite.config.ts`).toContain(file);
  }
});
