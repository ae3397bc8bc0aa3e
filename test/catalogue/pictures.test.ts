import { crc32 } from "node:zlib";
import { MAX_PICTURE_BYTES, paths, pictureSchema, withId } from "@keepsats/protocol";
import sharp from "sharp";
import { describe, expect, test } from "vitest";
import { problemOf } from "../harness/customer.ts";
import { postgres } from "../harness/databases.ts";
import { type Shop, startShop } from "../harness/shop.ts";
import { callAdminApi } from "../harness/staff.ts";
import { useResource } from "../harness/use-resource.ts";

const shop = useResource(() => startShop());

/** One colour, each pixel; `shade` makes a file that no other test has. */
const colour = (width: number, height: number, shade: number) =>
  sharp({ create: { width, height, channels: 3, background: { r: shade, g: 80, b: 200 } } });

function send(
  { url, token }: Pick<Shop, "url" | "token">,
  file: Uint8Array<ArrayBuffer> | string,
  type = "application/octet-stream",
): Promise<Response> {
  const headers = { authorization: `Bearer ${token}`, "content-type": type };
  return fetch(`${url}${paths.admin.pictures}`, { method: "POST", headers, body: file });
}

async function upload(on: Pick<Shop, "url" | "token">, file: Uint8Array<ArrayBuffer>) {
  const response = await send(on, file);
  expect(response.status).toBe(201);
  return pictureSchema.parse(await response.json());
}

function load({ url }: Pick<Shop, "url">, path: string, headers: Record<string, string> = {}) {
  return fetch(`${url}${path}`, { headers: { accept: "image/avif,image/webp,*/*", ...headers } });
}

async function sizeAt(on: Pick<Shop, "url">, path: string) {
  const answer = await load(on, path);
  expect(answer.headers.get("content-type")).toBe("image/webp");
  const { width, height, format, orientation, exif } = await sharp(await answer.bytes()).metadata();
  expect({ format, orientation, exif }).toEqual({
    format: "webp",
    orientation: undefined,
    exif: undefined,
  });
  return [width, height];
}

test.each([
  ["PNG", (shade: number) => colour(2_000, 1_000, shade).png(), 1],
  ["WebP", (shade: number) => colour(2_000, 1_000, shade).webp(), 2],
  ["AVIF", (shade: number) => colour(2_000, 1_000, shade).avif({ effort: 0 }), 3],
  ["GIF", (shade: number) => colour(2_000, 1_000, shade).gif(), 4],
  [
    "JPEG on its side",
    (shade: number) => colour(1_000, 2_000, shade).jpeg().withMetadata({ orientation: 6 }),
    5,
  ],
])("%s is served in every width, upright and without metadata", async (_name, make, shade) => {
  const picture = await upload(shop, Uint8Array.from(await make(shade).toBuffer()));
  expect(picture).toMatchObject({ width: 1_600, height: 800, widths: [400, 800, 1_600] });
  const at = (width: number) => `/pictures/${picture.id}-${width}`;
  expect(picture.url).toBe(at(1_600));
  expect(await Promise.all(picture.widths.map((width) => sizeAt(shop, at(width))))).toEqual([
    [400, 200],
    [800, 400],
    [1_600, 800],
  ]);
});

test("a picture is immutable, and has a type that the client accepts", async () => {
  const { url, id } = await upload(
    shop,
    Uint8Array.from(await colour(500, 400, 10).png().toBuffer()),
  );
  const answer = await load(shop, url);
  expect(Object.fromEntries(answer.headers)).toMatchObject({
    "cache-control": "public, max-age=31536000, immutable",
    "content-type": "image/webp",
    "x-content-type-options": "nosniff",
    "cross-origin-resource-policy": "cross-origin",
    vary: "Accept",
  });
  const old = await load(shop, url, { accept: "image/png,*/*" });
  expect(old.headers.get("content-type")).toBe("image/jpeg");
  expect((await sharp(await old.bytes()).metadata()).format).toBe("jpeg");
  for (const none of [`/pictures/${id}-501`, `/pictures/${id}`, `/pictures/${"0".repeat(32)}-400`])
    expect((await load(shop, none)).status, none).toBe(404);
});

test("the same file is the same picture", async () => {
  const file = Uint8Array.from(await colour(300, 300, 20).png().toBuffer());
  const [one, other] = [await upload(shop, file), await upload(shop, file)];
  expect(other).toEqual(one);
  expect(one).toMatchObject({ width: 300, widths: [300] });
});

/** A PNG whose header says another size than its pixels have. */
async function withSize(width: number, height: number): Promise<Uint8Array<ArrayBuffer>> {
  const png = await colour(10, 10, 30).png().toBuffer();
  png.writeUInt32BE(width, 16);
  png.writeUInt32BE(height, 20);
  png.writeUInt32BE(crc32(png.subarray(12, 29)), 29);
  return Uint8Array.from(png);
}

const bytes = (text: string) => Uint8Array.from(Buffer.from(text));
const DAMAGED = "The picture is damaged or incomplete, and cannot be read.";
const TAKEN = "PNG, JPEG, WebP, AVIF and GIF are accepted";

