import * as z from "zod/mini";

/** The texts of the footer, in the order in which it shows them. */
export const shopTextNames = ["delivery", "returns", "terms", "privacy"] as const;
export type ShopTextName = (typeof shopTextNames)[number];

/** The answer of `GET /api/shop/texts/:name`: a text with line breaks. */
export const shopTextSchema = z.object({ text: z.string() });
