import type { FieldError } from "@keepsats/domain";
import type { ItemPatch } from "@keepsats/protocol";
import { isThere } from "../pictures/own-pictures.ts";
import type { Item } from "./item.ts";

const missing =
  'the shop has no such picture: put it into catalogue/pictures and run "npm run build", or give an https address';

/**
 * An error for each of the shop's own pictures that an item gets and that does not exist. Pictures
 * that the item had before are not checked.
 */
export function missingPictures(
  { image_url, image_urls = [] }: ItemPatch,
  before: Item | undefined,
  pictures: ReadonlySet<string>,
): FieldError[] {
  const known = new Set(before === undefined ? [] : [before.image_url, ...before.image_urls]);
  const given = [
    ...(image_url === undefined ? [] : [{ path: "image_url", url: image_url }]),
    ...image_urls.map((url, index) => ({ path: `image_urls.${index}`, url })),
  ];
  return given
    .filter(({ url }) => !known.has(url) && !isThere(url, pictures))
    .map(({ path }) => ({ path, message: missing }));
}
