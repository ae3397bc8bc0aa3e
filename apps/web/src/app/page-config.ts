import type { PageConfig } from "@keepsats/protocol";
import { createContext, use } from "react";

/** The settings that the server wrote into the page, and where the page comes from. */
export interface Settings extends PageConfig {
  /** The page's own origin, such as `https://shop.example`. */
  readonly origin: string;
  /** The origin of the loan provider's window, such as `https://pay.example`. */
  readonly popupOrigin: string;
}

/** @param origin the page's own */
export function settingsOf(config: PageConfig, origin: string): Settings {
  const { network, popupHosts } = config;
  return { ...config, origin, popupOrigin: network === "mainnet" ? popupHosts.mainnet : popupHosts.test };
}

export const SettingsContext = createContext<Settings | undefined>(undefined);

/** The settings of the page, below its provider. */
export function usePageConfig(): Settings {
  const settings = use(SettingsContext);
  if (settings === undefined) throw new Error("there are no settings above this component");
  return settings;
}
