import type { ImportedItem } from "@keepsats/protocol";
import type { Queries } from "../../../platform/database/database.ts";
import { createYield } from "../../../platform/scheduling/yield-to-event-loop.ts";
import { listCategories } from "../categories.ts";
import { findStockCounts, lastEdit, listItems } from "../item-repository.ts";
import { findAvailablePictures } from "../pictures/available-pictures.ts";
import { type Planned, planImport } from "./plan-import.ts";

/** A plan made before the transaction of its import, and the state that it was made from. */
interface PlannedAhead {
  readonly planned: Planned;
  readonly edit: string | undefined;
  readonly pictures: ReadonlySet<string>;
  /** The stock of each counted item, by its id. */
  readonly counts: ReadonlyMap<string, number>;
}

/** The share of the time that planning takes while there are requests. */
const PLANNING_SHARE = 1 / 4;

/**
 * Plans an import before its transaction, because on SQLite all orders wait for a transaction.
 * Inside it, {@link isCurrent} decides whether the plan can be used.
 *
 * @param inFolder the paths of the pictures in the shop's folder
 */
export async function planAhead(
  db: Queries,
  items: readonly ImportedItem[],
  inFolder: ReadonlySet<string>,
): Promise<PlannedAhead> {
  const yieldToEventLoop = createYield({ share: PLANNING_SHARE });
  // Read first: an edit while the items are read makes the plan outdated.
  const edit = await lastEdit(db);
  const pictures = await findAvailablePictures(db, items, inFolder);
  const categories = await listCategories(db);
  const known = await listItems(db, yieldToEventLoop);
  const counts = new Map(
    known.flatMap(({ id, stock }) => (stock === null ? [] : [[id, stock] as const])),
  );
  return {
    planned: await planImport(known, items, { pictures, categories }, yieldToEventLoop),
    edit,
    pictures,
    counts,
  };
}

/**
 * Whether the catalogue, the stock and the pictures are still as they were when the plan was made.
 * The caller has locked the catalogue.
 */
export async function isCurrent(
  db: Queries,
  { edit, pictures, counts }: PlannedAhead,
  picturesNow: ReadonlySet<string>,
): Promise<boolean> {
  if ((await lastEdit(db)) !== edit) return false;
  if (picturesNow.size !== pictures.size) return false;
  if (![...picturesNow].every((picture) => pictures.has(picture))) return false;
  const countsNow = await findStockCounts(db);
  return (
    countsNow.size === counts.size &&
    [...countsNow].every(([id, stock]) => counts.get(id) === stock)
  );
}
