import { readFile } from "node:fs/promises";
import {
  itemPatchSchema,
  MAX_PICTURE_BYTES,
  merchantItemSchema,
  paths,
  pictureSchema,
  withId,
} from "@keepsats/protocol";
import * as z from "zod/mini";
import type { Client } from "../client.ts";
import type { Call } from "../command.ts";
import { usageError } from "../exit.ts";
import { json, printable } from "../output.ts";
import { report } from "./edit-items.ts";

/**
 * `pictures upload FILE`: uploads a picture, and prints the address under which the shop has it.
 */
export async function uploadPicture({
  client,
  output,
  args: [named = ""],
  fileOf,
}: Call): Promise<void> {
  const picture = await upload(client, await readPicture(fileOf(named)));
  output.line(output.json ? json(z.encode(pictureSchema, picture)) : printable(picture.url));
}

/** `items picture ID FILE`: uploads a picture, and makes it the first of the item. */
export async function uploadItemPicture({
  client,
  output,
  args: [id = "", named = ""],
  fileOf,
}: Call) {
  const file = await readPicture(fileOf(named));
  const path = withId(paths.merchant.item, id);
  // An unknown item is refused before anything is uploaded: a patch without fields changes nothing.
  await client.call({ method: "PATCH", path, body: {}, answer: merchantItemSchema });
  const { url } = await upload(client, file);
  const item = await client.call({
    method: "PATCH",
    path,
    body: z.encode(itemPatchSchema, { image_url: url }),
    answer: merchantItemSchema,
  });
  report(output, item, `has the picture ${url} now`);
}

function upload(client: Client, file: Uint8Array<ArrayBuffer>) {
  return client.call({
    method: "POST",
    path: paths.merchant.pictures,
    file,
    answer: pictureSchema,
  });
}

/** @throws {CommandFailed} if the file cannot be read, or is larger than the shop takes */
async function readPicture(file: string): Promise<Uint8Array<ArrayBuffer>> {
  const bytes = await readFile(file).catch((error: unknown) => {
    const why = error instanceof Error ? error.message : String(error);
    throw usageError(printable(`${file} cannot be read: ${why}`));
  });
  if (bytes.length <= MAX_PICTURE_BYTES) return bytes;
  throw usageError(`${printable(file)} is too large: a picture may have at most 12 MB.`);
}
