import { MAX_PICTURE_BYTES } from "@keepsats/protocol";
import sharp from "sharp";
import { writeBytes } from "./settings.ts";

/** The most pixels that the shop takes. */
const SIZE = { width: 8_000, height: 6_250 };
const COMMENT = 16;
/**
 * A JPEG begins with its marker, and behind that may have a comment: its marker, its length and
 * itself.
 */
const START = Buffer.from([0xff, 0xd8]);
const COMMENT_START = Buffer.from([0xff, 0xfe, 0, COMMENT + 2]);

/**
 * A JPEG of the largest size that the shop takes, with a comment. The shop prepares one with
 * another comment anew.
 */
export async function largestPicture() {
  const small = { width: SIZE.width / 10, height: SIZE.height / 10, channels: 3 as const };
  const noise = await sharp({
    create: { ...small, background: "#888", noise: { type: "gaussian", mean: 128, sigma: 60 } },
  })
    .png()
    .toBuffer();
  const jpeg = await sharp(noise).resize(SIZE).jpeg({ quality: 90 }).toBuffer();
  if (jpeg.length > MAX_PICTURE_BYTES - 100)
    throw new Error(`the picture has ${jpeg.length} bytes`);
  const bytes = Buffer.concat([START, COMMENT_START, Buffer.alloc(COMMENT, "0"), jpeg.subarray(2)]);
  const comment = { at: START.length + COMMENT_START.length, length: COMMENT };
  return { file: writeBytes(bytes), comment };
}
