import { expect, test } from "vitest";
import type { Item } from "./item.ts";
import { isMissingPicture } from "./pictures.ts";

const pictures = new Set(["/pictures/blue mug.svg"]);
const itemWith = (image_url: string): Item => ({
  id: "mug",
  name: "Mug",
  description: "Holds coffee.",
  price: 1_200,
  image_url,
  hidden: false,
});

test.each([
  ["/pictures/blue%20mug.svg?v=2", false],
  ["/pictures/red%20mug.svg", true],
  ["/pictures/%ff.png", true],
  ["https://cdn.example/%ff.png", false],
])("the picture %s is missing: %s", (image_url, missing) => {
  expect(isMissingPicture(itemWith(image_url), undefined, pictures)).toBe(missing);
});

test("a picture that the item had before is not checked", () => {
  const item = itemWith("/pictures/%ff.png");
  expect(isMissingPicture(item, item, pictures)).toBe(false);
});
