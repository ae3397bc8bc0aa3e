import { pictureWidths } from "@keepsats/domain";
import sharp, { type Metadata, type Sharp } from "sharp";
import { heldWhole } from "./held-whole.ts";
import { refusalOf } from "./known-format.ts";
import {
  LARGEST_WIDTH,
  MAX_BYTES_HELD,
  MAX_MEGAPIXELS,
  MAX_SIDE,
  type PictureFile,
  type Prepared,
} from "./recipe.ts";

const DAMAGED = "The picture is damaged or incomplete, and cannot be read.";

/**
 * Only the readers of these formats may look at a file, whatever its bytes make libvips believe.
 */
const readers = ["Png", "Jpeg", "Webp", "Heif", "Nsgif"].map((name) => `VipsForeignLoad${name}`);

/** Settles what sharp may do and may take in this process, which does nothing else. */
export function boundSharp(): void {
  sharp.block({ operation: ["VipsForeignLoad"] });
  sharp.unblock({ operation: readers });
  sharp.cache(false);
  sharp.concurrency(1);
}

/**
 * Makes of an uploaded file what the shop serves: turned as its EXIF orientation says, without any
 * metadata, in sRGB, of an animation the first frame, in every width and format. It never enlarges.
 * The size is judged before a pixel is decoded.
 */
export async function prepare(file: Uint8Array): Promise<Prepared> {
  const words = refusalOf(file);
  if (words !== undefined) return { kind: "refused", words };
  const read = await sharp(file, { limitInputPixels: false })
    .metadata()
    .catch(() => undefined);
  if (read === undefined) return { kind: "refused", words: DAMAGED };
  const tooLarge = tooLargeWords(read);
  if (tooLarge !== undefined) return { kind: "refused", words: tooLarge };
  try {
    return await resized(file, read);
  } catch {
    return { kind: "refused", words: DAMAGED };
  }
}

function tooLargeWords(read: Metadata): string | undefined {
  const { width, height } = read;
  const size = `The picture is ${width.toLocaleString("en")} × ${height.toLocaleString("en")} pixels;`;
  if (width * height > MAX_MEGAPIXELS * 1_000_000)
    return `${size} at most ${MAX_MEGAPIXELS} megapixels are taken.`;
  if (Math.max(width, height) > MAX_SIDE)
    return `${size} at most ${MAX_SIDE.toLocaleString("en")} pixels a side are taken.`;
  const held = heldWhole(read);
  if (held === undefined || width * height * held.bytesPerPixel <= MAX_BYTES_HELD) return undefined;
  const most = Math.floor(MAX_BYTES_HELD / held.bytesPerPixel / 1_000_000);
  return `${size} ${held.form} may have at most ${most} megapixels. Save it smaller, or as a plain JPEG or PNG.`;
}

/** Decodes the file once, makes the largest size of it, and the others of that one. */
async function resized(file: Uint8Array, { autoOrient }: Metadata): Promise<Prepared> {
  const largest = await sharp(file, {
    limitInputPixels: MAX_MEGAPIXELS * 1_000_000,
    failOn: "error",
    sequentialRead: true,
  })
    .autoOrient()
    .resize({ width: Math.min(autoOrient.width, LARGEST_WIDTH), withoutEnlargement: true })
    .toColorspace("srgb")
    .raw()
    .toBuffer({ resolveWithObject: true });
  const { width, height, channels } = largest.info;
  const pixels = sharp(largest.data, { raw: { width, height, channels } });
  const files: PictureFile[] = [];
  for (const wanted of pictureWidths(width)) files.push(...(await inBothFormats(pixels, wanted)));
  return { kind: "prepared", width, height, files };
}

/** WebP keeps what is transparent; JPEG has white there. */
async function inBothFormats(pixels: Sharp, width: number): Promise<PictureFile[]> {
  const sized = pixels.clone().resize({ width });
  return [
    { width, format: "webp", content: await sized.clone().webp({ quality: 80 }).toBuffer() },
    {
      width,
      format: "jpeg",
      content: await sized
        .flatten({ background: "#fff" })
        .jpeg({ quality: 80, progressive: true })
        .toBuffer(),
    },
  ];
}
