import type { FieldError } from "@keepsats/domain";
import type { Queries, UnitOfWork } from "../../platform/database/database.ts";
import type { Item } from "./item.ts";

/*
 * Variants are items that share a page. The main item has `variant_of` null, and its variants have
 * its id there. If the main item is hidden, the first shown variant represents the group.
 */

interface VariantFacts {
  /** The item that `variant_of` names; `undefined` if there is none. */
  readonly main: Pick<Item, "variant_of"> | undefined;
  /** Whether the item itself has variants. */
  readonly hasVariants: boolean;
}

/** Checks a new value of `variant_of`. */
export function variantErrors(
  { id, variant_of: mainId }: Pick<Item, "id" | "variant_of">,
  known: Pick<Item, "variant_of"> | undefined,
  { main, hasVariants }: VariantFacts,
): FieldError[] {
  if (mainId === null || mainId === known?.variant_of) return [];
  const error = (message: string) => [{ path: "variant_of", message }];
  if (mainId === id) return error("must not be the item itself");
  if (main === undefined) return error("is not the id of an item");
  if (main.variant_of !== null) return error(`is itself a variant of "${main.variant_of}"`);
  if (hasVariants) return error("must be empty, because the item has variants");
  return [];
}

/** Returns the ids of an item's variants in the order of the catalogue. */
export async function findVariants(db: Queries, id: string): Promise<string[]> {
  const rows = await db
    .selectFrom("items")
    .select("id")
    .where("variant_of", "=", id)
    .orderBy("position")
    .execute();
  return rows.map((row) => row.id);
}

/** Makes the first of several locked variants the main item of the others. */
export async function promoteVariant(
  { db }: UnitOfWork,
  [first, ...others]: readonly string[],
): Promise<void> {
  if (first === undefined) return;
  await db.updateTable("items").set({ variant_of: null }).where("id", "=", first).execute();
  if (others.length > 0)
    await db.updateTable("items").set({ variant_of: first }).where("id", "in", others).execute();
}

/** The ids of the items that represent their groups, by the id of the main item. */
export function representatives(shown: readonly Item[]): ReadonlyMap<string, string> {
  const byMain = new Map<string, string>();
  for (const { id, variant_of } of shown) {
    const main = variant_of ?? id;
    if (variant_of === null || !byMain.has(main)) byMain.set(main, id);
  }
  return byMain;
}
