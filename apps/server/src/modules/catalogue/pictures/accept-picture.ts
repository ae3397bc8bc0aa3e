import type { Metadata } from "sharp";

export const MAX_MEGAPIXELS = 50;
/** The most pixels of one side: no format that the shop serves has many more. */
const MAX_SIDE = 16_000;

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
  const megapixels = (width * height) / 1_000_000;
  if (megapixels > MAX_MEGAPIXELS)
    return `${size} at most ${MAX_MEGAPIXELS} megapixels are accepted.`;
  if (Math.max(width, height) > MAX_SIDE)
    return `${size} at most ${MAX_SIDE.toLocaleString("en")} pixels a side are accepted.`;
  const most = mostMegapixels(read);
  if (megapixels <= most) return undefined;
  return `${size} at most ${most} megapixels are accepted in this form. Save it smaller, or as a plain JPEG or PNG.`;
}

/**
 * The limit by the header. Some pictures are decoded as a whole; with these limits in at most 250 MB
 * of memory. Measured with 50 megapixels: AVIF takes up to 19 bytes per pixel, or 26 with more than
 * 8 bits per channel; interlaced, progressive and animated pictures take up to 10.
 */
export function mostMegapixels({
  format,
  depth,
  pages = 1,
  isProgressive,
}: Pick<Metadata, "format" | "depth" | "pages" | "isProgressive">): number {
  if (format === "heif") return depth === "uchar" ? 13 : 9;
  return isProgressive || pages > 1 ? 25 : MAX_MEGAPIXELS;
}
