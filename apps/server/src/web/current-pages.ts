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
}

/** @returns a function that returns the pages with the shop settings of the moment; it makes them again only after a change */
export function createPages(template: string, { machine, settings, publicUrl }: Options): () => Pages {
  const make = (of: ShopSettings) =>
    makePages(template, { config: pageConfigOf(of, machine), accent: of.accent, publicUrl });
  let shown = settings.current();
  let pages = make(shown);
  return () => {
    const now = settings.current();
    if (now !== shown) {
      pages = make(now);
      shown = now;
    }
    return pages;
  };
}

function pageConfigOf(settings: ShopSettings, machine: MachineSettings): PageConfig {
  const { name: shopName, contact, logo } = settings;
  const texts = shopTextNames.flatMap((name) => {
    const text = settings[name];
    if (text === null) return [];
    return isWebAddress(text) ? { name, url: text } : { name };
  });
  return {
    shopName,
    ...(logo === null ? {} : { logo }),
    ...machine,
    ...(contact === null ? {} : { contact }),
    texts,
  };
}
