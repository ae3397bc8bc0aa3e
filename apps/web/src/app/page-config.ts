import type { PageConfig } from "@keepsats/protocol";
import { createContext, use } from "react";

/** The settings that the server wrote into the page, and the two origins. */
export interface Settings extends PageConfig {
  /** The origin of this page, such as `https://shop.example`. */
  readonly origin: string;
  /**
   * The origin of the loan provider's pop-up on the shop's network, such as `https://pay.example`.
   */
  readonly popupOrigin: string;
}

/** @param origin the origin of this page */
export function settingsOf(config: PageConfig, origin: string): Settings {
  const { network, popupHosts } = config;
  return {
    ...config,
    origin,
    popupOrigin: network === "mainnet" ? popupHosts.mainnet : popupHosts.test,
  };
}

export const SettingsContext = createContext<Settings | undefined>(undefined);

/** @throws when there is no {@link SettingsContext} above the component */
export function usePageConfig(): Settings {
  const settings = use(SettingsContext);
  if (settings === undefined) throw new Error("there are no settings above this component");
  return settings;
}
