import { isWebAddress } from "@keepsats/domain";
import { type PageConfig, type ShopSettings, shopTextNames } from "@keepsats/protocol";
import type { Config } from "../../config/config.ts";
import type { Catalogue, ShownCategory } from "../catalogue/index.ts";
import type { ShopSettingsReader } from "../settings/index.ts";
import { type Pages, renderPages } from "./page-template.ts";

export interface PagesOptions {
  readonly config: Config;
  readonly settings: ShopSettingsReader;
  readonly catalogue: Catalogue;
}

/**
 * @returns a function that renders the pages again after a change of the settings, the picture or
 *   the categories
 */
export function createPages(
  template: string,
  { config, settings, catalogue }: PagesOptions,
): () => Pages {
  const read = () => ({
    settings: settings.current(),
    picture: catalogue.firstPicture(),
    categories: catalogue.shownCategories(),
  });
  const render = ({ settings, picture, categories }: ReturnType<typeof read>) =>
    renderPages(template, {
      config: pageConfigOf(settings, categories, config),
      accent: settings.accent,
      publicUrl: config.publicUrl,
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
  { loanNetwork, loanInviteCode, popupHosts }: Config,
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
    network: loanNetwork,
    inviteCode: loanInviteCode,
    popupHosts,
    ...(contact === null ? {} : { contact }),
    texts,
  };
}
