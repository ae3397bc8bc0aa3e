import { expect, test } from "vitest";
import { pictureWidths, srcSetOf, uploadedPictureOf, uploadedPictureUrl } from "./pictures.ts";

const id = "0123456789abcdef".repeat(2);

test("the path of a stored picture has its id and its width", () => {
  const kept = { id, width: 1_600 };
  expect(uploadedPictureOf(uploadedPictureUrl(kept))).toEqual(kept);
});

test.each([
  "/pictures/moka-pot.svg",
  `/pictures/${id}`,
  `/pictures/${id}-0`,
  `/pictures/${id}-0400`,
  `/pictures/${id}-400.webp`,
  `/pictures/${id.toUpperCase()}-400`,
  `/other/pictures/${id}-400`,
  `https://cdn.example/pictures/${id}-400`,
])("%s is not a stored picture", (url) => {
  expect(uploadedPictureOf(url)).toBeUndefined();
});

test.each([
  [1, [1]],
  [400, [400]],
  [401, [400, 401]],
  [1_600, [400, 800, 1_600]],
])("a picture of width %d is served in the widths %j", (width, widths) => {
  expect(pictureWidths(width)).toEqual(widths);
});

test("only a stored picture has a srcset", () => {
  expect(srcSetOf("/pictures/moka-pot.svg")).toBeUndefined();
  expect(srcSetOf(`https://cdn.example/pictures/${id}-400`)).toBeUndefined();
});

test("the srcset has all widths of a picture", () => {
  const at = (width: number) => `/pictures/${id}-${width} ${width}w`;
  expect(srcSetOf(`/pictures/${id}-900`)).toBe(`${at(400)},${at(800)},${at(900)}`);
});
