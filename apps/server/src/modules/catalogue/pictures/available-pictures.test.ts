import { expect, test } from "vitest";
import { aStoredItem } from "../../../../../../test/harness/builders.ts";
import { missingPictures } from "./available-pictures.ts";

const pictures = new Set(["/pictures/blue mug.svg"]);
const itemWith = (image_url: string) =>
  aStoredItem({ image_url, image_urls: ["https://cdn.example/mug.png", image_url] });

test.each([
  ["/pictures/blue%20mug.svg?v=2", false],
  ["/pictures/red%20mug.svg", true],
  ["/pictures/%ff.png", true],
  ["https://cdn.example/%ff.png", false],
])("the picture %s is missing: %s", (image_url, missing) => {
  const paths = missingPictures(itemWith(image_url), undefined, pictures).map(({ path }) => path);
  expect(paths).toEqual(missing ? ["image_url", "image_urls.1"] : []);
});

test("a picture that the item had before is not checked", () => {
  const item = itemWith("/pictures/%ff.png");
  expect(missingPictures(item, item, pictures)).toEqual([]);
});
