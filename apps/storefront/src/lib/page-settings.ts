import { mailtoLink } from "@keepsats/domain";
import { type PageConfig, pageConfigId, pageConfigSchema } from "@keepsats/protocol";
import { requiredContext } from "@keepsats/ui/required-context.ts";

export interface PageSettings extends PageConfig {
  /** The origin of this page, such as `https://shop.example`. */
  readonly origin: string;
  /** The origin of the loan provider's pop-up on the shop's network, such as `https://pay.example`. */
  readonly popupOrigin: string;
}

/** @throws if the page was not served by the shop's server */
export function readPageConfig(document: Document): PageConfig {
  const block = document.getElementById(pageConfigId);
  if (block === null)
    throw new Error("the page has no settings: it must be served by the shop's server");
  return pageConfigSchema.parse(JSON.parse(block.textContent));
}

/** @param origin the origin of this page */
export function pageSettingsOf(config: PageConfig, origin: string): PageSettings {
  const { network, popupHosts } = config;
  return {
    ...config,
    origin,
    popupOrigin: network === "mainnet" ? popupHosts.mainnet : popupHosts.test,
  };
}

export const [PageSettingsContext, usePageSettings] =
  requiredContext<PageSettings>("page settings");

/** The contact is the URL of a web page or an email address. */
export function contactLink(contact: string): { readonly href: string; readonly isPage: boolean } {
  const isPage = /^https?:/i.test(contact);
  return { href: isPage ? contact : mailtoLink(contact), isPage };
}
