import * as z from "zod/mini";

/** The URL of a picture, or a path of the shop such as `/pictures/mug.svg`. */
export const pictureAddressSchema = z.string().check(
  z.maxLength(2_000),
  z.refine((url) => isWebPicture(url) || isShopPath(url), {
    error: "must start with https:// or be a path such as /pictures/mug.svg",
  }),
  z.meta({ pattern: "^(?:https://|/)" }),
);

function isWebPicture(url: string): boolean {
  return /^https:\/\/[^\s\\\p{Cc}\p{Cs}]+$/u.test(url) && URL.canParse(url);
}

/**
 * Whether a browser resolves a text to a path of the shop's origin, and to exactly this path. It
 * does not for `//evil`, `/\\evil`, a tab between two slashes and `/../x`; `/%5cevil` is unsafe for
 * programs that decode it. A path that cannot be decoded, such as `/%ff.png`, names no file.
 */
function isShopPath(path: string): boolean {
  const origin = "https://shop.invalid";
  if (!path.startsWith("/") || !URL.canParse(path, origin)) return false;
  if (new URL(path, origin).href !== `${origin}${path}`) return false;
  return isDecodable(path) && !/%(?:[01][\da-f]|2[ef]|5c|7f)|\/\//i.test(path);
}

function isDecodable(path: string): boolean {
  try {
    decodeURIComponent(path);
    return true;
  } catch {
    return false;
  }
}

/** The largest picture that can be uploaded, in bytes. */
export const MAX_PICTURE_BYTES = 12 * 1024 * 1024;

/** An uploaded picture: the answer of `POST /api/admin/pictures`. */
export const pictureSchema = z.object({
  id: z.string(),
  /** Its largest size, for the `image_url` or `image_urls` of an item: `/pictures/{id}-{width}`. */
  url: z.string(),
  /** The width of the largest size, in pixels. */
  width: z.int(),
  height: z.int(),
  /** The widths in which the shop serves it, ascending. Each is at its own address. */
  widths: z.array(z.int()),
});
export type Picture = z.output<typeof pictureSchema>;
