import type { FastifyInstance } from "fastify";
import type { Config } from "../../config/config.ts";
import type { Platform } from "../../platform/platform.ts";
import {
  findItem,
  findShownGroup,
  type ReadPictureFile,
  type ShownCategory,
} from "../catalogue/index.ts";
import type { ShopSettingsReader } from "../settings/index.ts";
import { createAssetStore, type NotFound } from "./assets.ts";
import { storefrontPages } from "./storefront-pages.ts";

export { adminHeaders, adminPages } from "./admin-pages.ts";
export { isPage } from "./page-request.ts";
export { WebNotBuilt } from "./page-template.ts";

interface Dependencies {
  readonly config: Config;
  /** The folder of the built storefront. */
  readonly root: string;
  readonly settings: ShopSettingsReader;
  readonly readPicture: ReadPictureFile;
  /** The URL of the first picture on the shop page; `undefined` for an empty catalogue. */
  readonly firstPicture: () => string | undefined;
  /** The ids of the items that have a page of their own. */
  readonly shownItems: () => readonly string[];
  readonly shownCategories: () => readonly ShownCategory[];
}

/** The pages and files of the storefront, with the assets of recent builds. */
export async function createWeb(
  { database, log, onError }: Platform,
  { config, root, settings, readPicture, firstPicture, shownItems, shownCategories }: Dependencies,
) {
  const assets = await createAssetStore({ database, root, log, onError });
  return {
    serve: (app: FastifyInstance, notFound: NotFound) =>
      storefrontPages(app, {
        root,
        assets,
        readPicture,
        notFound,
        firstPicture,
        shownItems,
        shownCategories,
        async findShown(id) {
          const item = await findItem(database.db, id);
          if (item === undefined || item.hidden) return undefined;
          return { item, group: await findShownGroup(database.db, item) };
        },
        settings,
        publicUrl: config.publicUrl,
        serverConfig: {
          network: config.loanNetwork,
          inviteCode: config.loanInviteCode,
          popupHosts: config.popupHosts,
        },
      }),
    close: assets.close,
  };
}
