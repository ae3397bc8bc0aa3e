import { readdir } from "node:fs/promises";
import { join } from "node:path";
import type { FieldError } from "@keepsats/domain";
import type { Item } from "./item.ts";

const missing =
  'the shop has no such picture: put it into catalogue/pictures and run "npm run build", or give an https address';

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

/**
 * An error for each of the shop's own pictures that an item gets and that does not exist. Pictures that the item had before
 * are not checked.
 */
export function missingPictures(
  { image_url, image_urls }: Item,
  before: Item | undefined,
  pictures: ReadonlySet<string>,
): FieldError[] {
  const known = new Set(before === undefined ? [] : [before.image_url, ...before.image_urls]);
  const given = [{ path: "image_url", url: image_url }].concat(
    image_urls.map((url, index) => ({ path: `image_urls.${index}`, url })),
  );
  return given
    .filter(({ url }) => !known.has(url) && !isThere(url, pictures))
    .map(({ path }) => ({ path, message: missing }));
}

/** Whether a picture is one on the web or one that the shop has. */
function isThere(url: string, pictures: ReadonlySet<string>): boolean {
  if (!url.startsWith("/")) return true;
  const path = decodedPath(url);
  return path !== undefined && pictures.has(path);
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
