import type { Metadata } from "sharp";

export const MAX_MEGAPIXELS = 50;
/** The most pixels of one side: no format that the shop serves has many more. */
const MAX_SIDE = 16_000;
/** The most bytes of memory for a picture in a format that is decoded as a whole. */
const MAX_BYTES_HELD = 250_000_000;

/** The accepted formats, by the first bytes of a file: neither its name nor its type counts. */
const signatures: readonly ((start: Buffer) => boolean)[] = [
  (start) => start.subarray(0, 8).equals(Buffer.from("\x89PNG\r\n\x1a\n", "latin1")),
  (start) => start.subarray(0, 3).equals(Buffer.from([0xff, 0xd8, 0xff])),
  (start) => /^GIF8[79]a/.test(start.toString("latin1")),
  (start) => /^RIFF.{4}WEBP/s.test(start.toString("latin1")),
  (start) => /^.{4}ftypavi[fs]/s.test(start.toString("latin1")),
];

const ACCEPTED = "PNG, JPEG, WebP, AVIF and GIF are accepted";

/** Checks the format by the first bytes of a file. Returns why it is refused, for staff. */
export function formatRefusal(file: Uint8Array): string | undefined {
  if (file.length === 0) return "The file is empty.";
  const start = Buffer.from(file.buffer, file.byteOffset, Math.min(file.length, 1_024));
  if (signatures.some((matches) => matches(start))) return undefined;
  const text = start.toString("latin1");
  if (/<svg|<!doctype svg/i.test(text)) {
    return `SVG is not accepted, because it can contain scripts; ${ACCEPTED}. Export the drawing as PNG.`;
  }
  if (/^.{4}ftyp(?:hei|hev|mif1|msf1)/s.test(text)) {
    return `HEIC is not accepted, because few browsers show it; ${ACCEPTED}. Export the photo as JPEG.`;
  }
  return `The file is not a picture that the shop can read; ${ACCEPTED}.`;
}

/**
 * Checks the size by the header, before a pixel is decoded. Returns why it is refused, for staff.
 */
export function sizeRefusal(read: Metadata): string | undefined {
  const { width, height } = read;
  const size = `The picture is ${width.toLocaleString("en")} × ${height.toLocaleString("en")} pixels;`;
  if (width * height > MAX_MEGAPIXELS * 1_000_000)
    return `${size} at most ${MAX_MEGAPIXELS} megapixels are accepted.`;
  if (Math.max(width, height) > MAX_SIDE)
    return `${size} at most ${MAX_SIDE.toLocaleString("en")} pixels a side are accepted.`;
  const held = heldWhole(read);
  if (held === undefined || width * height * held.bytesPerPixel <= MAX_BYTES_HELD) return undefined;
  const most = Math.floor(MAX_BYTES_HELD / held.bytesPerPixel / 1_000_000);
  return `${size} ${held.form} may have at most ${most} megapixels. Save it smaller, or as a plain JPEG or PNG.`;
}

interface HeldWhole {
  /** The name of the format, for staff. */
  readonly form: string;
  readonly bytesPerPixel: number;
}

/**
 * The memory per pixel of formats that are decoded as a whole, by the header. Measured with
 * pictures of 50 megapixels and rounded up.
 *
 * @returns `undefined` if the picture is decoded line by line, with only some lines in memory
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
