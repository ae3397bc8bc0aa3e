import type { FieldError } from "@keepsats/domain";
import type { Category } from "@keepsats/protocol";
import { findCategory } from "./categories.ts";
import type { Item } from "./item.ts";
import { missingPictures } from "./pictures/available-pictures.ts";

/** The pictures and categories that items may refer to. */
export interface References {
  /** The paths of the shop's own pictures. */
  readonly pictures: ReadonlySet<string>;
  readonly categories: readonly Category[];
}

/**
 * Checks the new pictures and the category of an item. Returns it with the stored name of its
 * category. `variantErrors` checks `variant_of`.
 */
export function checkReferences(
  item: Item,
  known: Item | undefined,
  { pictures, categories }: References,
): { readonly item: Item; readonly errors: readonly FieldError[] } {
  const errors = missingPictures(item, known, pictures);
  if (item.category === null) return { item, errors };
  const category = findCategory(categories, item.category);
  if (category === undefined) {
    const message = "is not the name or id of a category";
    return { item, errors: [...errors, { path: "category", message }] };
  }
  return { item: { ...item, category: category.name }, errors };
}
