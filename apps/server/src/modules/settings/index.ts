import type { Release } from "@keepsats/protocol";
import type { FastifyInstance } from "fastify";
import type { Config } from "../../config/config.ts";
import type { Queries } from "../../platform/database/database.ts";
import type { Platform } from "../../platform/platform.ts";
import type { Catalogue } from "../catalogue/index.ts";
import { createEditSettings, shopSettingsRoutes } from "./edit-settings.ts";
import { serverSettingsRoute } from "./server-settings.ts";
import { createShopSettings, defaultSettings, shopTextRoute } from "./shop-settings.ts";

export { receiptSettingsOf, type ShopSettingsReader } from "./shop-settings.ts";

interface Dependencies extends Pick<Catalogue, "listPictures"> {
  readonly config: Config;
  readonly release: Release;
  /** Whether an order was ever placed. */
  readonly hasOrders: (db: Queries) => Promise<boolean>;
}

/** The shop settings, which owners change, and the settings of the server, which they see. */
export async function createSettings(
  platform: Platform,
  { config, release, listPictures, hasOrders }: Dependencies,
) {
  const defaults = defaultSettings(config);
  const startedAt = platform.now();
  const shop = await createShopSettings(platform, defaults);
  const { caughtUp } = shop;
  const edit = createEditSettings(platform, { defaults, caughtUp, listPictures, hasOrders });
  return {
    shop,
    customerRoutes: (app: FastifyInstance) => shopTextRoute(app, shop),
    adminRoutes(app: FastifyInstance) {
      shopSettingsRoutes(app, edit);
      serverSettingsRoute(app, { config, release, startedAt });
    },
    close: shop.close,
  };
}
