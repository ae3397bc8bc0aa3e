import { readFile } from "node:fs/promises";
import { join } from "node:path";
import type { FastifyBaseLogger } from "fastify";
import * as z from "zod/mini";
import type { Clock } from "../clock.ts";
import type { Queries } from "../db/database.ts";
import { padded, readInGroups } from "../db/in-groups.ts";

const DAY = 24 * 3_600_000;
/** How long an asset is kept after a server last had it in its build, in milliseconds. */
const KEPT = 7 * DAY;
/** The file in which a build lists its files. */
const LIST = "files.json";

/** A file of the web app, as stored in the database. */
export interface KeptAsset {
  readonly content: Buffer;
  readonly gzipped: boolean;
}

/**
 * The assets of all recent builds, in the database. During a rolling upgrade, and as long as a tab
 * stays open afterwards, a page of one build may request its files from a server with another
 * build.
 */
export interface KeptAssets {
  /** @param name such as `index-R_ixozPu.css` */
  find(name: string): Promise<KeptAsset | undefined>;
  close(): void;
}

interface Options {
  readonly db: Queries;
  /** The folder of the built web app. */
  readonly root: string;
  readonly now: Clock;
  readonly log: Pick<FastifyBaseLogger, "warn">;
  readonly onError: (error: unknown) => void;
}

/**
 * Stores the assets of this build, now and again once a day, and finds those that other servers
 * have stored.
 */
export async function keepAssets({ db, root, now, log, onError }: Options): Promise<KeptAssets> {
  const files = await listedFiles(root);
  if (files === undefined)
    log.warn(
      { file: join(root, LIST) },
      "the build's list of files is broken: its assets are not kept for others",
    );
  const names = assetsAmong(files ?? []);
  const keep = () => keepInUse(db, { root, names, at: now() }).catch(onError);
  await keep();
  const daily = setInterval(keep, DAY);
  daily.unref();
  return {
    find: readInGroups((wanted: readonly string[]) => findAssets(db, wanted)),
    close: () => clearInterval(daily),
  };
}

/** The files in the build's list; `undefined` when the list is invalid. */
async function listedFiles(root: string): Promise<string[] | undefined> {
  const json = await readFile(join(root, LIST), "utf8").catch(() => "[]");
  try {
    return z.array(z.string()).parse(JSON.parse(json));
  } catch {
    return undefined;
  }
}

/** The names of the assets; compressed copies (`.br`, `.gz`) are left out. */
function assetsAmong(files: readonly string[]): string[] {
  return files.flatMap((file) => /^assets[/\\](.+(?<!\.br|\.gz))$/.exec(file)?.[1] ?? []);
}

interface InUse {
  readonly root: string;
  readonly names: readonly string[];
  readonly at: number;
}

/**
 * Updates when these assets were last in use, stores missing ones, and deletes those that were not
 * in use for a week.
 */
async function keepInUse(db: Queries, { root, names, at }: InUse): Promise<void> {
  if (names.length === 0) return;
  const known = await db
    .updateTable("web_assets")
    .set({ used_at: at })
    .where("name", "in", [...names])
    .returning("name")
    .execute();
  const there = new Set(known.map(({ name }) => name));
  await add(db, { root, names: names.filter((name) => !there.has(name)), at });
  await db
    .deleteFrom("web_assets")
    .where("used_at", "<", at - KEPT)
    .execute();
}

async function add(db: Queries, { root, names, at }: InUse): Promise<void> {
  const assets = await Promise.all(
    names.map(async (name) => ({ name, asset: await readAsset(join(root, "assets", name)) })),
  );
  const rows = assets.flatMap(({ name, asset }) =>
    asset === undefined
      ? []
      : [{ name, content: asset.content, gzipped: asset.gzipped ? 1 : 0, used_at: at }],
  );
  if (rows.length === 0) return;
  await db
    .insertInto("web_assets")
    .values(rows)
    .onConflict((conflict) => conflict.doNothing())
    .execute();
}

/** Reads an asset from the build's folder; `undefined` when a later build has deleted it. */
async function readAsset(file: string): Promise<KeptAsset | undefined> {
  const gzipped = await readFile(`${file}.gz`).catch(() => undefined);
  if (gzipped !== undefined) return { content: gzipped, gzipped: true };
  const content = await readFile(file).catch(() => undefined);
  return content === undefined ? undefined : { content, gzipped: false };
}

async function findAssets(db: Queries, names: readonly string[]): Promise<Map<string, KeptAsset>> {
  const rows = await db
    .selectFrom("web_assets")
    .select(["name", "content", "gzipped"])
    .where("name", "in", padded([...new Set(names)]))
    .execute();
  return new Map(
    rows.map(({ name, content, gzipped }) => [name, { content, gzipped: gzipped === 1 }]),
  );
}
