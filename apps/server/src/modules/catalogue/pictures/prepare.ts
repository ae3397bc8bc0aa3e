import { pictureWidths } from "@keepsats/domain";
import sharp, { type Metadata, type Sharp } from "sharp";
import { formatRefusal, MAX_MEGAPIXELS, sizeRefusal } from "./accept-picture.ts";
import { LARGEST_WIDTH, type PictureFile, type Prepared } from "./renditions.ts";

const DAMAGED = "The picture is damaged or incomplete, and cannot be read.";

/** Only the decoders of these formats may read a file, whatever format libvips detects. */
const decoders = ["Png", "Jpeg", "Webp", "Heif", "Nsgif"].map((name) => `VipsForeignLoad${name}`);

/** Limits what sharp may do and use in this process, which has no other task. */
export function limitSharp(): void {
  sharp.block({ operation: ["VipsForeignLoad"] });
  sharp.unblock({ operation: decoders });
  sharp.cache(false);
  sharp.concurrency(1);
}

/**
 * Makes the renditions of an uploaded file: in every width and format, upright by its EXIF
 * orientation, without metadata, in sRGB, the first frame of an animation, never enlarged.
 */
export async function prepare(file: Uint8Array): Promise<Prepared> {
  const wrongFormat = formatRefusal(file);
  if (wrongFormat !== undefined) return { kind: "refused", detail: wrongFormat };
  const read = await sharp(file, { limitInputPixels: false })
    .metadata()
    .catch(() => undefined);
  if (read === undefined) return { kind: "refused", detail: DAMAGED };
  const tooLarge = sizeRefusal(read);
  if (tooLarge !== undefined) return { kind: "refused", detail: tooLarge };
  try {
    return await resized(file, read);
  } catch {
    return { kind: "refused", detail: DAMAGED };
  }
}

/** Decodes the file once, to the largest size, and makes the other sizes from that. */
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

/** WebP keeps transparency; JPEG gets a white background. */
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
