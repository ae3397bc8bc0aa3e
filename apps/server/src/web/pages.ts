import { join } from "node:path";
import fastifyStatic from "@fastify/static";
import { cardPictureSizes, srcSetOf } from "@keepsats/domain";
import type { FastifyInstance, FastifyReply, FastifyRequest } from "fastify";
import { pickEncoding } from "../http/content-encoding.ts";
import { loopbackRedirect } from "../http/loopback.ts";
import type { ReadPictureFile } from "../pictures/recent-files.ts";
import type { ShopSettingsReader } from "../shop/shop-settings.ts";
import { assetRoutes, type NotFound } from "./asset-routes.ts";
import { createPages, type MachineSettings } from "./current-pages.ts";
import type { KeptAssets } from "./kept-assets.ts";
import { keptPictureRoute } from "./kept-pictures.ts";
import { type ReadyPage, readTemplate } from "./page-template.ts";

const HOUR = 3_600_000;
/** What stands beside the page under a name of its own. */
const ownFiles = ["favicon.svg", "touch-icon.png", "share.png", "robots.txt"];

interface Web {
  /** The folder that the build wrote. */
  readonly root: string;
  readonly machine: MachineSettings;
  readonly settings: Pick<ShopSettingsReader, "current">;
  readonly publicUrl: string;
  /**
   * The address of the picture that the shop page shows first; `undefined` for an empty catalogue.
   */
  readonly firstPicture: () => string | undefined;
  readonly keptAssets: Pick<KeptAssets, "find">;
  readonly readPicture: ReadPictureFile;
  readonly notFound: NotFound;
}

/**
 * Serves the built web app: `/assets` cached without limit, `/pictures` for an hour, and for every
 * other path the page (`index.html`), which is never cached, and which proxies may not rewrite,
 * because the hashes of its style and script would no longer match. The build's page is read once,
 * at the start, so that it fits the running server even when the app is built again; the shop
 * settings in it are those of the moment.
 *
 * @throws {WebNotBuilt} when `root` has no build
 */
export async function servePages(
  app: FastifyInstance,
  { root, machine, settings, publicUrl, firstPicture, keptAssets, readPicture, notFound }: Web,
): Promise<void> {
  const currentPages = createPages(await readTemplate(root), {
    machine,
    settings,
    publicUrl,
    firstPicture,
  });
  await assetRoutes(app, { root, kept: keptAssets, notFound });
  keptPictureRoute(app, { readPicture, notFound });
  await app.register(fastifyStatic, {
    root: join(root, "pictures"),
    prefix: "/pictures/",
    preCompressed: true,
    maxAge: HOUR,
    index: false,
    // The desk, which has another origin, shows them too.
    setHeaders: (reply) => reply.header("Cross-Origin-Resource-Policy", "cross-origin"),
  });
  for (const name of ownFiles) {
    app.get(`/${name}`, (_request, reply) =>
      reply.sendFile(name, root, { maxAge: HOUR, immutable: false }),
    );
  }
  app.get("/*", (request, reply) => {
    if (!isPage(request.url)) return reply.callNotFound();
    const elsewhere = loopbackRedirect(request, publicUrl);
    if (elsewhere !== undefined) return reply.redirect(elsewhere, 307);
    const path = pathOf(request.url);
    // A search shows other products first.
    const isSearch = /[?&](?:q|sort)=/.test(request.url);
    if (path === "/" && !isSearch) preload(reply, firstPicture(), publicUrl);
    const pages = currentPages();
    reply.header("Content-Security-Policy", pages.policy);
    return sendPage(request, reply, pages.at(isSearch ? "search" : path));
  });
}

/** Whether a URL may be a page of the app: it is not below `/api`, `/assets` or `/pictures`. */
export function isPage(url: string): boolean {
  return !/^\/+(?:api|assets|pictures)(?:[/?]|$)/.test(decoded(url));
}

function decoded(url: string): string {
  try {
    return decodeURIComponent(url).replaceAll("\\", "/");
  } catch {
    return url;
  }
}

/**
 * The path of a page as the web app's links have it: `/Checkout//?a=b` is `/checkout`. A regular
 * expression for the slashes would take quadratic time.
 */
function pathOf(url: string): string {
  const [path = ""] = url.split("?");
  let end = path.length;
  while (end > 1 && path[end - 1] === "/") end -= 1;
  return path.slice(0, end).toLowerCase();
}

/** Has the browser fetch a picture at once: the page's script would ask for it much later. */
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
