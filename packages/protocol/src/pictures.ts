import * as z from "zod/mini";

/** The largest picture that can be uploaded, in bytes. */
export const MAX_PICTURE_BYTES = 12 * 1024 * 1024;

/** A picture that the shop keeps, as the answer of `POST /api/merchant/pictures`. */
export const pictureSchema = z.object({
  id: z.string(),
  /** Its largest size, for the `image_url` or `image_urls` of an item: `/pictures/{id}-{width}`. */
  url: z.string(),
  /** Of the largest size, in pixels. */
  width: z.int(),
  height: z.int(),
  /** The widths in which the shop serves it, rising. Each is at its own address. */
  widths: z.array(z.int()),
});
export type Picture = z.output<typeof pictureSchema>;
