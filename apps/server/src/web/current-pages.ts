import { isWebAddress } from "@keepsats/domain";
import { type PageConfig, type ShopSettings, shopTextNames } from "@keepsats/protocol";
import type { ShopSettingsReader } from "../shop/shop-settings.ts";
import { makePages, type Pages } from "./page-template.ts";

/** What a page needs of the settings of the machine. */
export type MachineSettings = Pick<PageConfig, "network" | "inviteCode" | "popupHosts">;

interface Options {
  readonly machine: MachineSettings;
  readonly settings: Pick<ShopSettingsReader, "current">;
  readonly publicUrl: string;
  /**
   * The address of the picture that the shop page shows first; `undefined` for an empty catalogue.
   */
  readonly firstPicture: () => string | undefined;
}

/**
 * @returns a function that returns the pages with the shop settings and the first picture of the
 *   moment; it makes them again only after a change
 */
export function createPages(
  template: string,
  { machine, settings, publicUrl, firstPicture }: Options,
): () => Pages {
  const make = (of: ShopSettings, picture: string | undefined) =>
    makePages(template, {
      config: pageConfigOf(of, machine),
      accent: of.accent,
      publicUrl,
      firstPicture: picture,
    });
  let shown = settings.current();
  let picture = firstPicture();
  let pages = make(shown, picture);
  return () => {
    if (settings.current() !== shown || firstPicture() !== picture) {
      shown = settings.current();
      picture = firstPicture();
      pages = make(shown, picture);
    }
    return pages;
  };
}

function pageConfigOf(settings: ShopSettings, machine: MachineSettings): PageConfig {
  const { name: shopName, contact, logo, tagline } = settings;
  const texts = shopTextNames.flatMap((name) => {
    const text = settings[name];
    if (text === null) return [];
    return isWebAddress(text) ? { name, url: text } : { name };
  });
  return {
    shopName,
    ...(logo === null ? {} : { logo }),
    ...(tagline === null ? {} : { tagline }),
    ...machine,
    ...(contact === null ? {} : { contact }),
    texts,
  };
}
