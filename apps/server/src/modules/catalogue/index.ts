import type { FastifyInstance } from "fastify";
import type { LargeBodies } from "../../platform/http/defences/large-bodies.ts";
import { dataHeaders } from "../../platform/http/security-headers.ts";
import type { Platform } from "../../platform/platform.ts";
import { adminItemRoutes } from "./admin-item-routes.ts";
import { categoryRoutes } from "./categories.ts";
import { createEditCatalogue } from "./edit-catalogue.ts";
import { exportItemsRoute } from "./import/export-items.ts";
import { importItemsRoute } from "./import/import-items.ts";
import {
  createCatalogueListing,
  createItemsListener,
  listItemsRoute,
  type ShownCatalogue,
} from "./listing.ts";
import { listPictures } from "./pictures/available-pictures.ts";
import { createDeleteUnusedPictures } from "./pictures/delete-unused-pictures.ts";
import { createPreparer } from "./pictures/preparer.ts";
import { uploadPictureRoute } from "./pictures/upload-picture.ts";
import { createStock } from "./stock.ts";

export type { Item } from "./item.ts";
export {
  findItem,
  findShownGroup,
  findTitlesAndPictures,
  findVatRates,
  isCatalogueEmpty,
} from "./item-repository.ts";
export type { ShownCatalogue, ShownCategory } from "./listing.ts";
export { loadSampleCatalogue } from "./load-sample.ts";
export { isAvailable } from "./pictures/available-pictures.ts";
export { findPictureFile, touchPicture } from "./pictures/picture-repository.ts";
export { findLowItems, type ItemForSale, type Stock } from "./stock.ts";

interface Dependencies {
  /** The origin of the storefront. */
  readonly publicUrl: string;
  /** The folder of the built storefront, with the shop's pictures. */
  readonly webRoot: string;
  readonly largeBodies: LargeBodies;
}

export type Catalogue = Awaited<ReturnType<typeof createCatalogue>>;

/** The items that the shop sells, their stock and their pictures. */
export async function createCatalogue(
  platform: Platform,
  { publicUrl, webRoot, largeBodies }: Dependencies,
) {
  const { database, bus, metrics, outbox } = platform;
  const { db } = database;
  const headers = dataHeaders(publicUrl);
  const listing = await createCatalogueListing({ ...platform, db, headers });
  let served = 0;
  metrics.total("keepsats_items_served_total", "Answers of GET /api/items", () => served);
  const itemsListener = createItemsListener(listing, () => {
    served += 1;
  });
  const preparer = createPreparer();
  const listShopPictures = () => listPictures(webRoot);
  const editCatalogue = createEditCatalogue({
    ...platform,
    listPictures: listShopPictures,
    listingCaughtUp: listing.caughtUp,
  });
  return {
    stock: createStock({ bus, emitEvents: outbox.emitEvents }),
    /** Answers `GET /api/items` before the router, for speed. */
    itemsListener,
    /** Lists the paths of the pictures in the shop's folder. */
    listPictures: listShopPictures,
    /** The shown items and categories: the same object until the list of items changes. */
    shown: (): ShownCatalogue => listing.current(),
    customerRoutes: (app: FastifyInstance) => listItemsRoute(app, itemsListener),
    adminRoutes(app: FastifyInstance) {
      adminItemRoutes(app, db, editCatalogue);
      categoryRoutes(app, db, editCatalogue.replaceCategories);
      exportItemsRoute(app, db);
      app.register(async (scope) => importItemsRoute(scope, { db, editCatalogue, largeBodies }));
      app.register(async (scope) => uploadPictureRoute(scope, { database, preparer, largeBodies }));
    },
    workers: [createDeleteUnusedPictures(platform)],
    close() {
      listing.close();
      preparer.close();
    },
  };
}
