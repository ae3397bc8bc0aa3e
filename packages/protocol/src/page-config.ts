import * as z from "zod/mini";

/** The id of the JSON data block in `index.html` that carries the settings of the page. */
export const pageConfigId = "keepsats-config";

/** What the server tells the web app as it serves it. Hosts are origins such as `https://pay.example`. */
export const pageConfigSchema = z.object({
  shopName: z.string(),
  network: z.string(),
  inviteCode: z.string(),
  /** Where to write to the shop: an e-mail address or a web page. */
  contact: z.optional(z.string()),
  popupHosts: z.object({ mainnet: z.string(), test: z.string() }),
});
export type PageConfig = z.output<typeof pageConfigSchema>;
