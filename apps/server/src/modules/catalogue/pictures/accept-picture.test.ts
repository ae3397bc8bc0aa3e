import sharp from "sharp";
import { expect, test } from "vitest";
import { heldWhole } from "./accept-picture.ts";

const plain = (channels: 3 | 4) =>
  sharp({
    create: { width: 20, height: 20, channels, background: { r: 9, g: 99, b: 9, alpha: 0.5 } },
  });
const frames = sharp(Buffer.alloc(20 * 40 * 3, 9).fill(99, 0, 20 * 20 * 3), {
  raw: { width: 20, height: 40, channels: 3, pageHeight: 20 },
});

test.each([
  ["PNG", plain(4).toColourspace("rgb16").png(), undefined],
  ["interlaced PNG", plain(3).png({ progressive: true }), 3.75],
  ["interlaced PNG, 16 bits", plain(4).toColourspace("rgb16").png({ progressive: true }), 10],
  ["JPEG", plain(3).jpeg(), undefined],
  ["progressive JPEG", plain(3).jpeg({ progressive: true }), 6],
  ["progressive JPEG for print", plain(3).toColourspace("cmyk").jpeg({ progressive: true }), 8],
  ["WebP", plain(4).webp(), undefined],
  ["animated WebP", frames.clone().webp({ loop: 0, delay: [100, 100] }), 9],
  ["GIF", plain(3).gif(), 4.5],
  ["AVIF", plain(3).avif({ effort: 0 }), 19],
  ["AVIF, 10 bits", plain(3).toColourspace("rgb16").avif({ effort: 0, bitdepth: 10 }), 26],
])("the memory per pixel while a picture is decoded: %s", async (_name, picture, bytes) => {
  const read = await sharp(await picture.toBuffer()).metadata();
  expect(heldWhole(read)?.bytesPerPixel).toBe(bytes);
});
