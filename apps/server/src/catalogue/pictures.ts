import { readdir } from "node:fs/promises";
import { join } from "node:path";
import type { FieldError } from "@keepsats/domain";
import type { Item } from "./item.ts";

/** What is said of an item whose picture the shop does not have. */
export const missingPicture: FieldError = {
  path: "image_url",
  message:
    'the shop has no such picture: put it into catalogue/pictures and run "npm run build", or give an https address',
};

/**
 * The shop's own pictures, as they are now.
 *
 * @param webRoot the folder of the built web app
 * @returns their paths, decoded, such as `/pictures/blue mug.svg`
 */
export async function listPictures(webRoot: string): Promise<ReadonlySet<string>> {
  const folder = join(webRoot, "pictures");
  const files = await readdir(folder, { recursive: true }).catch(() => []);
  return new Set(files.map((file) => `/pictures/${file.replaceAll("\\", "/")}`));
}

/** Whether an item gets a picture of the shop's own that is not there. One that it had already is not looked at. */
export function isMissingPicture(
  { imageUrl }: Item,
  before: Item | undefined,
  pictures: ReadonlySet<string>,
): boolean {
  if (imageUrl === before?.imageUrl || !imageUrl.startsWith("/")) return false;
  const path = decodedPath(imageUrl);
  return path === undefined || !pictures.has(path);
}

/** `undefined` where it cannot be decoded: the shop has no such file. */
function decodedPath(url: string): string | undefined {
  const [path = ""] = url.split(/[?#]/);
  try {
    return decodeURIComponent(path);
  } catch {
    return undefined;
  }
}
