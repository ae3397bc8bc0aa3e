import type { FastifyInstance } from "fastify";
import type { Platform } from "../../platform/platform.ts";
import { createAssetStore, type NotFound } from "./assets.ts";
import { type StorefrontOptions, storefrontPages } from "./storefront-pages.ts";

export { adminHeaders, adminPages } from "./admin-pages.ts";
export { isPage } from "./page-request.ts";
export { WebNotBuilt } from "./page-template.ts";

/** The pages and files of the storefront, with the assets of recent builds. */
export async function createWeb({ database, onError }: Platform, options: StorefrontOptions) {
  const assets = await createAssetStore({ database, root: options.root, onError });
  return {
    serve: (app: FastifyInstance, notFound: NotFound) =>
      storefrontPages(app, { ...options, db: database.db, assets, notFound }),
    close: assets.close,
  };
}