test.each([
  [
    "51 megapixels",
    async () => Uint8Array.from(await colour(7_200, 7_100, 31).png().toBuffer()),
    "The picture is 7,200 × 7,100 pixels; at most 50 megapixels are accepted.",
  ],
  [
    "a bomb",
    () => withSize(200_000, 200_000),
    "The picture is 200,000 × 200,000 pixels; at most 50 megapixels are accepted.",
  ],
  [
    "a very long picture",
    () => withSize(1, 20_000),
    "The picture is 1 × 20,000 pixels; at most 16,000 pixels a side are accepted.",
  ],
  ["a picture that claims to be larger", () => withSize(3_000, 3_000), DAMAGED],
  [
    "half a picture",
    async () => Uint8Array.from((await colour(900, 900, 32).jpeg().toBuffer()).subarray(0, 3_000)),
    DAMAGED,
  ],
  [
    "text that is called a picture",
    async () => bytes("<p>Hello</p>"),
    `The file is not a picture that the shop can read; ${TAKEN}.`,
  ],
  [
    "SVG",
    async () =>
      bytes(
        '<?xml version="1.0"?><svg xmlns="http://www.w3.org/2000/svg"><script>alert(1)</script></svg>',
      ),
    `SVG is not accepted, because it can contain scripts; ${TAKEN}. Export the drawing as PNG.`,
  ],
  ["an empty file", async () => bytes(""), "The file is empty."],
])("%s is refused with a clear message", async (_name, make, detail) => {
  const response = await send(shop, await make(), "image/png");
  expect(await problemOf(response)).toMatchObject({ status: 422, code: "invalid", detail });
});

test("a file that is too large, of a wrong type, or from a stranger is refused", async () => {
  const large = await send(shop, new Uint8Array(MAX_PICTURE_BYTES + 1));
  expect(await problemOf(large)).toMatchObject({
    code: "too_large",
    detail: "A picture may have at most 12 MB.",
  });
  const form = await send(shop, "{}", "application/json");
  expect(await problemOf(form)).toMatchObject({
    code: "wrong_type",
    detail: expect.stringContaining("image/…"),
  });
  expect((await send({ url: shop.url, token: "wrong" }, bytes("x"))).status).toBe(401);
});

test("of many concurrent uploads most are refused before they are read, and each is answered", async () => {
  const large = new Uint8Array(MAX_PICTURE_BYTES);
  const all = await Promise.all(Array.from({ length: 20 }, () => send(shop, large)));
  const statuses = all.map(({ status }) => status);
  expect(new Set(statuses)).toEqual(new Set([422, 503]));
  for (const { status, headers } of all) expect(headers.has("retry-after")).toBe(status === 503);
  expect((await send(shop, bytes("x"))).status).toBe(422);
});

test("while a large picture is prepared, other requests are answered", async () => {
  const file = Uint8Array.from(await colour(5_000, 5_000, 40).png().toBuffer());
  const answered: string[] = [];
  const uploading = upload(shop, file).then(() => answered.push("picture"));
  for (let request = 0; request < 5; request += 1) {
    expect((await fetch(`${shop.url}${paths.items}`)).status).toBe(200);
    answered.push("items");
  }
  await uploading;
  expect(answered).toEqual([...Array.from({ length: 5 }, () => "items"), "picture"]);
});

test("an item can have only a picture that the shop has", async () => {
  const { url, id } = await upload(
    shop,
    Uint8Array.from(await colour(900, 600, 50).png().toBuffer()),
  );
  const path = withId(paths.admin.item, "moka-pot");
  expect((await callAdminApi(shop, "PATCH", path, { image_url: url })).status).toBe(200);
  for (const none of [`/pictures/${"0".repeat(32)}-900`, `/pictures/${id}-400`]) {
    const refused = await callAdminApi(shop, "PATCH", path, { image_urls: [none] });
    expect(refused).toMatchObject({ status: 422 });
  }
  await callAdminApi(shop, "PATCH", path, { image_url: "/pictures/moka-pot.svg" });
});

test("the page preloads the first picture in the size that fits", async () => {
  const { url, id } = await upload(
    shop,
    Uint8Array.from(await colour(900, 600, 55).png().toBuffer()),
  );
  const list: { id: string; image_url: string }[] = await (
    await fetch(`${shop.url}${paths.items}`)
  ).json();
  const [first] = list;
  const path = withId(paths.admin.item, first?.id ?? "");
  await callAdminApi(shop, "PATCH", path, { image_url: url });
  const link = (await fetch(shop.url)).headers.get("link");
  await callAdminApi(shop, "PATCH", path, { image_url: first?.image_url });
  const at = (width: number) => `/pictures/${id}-${width} ${width}w`;
  expect(link).toContain(
    `imagesrcset="${at(400)},${at(800)},${at(900)}"; imagesizes="(min-width:84rem)27rem,(min-width:64rem)24rem`,
  );
});

describe("two servers on PostgreSQL", () => {
  test("serve the picture that one of them was sent", async () => {
    await using testDatabase = await postgres.newTestDatabase();
    const config = { database: { kind: "postgres", url: testDatabase.url } } as const;
    await using one = await startShop({ config });
    await using other = await startShop({ config });
    const { url } = await upload(one, Uint8Array.from(await colour(450, 300, 70).png().toBuffer()));
    expect(await sizeAt(other, url)).toEqual([450, 300]);
  });
});
