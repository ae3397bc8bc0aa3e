import { crc32 } from "node:zlib";
import sharp from "sharp";
import { expect, test } from "vitest";
import { prepare } from "./prepare.ts";
import type { Format } from "./renditions.ts";

const red = { r: 200, g: 30, b: 20 };
const plain = (width: number, height: number) =>
  sharp({ create: { width, height, channels: 3, background: red } });

/** Prepares a file, and decodes one of the results. */
async function prepared(file: Buffer, format: Format = "webp") {
  const result = await prepare(file);
  if (result.kind === "refused") throw new Error(result.detail);
  const content = result.files.findLast((one) => one.format === format)?.content;
  const { data, info } = await sharp(content).raw().toBuffer({ resolveWithObject: true });
  return { ...result, channels: info.channels, first: [...data.subarray(0, info.channels)] };
}

/** Compares two colours with a tolerance: every format rounds. */
function expectColour(found: readonly number[], wanted: readonly number[]): void {
  expect(found).toHaveLength(wanted.length);
  for (const [channel, value] of wanted.entries())
    expect(Math.abs((found[channel] ?? 0) - value), `channel ${channel} of ${found}`).toBeLessThan(
      12,
    );
}

test("a rendition is in sRGB with three channels, also of a grey picture or one with 16 bits a channel", async () => {
  expectColour((await prepared(await plain(20, 20).png().toBuffer())).first, [200, 30, 20]);
  const grey = await plain(20, 20).greyscale().png().toBuffer();
  expect(new Set((await prepared(grey)).first).size).toBe(1);
  const deep = await plain(20, 20).toColourspace("rgb16").png().toBuffer();
  expectColour((await prepared(deep)).first, [200, 30, 20]);
  const print = await plain(20, 20).toColourspace("cmyk").jpeg().toBuffer();
  expect((await prepared(print)).channels).toBe(3);
});

test("transparency is kept in WebP and becomes white in JPEG", async () => {
  const clear = { ...red, alpha: 0 };
  const file = await sharp({ create: { width: 20, height: 20, channels: 4, background: clear } })
    .png()
    .toBuffer();
  expect((await prepared(file)).first[3]).toBe(0);
  expectColour((await prepared(file, "jpeg")).first, [255, 255, 255]);
});

test("the first frame of an animation is used", async () => {
  const frames = Buffer.alloc(20 * 40 * 3, 0);
  frames.fill(255, 0, 20 * 20 * 3);
  const file = await sharp(frames, { raw: { width: 20, height: 40, channels: 3, pageHeight: 20 } })
    .gif({ loop: 0, delay: [100, 100] })
    .toBuffer();
  expect((await sharp(file).metadata()).pages).toBe(2);
  const { width, height, first } = await prepared(file);
  expect({ width, height }).toEqual({ width: 20, height: 20 });
  expectColour(first.slice(0, 3), [255, 255, 255]);
});

test.each([
  ["one pixel", 1, 1, { width: 1, height: 1, widths: [1] }],
  ["narrow and high", 3, 16_000, { width: 3, height: 16_000, widths: [3] }],
  ["wide and low", 16_000, 3, { width: 1_600, height: 1, widths: [400, 800, 1_600] }],
  ["small", 401, 300, { width: 401, height: 300, widths: [400, 401] }],
])("%s is never enlarged", async (_name, width, height, { widths, ...size }) => {
  const result = await prepared(await plain(width, height).png().toBuffer());
  expect(result).toMatchObject(size);
  expect(result.files.map((file) => `${file.width} ${file.format}`)).toEqual(
    widths.flatMap((one) => [`${one} webp`, `${one} jpeg`]),
  );
});

/** A PNG with 16 bits a channel and a header that says another size, and that it is interlaced. */
async function interlaced(width: number, height: number): Promise<Buffer> {
  const png = await plain(10, 10).toColourspace("rgb16").png().toBuffer();
  png.writeUInt32BE(width, 16);
  png.writeUInt32BE(height, 20);
  png.writeUInt8(1, 28);
  png.writeUInt32BE(crc32(png.subarray(12, 29)), 29);
  return png;
}

/** A progressive JPEG whose header says another size. */
async function progressive(width: number, height: number): Promise<Buffer> {
  const jpeg = await plain(10, 10).jpeg({ progressive: true }).toBuffer();
  const frame = jpeg.indexOf(Buffer.from([0xff, 0xc2]));
  jpeg.writeUInt16BE(height, frame + 5);
  jpeg.writeUInt16BE(width, frame + 7);
  return jpeg;
}

test.each([
  ["an interlaced PNG", interlaced],
  ["a progressive JPEG", progressive],
])("%s, which is decoded as a whole, may have fewer pixels", async (_form, make) => {
  const advice = "Save it smaller, or as a plain JPEG or PNG.";
  expect(await prepare(await make(7_000, 7_000))).toEqual({
    kind: "refused",
    detail: `The picture is 7,000 × 7,000 pixels; at most 25 megapixels are accepted in this form. ${advice}`,
  });
  expect(await prepare(await make(12_000, 12_000))).toEqual({
    kind: "refused",
    detail: "The picture is 12,000 × 12,000 pixels; at most 50 megapixels are accepted.",
  });
});

test.each([
  ["\0\0\0\x18ftypheic\0\0\0\0mif1heic", "HEIC is not accepted, because few browsers show it"],
  ["%PDF-1.7", "The file is not a picture that the shop can read"],
  ["MM\0*\0\0\0\x08", "The file is not a picture that the shop can read"],
  ["<!-- a drawing --><svg onload='alert(1)'/>", "SVG is not accepted"],
  ["\x89PNG\r\n\x1a\n", "The picture is damaged"],
  ["GIF89a<svg/>", "The picture is damaged"],
])("%j is refused", async (file, detail) => {
  expect(await prepare(Buffer.from(file, "latin1"))).toEqual({
    kind: "refused",
    detail: expect.stringContaining(detail),
  });
});
