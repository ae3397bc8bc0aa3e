import type { ImportedItem, ItemPatch } from "@keepsats/protocol";
import type { Queries } from "../db/database.ts";
import { findKept } from "../pictures/picture-repository.ts";
import { createEndTurn } from "../turns.ts";
import { lastEdit } from "./edits.ts";
import { countsOf, listItems } from "./item-repository.ts";
import { type Planned, planImport } from "./plan-import.ts";

/** A plan that was made before the transaction of its import, and what it depends on. */
interface PlannedAhead {
  readonly planned: Planned;
  readonly edit: string | undefined;
  readonly pictures: ReadonlySet<string>;
  /** The stock of each item that is counted, by its id. */
  readonly counts: ReadonlyMap<string, number>;
}

/** The share of the time that planning takes while requests come. */
const SHARE = 1 / 4;

/**
 * Plans an import before its transaction, because with SQLite all orders wait for a transaction. In
 * it, {@link isStillTrue} tells whether the plan may be carried out.
 *
 * @param inFolder the paths of the pictures in the shop's folder
 */
export async function planAhead(
  db: Queries,
  items: readonly ImportedItem[],
  inFolder: ReadonlySet<string>,
): Promise<PlannedAhead> {
  const endTurn = createEndTurn({ share: SHARE });
  // Read first: an edit that is made while the items are read makes the plan untrue.
  const edit = await lastEdit(db);
  const pictures = await knownPictures(db, items, inFolder);
  const known = await listItems(db, endTurn);
  const counts = new Map(
    known.flatMap(({ id, stock }) => (stock === null ? [] : [[id, stock] as const])),
  );
  return { planned: await planImport(known, items, pictures, endTurn), edit, pictures, counts };
}

/**
 * Whether the catalogue, the counts and the pictures are still those of a plan. The catalogue is
 * locked.
 */
export async function isStillTrue(
  db: Queries,
  { edit, pictures, counts }: PlannedAhead,
  now: ReadonlySet<string>,
): Promise<boolean> {
  if ((await lastEdit(db)) !== edit) return false;
  if (now.size !== pictures.size || ![...now].every((picture) => pictures.has(picture)))
    return false;
  const countsNow = await countsOf(db);
  return (
    countsNow.size === counts.size &&
    [...countsNow].every(([id, stock]) => counts.get(id) === stock)
  );
}

/**
 * The paths of the pictures in the shop's folder, and those of the uploaded pictures that items are
 * to get.
 */
export async function knownPictures(
  db: Queries,
  written: readonly ItemPatch[],
  inFolder: ReadonlySet<string>,
): Promise<ReadonlySet<string>> {
  const urls = written.flatMap(({ image_url, image_urls = [] }) =>
    image_url === undefined ? image_urls : [image_url, ...image_urls],
  );
  return new Set([...inFolder, ...(await findKept(db, urls))]);
}
