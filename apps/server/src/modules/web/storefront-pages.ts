import { cardPictureSizes, dialogPictureSizes, srcSetOf } from "@keepsats/domain";
import type { FastifyInstance, FastifyReply } from "fastify";
import type { Queries } from "../../platform/database/database.ts";
import { HOUR } from "../../platform/scheduling/clock.ts";
import { findItem, findShownGroup } from "../catalogue/index.ts";
import { type AssetStore, assetRoutes, type NotFound } from "./assets.ts";
import { idIn, isPage, loopbackRedirect, pagePath } from "./page-request.ts";
import { createPages, type PagesOptions, readTemplate } from "./page-template.ts";
import { pictureRoutes } from "./picture-routes.ts";
import { sendReady } from "./ready-page.ts";
import { searchEngineRoutes } from "./search-engines.ts";

const rootFiles = ["favicon.svg", "touch-icon.png", "share.png"];

export interface StorefrontOptions extends PagesOptions {
  /** The folder of the built storefront. */
  readonly root: string;
}

interface Options extends StorefrontOptions {
  readonly db: Queries;
  readonly assets: Pick<AssetStore, "find">;
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
  const { root, db, assets, notFound, catalogue } = options;
  const { publicUrl } = options.config;
  const currentPages = createPages(await readTemplate(root), options);
  await assetRoutes(app, { root, assets, notFound });
  await pictureRoutes(app, { root, db, notFound });
  for (const name of rootFiles) {
    app.get(`/${name}`, (_request, reply) =>
      reply.sendFile(name, root, { maxAge: HOUR, immutable: false }),
    );
  }
  searchEngineRoutes(app, publicUrl, catalogue);
  app.get("/*", async (request, reply) => {
    if (!isPage(request.url)) return reply.callNotFound();
    const redirect = loopbackRedirect(request, publicUrl);
    if (redirect !== undefined) return reply.redirect(redirect, 307);
    const path = pagePath(request.url);
    // A search has other items first.
    const isSearch = /[?&](?:q|sort)=/.test(request.url);
    const itemId = path === "/" ? idIn(request.url, "item") : undefined;
    // Without the database the page is served too, and says that the items failed to load.
    const found = itemId && (await findShown(db, itemId).catch(() => undefined));
    const pages = currentPages();
    reply
      .type("text/html; charset=utf-8")
      .header("Cache-Control", "no-store, no-transform")
      .header("Content-Security-Policy", pages.policy);
    if (found) {
      preload(reply, found.item.image_url, { publicUrl, sizes: dialogPictureSizes });
      return sendReady(request, reply, pages.ofItem(found.group));
    }
    const categoryId = idIn(request.url, "category");
    const { categories, firstPicture } = catalogue.shown();
    const category = categories.find(({ id }) => id === categoryId);
    if (isSearch) return sendReady(request, reply, pages.ofSearch(category?.id));
    if (path !== "/") return sendReady(request, reply, pages.at(path));
    const picture = category === undefined ? firstPicture : category.firstPicture;
    preload(reply, picture, { publicUrl, sizes: cardPictureSizes });
    const page = category === undefined ? pages.at(path) : pages.ofCategory(category);
    return sendReady(request, reply, page);
  });
}

/** An item that customers see, and the variants that share its page. */
async function findShown(db: Queries, id: string) {
  const item = await findItem(db, id);
  if (item === undefined || item.hidden) return undefined;
  return { item, group: await findShownGroup(db, item) };
}

/**
 * Starts the download of a picture before the script of the page requests it. `sizes`: the attribute
 * of its `img`.
 */
function preload(
  reply: FastifyReply,
  picture: string | undefined,
  { publicUrl, sizes }: { publicUrl: string; sizes: string },
): void {
  const url = picture === undefined ? null : URL.parse(picture, publicUrl);
  if (url === null) return;
  const { href, origin, pathname, search } = url;
  const address = origin === new URL(publicUrl).origin ? pathname + search : href;
  const srcSet = srcSetOf(address);
  const choice = srcSet === undefined ? "" : `; imagesrcset="${srcSet}"; imagesizes="${sizes}"`;
  reply.header("Link", `<${address}>; rel=preload; as=image; fetchpriority=high${choice}`);
}
