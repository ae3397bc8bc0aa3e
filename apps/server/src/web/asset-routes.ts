import { extname, join } from "node:path";
import { promisify } from "node:util";
import { gunzip } from "node:zlib";
import fastifyStatic from "@fastify/static";
import type { FastifyInstance, FastifyReply, FastifyRequest } from "fastify";
import type { KeptAsset, KeptAssets } from "./kept-assets.ts";

const YEAR = 31_536_000;
/** The content types of files that the build gives hashed names. */
const types: Readonly<Record<string, string>> = {
  ".js": "application/javascript; charset=utf-8",
  ".css": "text/css; charset=utf-8",
  ".woff2": "font/woff2",
};
const HASHED = /^[\w.-]{1,80}-[\w-]{8}\.\w+$/;
/** How many missing assets are logged by name; bounded because anyone may request any name. */
const MAX_LOGGED = 100;

/** Sends the answer for a path that does not exist. */
export type NotFound = (request: FastifyRequest, reply: FastifyReply) => FastifyReply;

interface Assets {
  /** The folder of the built web app. */
  readonly root: string;
  readonly kept: Pick<KeptAssets, "find">;
  readonly notFound: NotFound;
}

/**
 * Serves `/assets/…`, cached without limit: assets of this build from its folder, those of other
 * builds from the database.
 */
export async function assetRoutes(
  app: FastifyInstance,
  { root, kept, notFound }: Assets,
): Promise<void> {
  const logged = new Set<string>();

  async function sendOther(request: FastifyRequest, reply: FastifyReply): Promise<FastifyReply> {
    const [path = ""] = request.url.split(/[?#]/);
    const name = path.replace(/^.*?\/assets\//, "");
    const type = types[extname(name)];
    const isRead = request.method === "GET" || request.method === "HEAD";
    if (!isRead || type === undefined || !HASHED.test(name)) return notFound(request, reply);
    const asset = await kept.find(name);
    if (asset !== undefined) return sendKept(request, reply.type(type), asset);
    if (!logged.has(name) && logged.size < MAX_LOGGED) {
      logged.add(name);
      request.log.warn(
        { asset: name },
        "a page asks for an asset that no server has had for a week",
      );
    }
    return notFound(request, reply);
  }

  await app.register(
    async (assets) => {
      assets.setNotFoundHandler(sendOther);
      await assets.register(fastifyStatic, {
        root: join(root, "assets"),
        prefix: "/",
        preCompressed: true,
        immutable: true,
        maxAge: YEAR * 1000,
        index: false,
        decorateReply: false,
      });
    },
    { prefix: "/assets" },
  );
}

async function sendKept(
  request: FastifyRequest,
  reply: FastifyReply,
  asset: KeptAsset,
): Promise<FastifyReply> {
  reply
    .header("Cache-Control", `public, max-age=${YEAR}, immutable`)
    .header("Vary", "Accept-Encoding");
  if (!asset.gzipped) return reply.send(asset.content);
  if (/\bgzip\b/.test(request.headers["accept-encoding"] ?? ""))
    return reply.header("Content-Encoding", "gzip").send(asset.content);
  return reply.send(await promisify(gunzip)(asset.content));
}
