import type { Metadata } from "sharp";

/** Why the whole of a picture is in memory while it is read, and how much that is. */
export interface HeldWhole {
  /** In words for the merchant. */
  readonly form: string;
  readonly bytesPerPixel: number;
}

/**
 * Tells of the formats whose readers hold the whole picture, from the header alone. The bytes per
 * pixel were measured with pictures of 50 megapixels and rounded up.
 *
 * @returns `undefined` where the picture is read line by line, and only some lines are in memory
 */
export function heldWhole({
  format,
  depth,
  channels,
  pages = 1,
  isProgressive,
}: Pick<Metadata, "format" | "depth" | "channels" | "pages" | "isProgressive">):
  | HeldWhole
  | undefined {
  const isDeep = depth !== "uchar";
  switch (format) {
    case "png":
      if (!isProgressive) return undefined;
      return { form: "an interlaced PNG", bytesPerPixel: channels * (isDeep ? 2.5 : 1.25) };
    case "jpeg":
      // The coefficients of all scans, with two bytes each.
      if (!isProgressive) return undefined;
      return { form: "a progressive JPEG", bytesPerPixel: channels * 2 };
    case "gif":
      return { form: "a GIF", bytesPerPixel: 4.5 };
    case "webp":
      return pages > 1 ? { form: "an animated WebP", bytesPerPixel: 9 } : undefined;
    default:
      return {
        form: isDeep ? "an AVIF with more than 8 bits" : "an AVIF",
        bytesPerPixel: isDeep ? 26 : 19,
      };
  }
}
