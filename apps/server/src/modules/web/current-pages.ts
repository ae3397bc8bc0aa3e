import { isWebAddress } from "@keepsats/domain";
import { type PageConfig, type ShopSettings, shopTextNames } from "@keepsats/protocol";
import type { ShownCategory } from "../catalogue/index.ts";
import type { ShopSettingsReader } from "../settings/index.ts";
import { type Pages, renderPages } from "./page-template.ts";

/** The part of the page configuration that comes from the environment. */
type ServerConfig = Pick<PageConfig, "network" | "inviteCode" | "popupHosts">;

export interface PagesOptions {
  readonly serverConfig: ServerConfig;
  readonly settings: Pick<ShopSettingsReader, "current">;
  readonly publicUrl: string;
  /** The URL of the first picture on the shop page; `undefined` for an empty catalogue. */
  readonly firstPicture: () => string | undefined;
  readonly shownCategories: () => readonly ShownCategory[];
}

/**
 * @returns a function that renders the pages again after a change of the settings, the picture or
 *   the categories
 */
export function createPages(
  template: string,
  { serverConfig, settings, publicUrl, firstPicture, shownCategories }: PagesOptions,
): () => Pages {
  const read = () => ({
    settings: settings.current(),
    picture: firstPicture(),
    categories: shownCategories(),
  });
  const render = ({ settings, picture, categories }: ReturnType<typeof read>) =>
    renderPages(template, {
      config: pageConfigOf(settings, categories, serverConfig),
      accent: settings.accent,
      publicUrl,
      firstPicture: picture,
    });
  let rendered = read();
  let pages = render(rendered);
  return () => {
    const current = read();
    if (
      current.settings !== rendered.settings ||
      current.picture !== rendered.picture ||
      JSON.stringify(current.categories) !== JSON.stringify(rendered.categories)
    ) {
      rendered = current;
      pages = render(current);
    }
    return pages;
  };
}

function pageConfigOf(
  settings: ShopSettings,
  categories: readonly ShownCategory[],
  serverConfig: ServerConfig,
): PageConfig {
  const { name: shopName, contact, logo, tagline, intro } = settings;
  const texts = shopTextNames.flatMap((name) => {
    const text = settings[name];
    if (text === null) return [];
    return isWebAddress(text) ? { name, url: text } : { name };
  });
  return {
    shopName,
    ...(logo === null ? {} : { logo }),
    ...(tagline === null ? {} : { tagline }),
    ...(intro === null ? {} : { intro }),
    ...(categories.length === 0
      ? {}
      : { categories: categories.map(({ id, name }) => ({ id, name })) }),
    ...serverConfig,
    ...(contact === null ? {} : { contact }),
    texts,
  };
}
