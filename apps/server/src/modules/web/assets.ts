import { readdir, readFile } from "node:fs/promises";
import { extname, join } from "node:path";
import { promisify } from "node:util";
import { gunzip } from "node:zlib";
import fastifyStatic from "@fastify/static";
import type { FastifyInstance, FastifyReply, FastifyRequest } from "fastify";
import type { Database, Queries } from "../../platform/database/database.ts";
import { DAY, SECOND, YEAR } from "../../platform/scheduling/clock.ts";

/** The `Cache-Control` of a file whose address changes with its content. */
export const IMMUTABLE = `public, max-age=${YEAR / SECOND}, immutable`;

/** Content types of the files with hashed names. */
const contentTypes: Readonly<Record<string, string>> = {
  ".js": "application/javascript; charset=utf-8",
  ".css": "text/css; charset=utf-8",
  ".woff2": "font/woff2",
};
const HASHED = /^[\w.-]{1,80}-[\w-]{8}\.\w+$/;

/** Answers a request for an unknown path. */
export type NotFound = (request: FastifyRequest, reply: FastifyReply) => FastifyReply;

interface Options {
  /** The folder of the built storefront. */
  readonly root: string;
  readonly assets: Pick<AssetStore, "find">;
  readonly notFound: NotFound;
}

/**
 * Serves `/assets/…`, cached without limit: assets of this build from its folder, and assets
 * of other builds from the database.
 */
export async function assetRoutes(
  app: FastifyInstance,
  { root, assets, notFound }: Options,
): Promise<void> {
  async function sendStored(request: FastifyRequest, reply: FastifyReply): Promise<FastifyReply> {
    const [path = ""] = request.url.split(/[?#]/);
    const name = path.replace(/^.*?\/assets\//, "");
    const type = contentTypes[extname(name)];
    const isRead = request.method === "GET" || request.method === "HEAD";
    if (!isRead || type === undefined || !HASHED.test(name)) return notFound(request, reply);
    const asset = await assets.find(name);
    return asset === undefined ? notFound(request, reply) : send(request, reply.type(type), asset);
  }

  await app.register(
    async (scope) => {
      scope.setNotFoundHandler(sendStored);
      await scope.register(fastifyStatic, {
        root: join(root, "assets"),
        prefix: "/",
        preCompressed: true,
        immutable: true,
        maxAge: YEAR,
        index: false,
        decorateReply: false,
      });
    },
    { prefix: "/assets" },
  );
}

async function send(
  request: FastifyRequest,
  reply: FastifyReply,
  asset: StoredAsset,
): Promise<FastifyReply> {
  reply.header("Cache-Control", IMMUTABLE).header("Vary", "Accept-Encoding");
  if (!asset.gzipped) return reply.send(asset.content);
  if (/\bgzip\b/.test(request.headers["accept-encoding"] ?? ""))
    return reply.header("Content-Encoding", "gzip").send(asset.content);
  return reply.send(await promisify(gunzip)(asset.content));
}

/**
 * An asset is deleted after this time without a server that has it in its build, in milliseconds.
 */
const KEPT_FOR = 7 * DAY;

interface StoredAsset {
  readonly content: Buffer;
  readonly gzipped: boolean;
}

export type AssetStore = Awaited<ReturnType<typeof createAssetStore>>;

interface StoreOptions {
  readonly database: Pick<Database, "db" | "now">;
  /** The folder of the built storefront. */
  readonly root: string;
  readonly onError: (error: unknown) => void;
}

/**
 * Stores the assets of the folder now and once a day, and finds those of all recent builds. During a
 * rolling upgrade, and as long as a tab stays open after it, a page of one build may request its
 * files from a server with another build.
 */
export async function createAssetStore({ database, root, onError }: StoreOptions) {
  const { db, now } = database;
  const files = await readdir(join(root, "assets")).catch((error) => {
    onError(error);
    return [];
  });
  const names = files.filter((name) => !/\.(?:br|gz)$/.test(name));
  const store = () => storeInUse(db, { root, names, at: now() }).catch(onError);
  await store();
  const daily = setInterval(store, DAY);
  daily.unref();
  return {
    /** Finds an asset by its name, such as `index-R_ixozPu.css`. */
    find: (name: string) => findAsset(db, name),
    close: () => clearInterval(daily),
  };
}

/**
 * Updates when these assets were last in use, stores missing ones, and deletes those that were not
 * in use for {@link KEPT_FOR}.
 */
async function storeInUse(
  db: Queries,
  { root, names, at }: { root: string; names: readonly string[]; at: number },
): Promise<void> {
  if (names.length === 0) return;
  const updated = await db
    .updateTable("web_assets")
    .set({ used_at: at })
    .where("name", "in", [...names])
    .returning("name")
    .execute();
  const stored = new Set(updated.map(({ name }) => name));
  const missing = names.filter((name) => !stored.has(name));
  const assets = await Promise.all(missing.map((name) => readAsset(root, name)));
  const rows = assets.flatMap((asset) => (asset === undefined ? [] : { ...asset, used_at: at }));
  if (rows.length > 0)
    await db
      .insertInto("web_assets")
      .values(rows)
      .onConflict((conflict) => conflict.doNothing())
      .execute();
  await db
    .deleteFrom("web_assets")
    .where("used_at", "<", at - KEPT_FOR)
    .execute();
}

/** @returns `undefined` if a later build has deleted the file */
async function readAsset(root: string, name: string) {
  const file = join(root, "assets", name);
  const gzipped = await readFile(`${file}.gz`).catch(() => undefined);
  if (gzipped !== undefined) return { name, content: gzipped, gzipped: 1 };
  const content = await readFile(file).catch(() => undefined);
  return content === undefined ? undefined : { name, content, gzipped: 0 };
}

async function findAsset(db: Queries, name: string): Promise<StoredAsset | undefined> {
  const row = await db
    .selectFrom("web_assets")
    .select(["content", "gzipped"])
    .where("name", "=", name)
    .executeTakeFirst();
  return row && { content: row.content, gzipped: row.gzipped === 1 };
}
