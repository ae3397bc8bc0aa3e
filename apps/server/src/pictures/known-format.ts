/**
 * The formats that are taken, by the first bytes of a file: neither its name nor its declared type
 * counts.
 */
const taken: readonly ((start: Buffer) => boolean)[] = [
  (start) => start.subarray(0, 8).equals(Buffer.from("\x89PNG\r\n\x1a\n", "latin1")),
  (start) => start.subarray(0, 3).equals(Buffer.from([0xff, 0xd8, 0xff])),
  (start) => /^GIF8[79]a/.test(start.toString("latin1")),
  (start) => /^RIFF.{4}WEBP/s.test(start.toString("latin1")),
  (start) => /^.{4}ftypavi[fs]/s.test(start.toString("latin1")),
];

const TAKEN = "PNG, JPEG, WebP, AVIF and GIF are taken";

/**
 * Why a file is not taken, judged by its first bytes, in a sentence for the merchant; `undefined`
 * if it may be.
 */
export function refusalOf(file: Uint8Array): string | undefined {
  if (file.length === 0) return "The file is empty.";
  const start = Buffer.from(file.buffer, file.byteOffset, Math.min(file.length, 1_024));
  if (taken.some((isTaken) => isTaken(start))) return undefined;
  const text = start.toString("latin1");
  if (/<svg|<!doctype svg/i.test(text)) {
    return `SVG is not taken, because it can contain programs; ${TAKEN}. Export the drawing as PNG.`;
  }
  if (/^.{4}ftyp(?:hei|hev|mif1|msf1)/s.test(text)) {
    return `HEIC is not taken, because few browsers show it; ${TAKEN}. Export the photo as JPEG.`;
  }
  return `The file is no picture that the shop can read; ${TAKEN}.`;
}
