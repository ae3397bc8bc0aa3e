import { cardPictureSizes, srcSetOf } from "@keepsats/domain";
import type { FastifyInstance, FastifyReply, FastifyRequest } from "fastify";
import { pickEncoding } from "../../platform/http/content-encoding.ts";
import { HOUR } from "../../platform/scheduling/clock.ts";
import type { ReadPictureFile } from "../catalogue/index.ts";
import type { ShopSettingsReader } from "../settings/index.ts";
import { type AssetStore, assetRoutes, type NotFound } from "./assets.ts";
import { isPage, loopbackRedirect, pagePath } from "./page-request.ts";
import { createPages, type ReadyPage, readTemplate, type ServerConfig } from "./page-template.ts";
import { pictureRoutes } from "./picture-routes.ts";

const rootFiles = ["favicon.svg", "touch-icon.png", "share.png", "robots.txt"];

interface Options {
  /** The folder of the built storefront. */
  readonly root: string;
  readonly serverConfig: ServerConfig;
  readonly settings: Pick<ShopSettingsReader, "current">;
  readonly publicUrl: string;
  /** The URL of the first picture on the shop page; `undefined` for an empty catalogue. */
  readonly firstPicture: () => string | undefined;
  readonly assets: Pick<AssetStore, "find">;
  readonly readPicture: ReadPictureFile;
  readonly notFound: NotFound;
}

/**
 * Serves the built storefront: assets, pictures, and the page (`index.html`) for every other path.
 * The page is never cached. Proxies must not rewrite it, because the hashes of its inline elements
 * would no longer match. It is read once, at the start, so that it fits the running server even if
 * the storefront is built again.
 *
 * @throws {WebNotBuilt} if `root` has no build
 */
export async function storefrontPages(app: FastifyInstance, options: Options): Promise<void> {
  const { root, serverConfig, settings, publicUrl, firstPicture } = options;
  const { assets, readPicture, notFound } = options;
  const currentPages = createPages(await readTemplate(root), {
    serverConfig,
    settings,
    publicUrl,
    firstPicture,
  });
  await assetRoutes(app, { root, assets, notFound });
  await pictureRoutes(app, { root, readPicture, notFound });
  for (const name of rootFiles) {
    app.get(`/${name}`, (_request, reply) =>
      reply.sendFile(name, root, { maxAge: HOUR, immutable: false }),
    );
  }
  app.get("/*", (request, reply) => {
    if (!isPage(request.url)) return reply.callNotFound();
    const redirect = loopbackRedirect(request, publicUrl);
    if (redirect !== undefined) return reply.redirect(redirect, 307);
    const path = pagePath(request.url);
    // A search has other products first.
    const isSearch = /[?&](?:q|sort)=/.test(request.url);
    if (path === "/" && !isSearch) preload(reply, firstPicture(), publicUrl);
    const pages = currentPages();
    reply.header("Content-Security-Policy", pages.policy);
    return sendPage(request, reply, pages.at(isSearch ? "search" : path));
  });
}

/** Starts the download of a picture before the script of the page requests it. */
function preload(reply: FastifyReply, picture: string | undefined, publicUrl: string): void {
  const url = picture === undefined ? null : URL.parse(picture, publicUrl);
  if (url === null) return;
  const { href, origin, pathname, search } = url;
  const address = origin === new URL(publicUrl).origin ? pathname + search : href;
  const srcSet = srcSetOf(address);
  const sizes =
    srcSet === undefined ? "" : `; imagesrcset="${srcSet}"; imagesizes="${cardPictureSizes}"`;
  reply.header("Link", `<${address}>; rel=preload; as=image; fetchpriority=high${sizes}`);
}

async function sendPage(
  request: FastifyRequest,
  reply: FastifyReply,
  page: ReadyPage,
): Promise<FastifyReply> {
  const encoding = pickEncoding(request.headers["accept-encoding"]);
  const body = await page(encoding);
  if (encoding !== undefined) reply.header("Content-Encoding", encoding);
  return reply
    .type("text/html; charset=utf-8")
    .header("Cache-Control", "no-store, no-transform")
    .header("Vary", "Accept-Encoding")
    .send(body);
}
