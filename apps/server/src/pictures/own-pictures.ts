import { readdir } from "node:fs/promises";
import { join } from "node:path";

/**
 * Lists the pictures in the shop's folder.
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
 * Whether an address is one on the web, or that of a picture which the shop has.
 *
 * @param pictures the paths of the pictures that the shop has, decoded
 */
export function isThere(url: string, pictures: ReadonlySet<string>): boolean {
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
