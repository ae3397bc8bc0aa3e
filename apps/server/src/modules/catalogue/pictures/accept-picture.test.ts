import sharp from "sharp";
import { expect, test } from "vitest";
import { mostMegapixels } from "./accept-picture.ts";

const plain = (channels: 3 | 4) =>
  sharp({
    create: { width: 20, height: 20, channels, background: { r: 9, g: 99, b: 9, alpha: 0.5 } },
  });
const frames = sharp(Buffer.alloc(20 * 40 * 3, 9).fill(99, 0, 20 * 20 * 3), {
  raw: { width: 20, height: 40, channels: 3, pageHeight: 20 },
});

test.each([
  ["PNG", plain(4).toColourspace("rgb16").png(), 50],
  ["interlaced PNG", plain(3).png({ progressive: true }), 25],
  ["interlaced PNG, 16 bits", plain(4).toColourspace("rgb16").png({ progressive: true }), 25],
  ["JPEG", plain(3).jpeg(), 50],
  ["progressive JPEG", plain(3).jpeg({ progressive: true }), 25],
  ["progressive JPEG for print", plain(3).toColourspace("cmyk").jpeg({ progressive: true }), 25],
  ["WebP", plain(4).webp(), 50],
  ["animated WebP", frames.clone().webp({ loop: 0, delay: [100, 100] }), 25],
  ["GIF", plain(3).gif(), 50],
  ["AVIF", plain(3).avif({ effort: 0 }), 13],
  ["AVIF, 10 bits", plain(3).toColourspace("rgb16").avif({ effort: 0, bitdepth: 10 }), 9],
])("the most megapixels, by the memory that decoding takes: %s", async (_name, picture, most) => {
  const read = await sharp(await picture.toBuffer()).metadata();
  expect(mostMegapixels(read)).toBe(most);
});
