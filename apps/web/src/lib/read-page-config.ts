import { type PageConfig, pageConfigId, pageConfigSchema } from "@keepsats/protocol";

/**
 * Reads the settings that the server wrote into the page.
 *
 * @throws when the page was not served by the shop's server
 */
export function readPageConfig(document: Document): PageConfig {
  const block = document.getElementById(pageConfigId);
  if (block === null)
    throw new Error("the page has no settings: it must be served by the shop's server");
  return pageConfigSchema.parse(JSON.parse(block.textContent));
}
