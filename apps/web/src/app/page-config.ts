import type { PageConfig } from "@keepsats/protocol";
import { createContext, use } from "react";

/** The settings that the server wrote into the page. */
export const PageConfigContext = createContext<PageConfig | undefined>(undefined);

/** The settings of the page, below its provider. */
export function usePageConfig(): PageConfig {
  const config = use(PageConfigContext);
  if (config === undefined) throw new Error("there is no page config above this component");
  return config;
}
