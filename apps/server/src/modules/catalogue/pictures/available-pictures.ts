import { readdir } from "node:fs/promises";
import { join } from "node:path";
import type { FieldError } from "@keepsats/domain";
import type { ItemPatch } from "@keepsats/protocol";
import type { Queries } from "../../../platform/database/database.ts";
import type { Item } from "../item.ts";
import { findStored } from "./picture-repository.ts";

const MISSING =
  'the shop has no such picture: put it into catalogue/pictures and run "npm run build", or give an https address';

/**
 * Lists the pictures in the shop's folder.
 *
 * @param webRoot the folder of the built storefront
 * @returns their decoded paths, such as `/pictures/blue mug.svg`
 */
export async function listPictures(webRoot: string): Promise<ReadonlySet<string>> {
  const folder = join(webRoot, "pictures");
  const files = await readdir(folder, { recursive: true }).catch(() => []);
  return new Set(files.map((file) => `/pictures/${file.replaceAll("\\", "/")}`));
}

/** Adds to the pictures in the shop's folder the uploaded ones that these items refer to. */
export async function findAvailablePictures(
  db: Queries,
  written: readonly ItemPatch[],
  inFolder: ReadonlySet<string>,
): Promise<ReadonlySet<string>> {
  const urls = written.flatMap(({ image_url, image_urls = [] }) =>
    image_url === undefined ? image_urls : [image_url, ...image_urls],
  );
  return new Set([...inFolder, ...(await findStored(db, urls))]);
}

/**
 * Whether the shop has the picture at a URL. Pictures on other sites are not checked.
 *
 * @param pictures the decoded paths of the shop's own pictures
 */
export function isAvailable(url: string, pictures: ReadonlySet<string>): boolean {
  if (!url.startsWith("/")) return true;
  const path = decodedPath(url);
  return path !== undefined && pictures.has(path);
}

function decodedPath(url: string): string | undefined {
  const [path = ""] = url.split(/[?#]/);
  try {
    return decodeURIComponent(path);
  } catch {
    return undefined;
  }
}

/** Returns an error for each new picture of an item that the shop does not have. */
export function missingPictures(
  { image_url, image_urls }: Item,
  before: Item | undefined,
  pictures: ReadonlySet<string>,
): FieldError[] {
  const known = new Set(before === undefined ? [] : [before.image_url, ...before.image_urls]);
  const given = [
    { path: "image_url", url: image_url },
    ...image_urls.map((url, index) => ({ path: `image_urls.${index}`, url })),
  ];
  return given
    .filter(({ url }) => !known.has(url) && !isAvailable(url, pictures))
    .map(({ path }) => ({ path, message: MISSING }));
}
