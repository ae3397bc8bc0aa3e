import { readdir } from "node:fs/promises";
import { join } from "node:path";
import type { FieldError } from "@keepsats/domain";
import type { Item } from "./item.ts";

/** The error for an item whose picture the shop does not have. */
export const missingPicture: FieldError = {
  path: "image_url",
  message:
    'the shop has no such picture: put it into catalogue/pictures and run "npm run build", or give an https address',
};

/**
 * Lists the shop's own pictures.
 *
 * @param webRoot the folder of the built web app
 * @returns their paths, decoded, such as `/pictures/blue mug.svg`
 */
export async function listPictures(webRoot: string): Promise<ReadonlySet<string>> {
  const folder = join(webRoot, "pictures");
  const files = await readdir(folder, { recursive: true }).catch(() => []);
  return new Set(files.map((file) => `/pictures/${file.replaceAll("\\", "/")}`));
}

/** Whether an item gets a picture of the shop's own that does not exist. A picture that the item had before is not checked. */
export function isMissingPicture(
  { image_url }: Item,
  before: Item | undefined,
  pictures: ReadonlySet<string>,
): boolean {
  if (image_url === before?.image_url || !image_url.startsWith("/")) return false;
  const path = decodedPath(image_url);
  return path === undefined || !pictures.has(path);
}

/** Decodes the path of a URL; `undefined` where it cannot be decoded. */
function decodedPath(url: string): string | undefined {
  const [path = ""] = url.split(/[?#]/);
  try {
    return decodeURIComponent(path);
  } catch {
    return undefined;
  }
}
