import * as z from "zod/mini";

/** The texts of the footer, in its order. */
export const shopTextNames = ["delivery", "returns", "terms", "privacy"] as const;
export type ShopTextName = (typeof shopTextNames)[number];

/** The answer of `GET /api/shop/texts/:name`. The text has line breaks. */
export const shopTextSchema = z.object({ text: z.string() });

/** The id of the JSON data block in `index.html` with the settings of the page. */
export const pageConfigId = "keepsats-config";

/**
 * The settings that the server writes into the page. Hosts are origins such as `https://pay.example`.
 */
export const pageConfigSchema = z.object({
  shopName: z.string(),
  /** The URL of the shop's logo; without it the page shows the favicon. */
  logo: z.optional(z.string()),
  /** The line below the heading of the shop page. */
  tagline: z.optional(z.string()),
  /** The text above the items, with line breaks. */
  intro: z.optional(z.string()),
  /** The categories with items in their order; absent if there are fewer than two. */
  categories: z.optional(z.array(z.object({ id: z.string(), name: z.string() }))),
  network: z.string(),
  inviteCode: z.string(),
  /** An email address or the URL of a web page. */
  contact: z.optional(z.string()),
  /** The texts of the footer. A text without a URL is fetched from the API when it is opened. */
  texts: z.array(z.object({ name: z.enum(shopTextNames), url: z.optional(z.string()) })),
  popupHosts: z.object({ mainnet: z.string(), test: z.string() }),
});
export type PageConfig = z.output<typeof pageConfigSchema>;

/**
 * The answer of `GET /api/me`: the shop's own account at the loan provider. Its id is the lender of
 * the pop-up.
 */
export const lenderAccountSchema = z.object({ id: z.string().check(z.minLength(1)) });
