import { pictureWidths, uploadedPictureOf, uploadedPictureUrl } from "@keepsats/domain";
import type { Picture } from "@keepsats/protocol";
import {
  type Database,
  padKeys,
  type Queries,
  type UnitOfWork,
} from "../../../platform/database/database.ts";
import { slices } from "../../../platform/scheduling/slices.ts";
import type { Format, PictureFile } from "./renditions.ts";

/** The size of a picture's largest rendition, in pixels. */
interface Size {
  readonly width: number;
  readonly height: number;
}

function pictureOf(id: string, { width, height }: Size): Picture {
  return {
    id,
    url: uploadedPictureUrl({ id, width }),
    width,
    height,
    widths: pictureWidths(width),
  };
}

/** Marks a picture as used. Returns `undefined` if the shop does not have it. */
export async function touchPicture(
  db: Queries,
  id: string,
  at: number,
): Promise<Picture | undefined> {
  const row = await db
    .updateTable("pictures")
    .set({ used_at: at })
    .where("id", "=", id)
    .returning(["width", "height"])
    .executeTakeFirst();
  return row === undefined ? undefined : pictureOf(id, row);
}

/** Stores a picture and its renditions, unless another process has stored the same. */
export async function storePicture(
  { inTransaction }: Database,
  id: string,
  {
    width,
    height,
    files,
    at,
  }: Size & { readonly files: readonly PictureFile[]; readonly at: number },
): Promise<Picture> {
  await inTransaction(async ({ db }) => {
    await db
      .insertInto("pictures")
      .values({ id, width, height, used_at: at })
      .onConflict((conflict) => conflict.column("id").doUpdateSet({ used_at: at }))
      .execute();
    const rows = files.map((file) => ({
      ...file,
      picture_id: id,
      content: Buffer.from(file.content),
    }));
    await db
      .insertInto("picture_files")
      .values(rows)
      .onConflict((conflict) => conflict.doNothing())
      .execute();
  });
  return pictureOf(id, { width, height });
}

export async function findPictureFile(
  db: Queries,
  id: string,
  { width, format }: { readonly width: number; readonly format: Format },
): Promise<Buffer | undefined> {
  const row = await db
    .selectFrom("picture_files")
    .select("content")
    .where("picture_id", "=", id)
    .where("width", "=", width)
    .where("format", "=", format)
    .executeTakeFirst();
  return row?.content;
}

const IDS_PER_QUERY = 500;

/** Returns the URLs that name the largest rendition of an uploaded picture. */
export async function findStored(db: Queries, urls: Iterable<string>): Promise<Set<string>> {
  const found = new Set<string>();
  for (const some of slices([...uploadedIds(urls)], IDS_PER_QUERY)) {
    const rows = await db
      .selectFrom("pictures")
      .select(["id", "width"])
      .where("id", "in", padKeys(some))
      .execute();
    for (const { id, width } of rows) found.add(uploadedPictureUrl({ id, width }));
  }
  return found;
}

/** Returns the ids of the uploaded pictures among URLs. */
export function uploadedIds(urls: Iterable<string>): Set<string> {
  return new Set([...urls].flatMap((url) => uploadedPictureOf(url)?.id ?? []));
}

export async function markUsed(db: Queries, used: ReadonlySet<string>, at: number): Promise<void> {
  for (const some of slices([...used], IDS_PER_QUERY)) {
    const marked = db.updateTable("pictures").set({ used_at: at });
    await marked.where("id", "in", padKeys(some)).execute();
  }
}

/** Returns the ids of pictures that were last used before a time, in epoch milliseconds. */
export async function findUnused(db: Queries, before: number, most: number): Promise<string[]> {
  const rows = await db
    .selectFrom("pictures")
    .select("id")
    .where("used_at", "<", before)
    .orderBy("used_at")
    .limit(most)
    .execute();
  return rows.map(({ id }) => id);
}

/** Deletes pictures and their renditions, except those that were used again since `before`. */
export async function deletePictures(
  { db }: UnitOfWork,
  ids: readonly string[],
  before: number,
): Promise<void> {
  if (ids.length === 0) return;
  await db
    .deleteFrom("pictures")
    .where("id", "in", [...ids])
    .where("used_at", "<", before)
    .execute();
}
