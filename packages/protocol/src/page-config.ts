import * as z from "zod/mini";

/** The texts of the footer, in the order in which it shows them. */
export const shopTextNames = ["delivery", "returns", "terms", "privacy"] as const;
export type ShopTextName = (typeof shopTextNames)[number];

/** The answer of `GET /api/shop/texts/:name`: a text with line breaks. */
export const shopTextSchema = z.object({ text: z.string() });

/** The id of the JSON data block in `index.html` with the settings of the page. */
export const pageConfigId = "keepsats-config";

/**
 * The settings that the server puts into the page. Hosts are origins such as `https://pay.example`.
 */
export const pageConfigSchema = z.object({
  shopName: z.string(),
  /** The address of the shop's logo; without it the page shows its own. */
  logo: z.optional(z.string()),
  /** The line below the heading of the shop page. */
  tagline: z.optional(z.string()),
  network: z.string(),
  inviteCode: z.string(),
  /** How to contact the shop: an e-mail address or the URL of a web page. */
  contact: z.optional(z.string()),
  /** The texts of the footer. One without an address is read from the API when it is opened. */
  texts: z.array(z.object({ name: z.enum(shopTextNames), url: z.optional(z.string()) })),
  popupHosts: z.object({ mainnet: z.string(), test: z.string() }),
});
export type PageConfig = z.output<typeof pageConfigSchema>;
