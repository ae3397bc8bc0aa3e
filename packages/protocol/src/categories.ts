import * as z from "zod/mini";
import { itemIdSchema } from "./admin-items.ts";
import { expectedText, singleLine } from "./texts.ts";
import { unique } from "./unique.ts";

/** The maximum number of categories: each is a link above the catalogue. */
export const MAX_CATEGORIES = 30;

/** The maximum length of a category's name. */
export const MAX_CATEGORY_NAME = 60;

/** A category of items. Its id, made from its first name, is in the address `/?category=kitchen`. */
const categorySchema = z.object({ id: z.string(), name: z.string() });
export type Category = z.output<typeof categorySchema>;

/** All categories in the order of their links. */
export const categoriesSchema = z.object({ categories: z.array(categorySchema) });

/** Names are unique without regard to case. */
export function categoryKey(name: string): string {
  return name.normalize("NFKC").toLowerCase();
}

/** All categories in their new order. One without an id is new; one that is missing is removed. */
const writtenCategories = z
  .array(z.strictObject({ id: z.optional(itemIdSchema), name: singleLine(MAX_CATEGORY_NAME) }))
  .check(
    z.maxLength(MAX_CATEGORIES, `must be at most ${MAX_CATEGORIES} categories`),
    unique("name", "is already the name of another category", categoryKey),
    unique("id", "is already the id of another category"),
  );
export type WrittenCategories = z.output<typeof writtenCategories>;

/** The body of `PUT categories`. If the categories differ from `expected`, nothing is changed. */
export const categoriesWriteSchema = z.strictObject({
  categories: writtenCategories,
  expected: z.optional(
    z
      .array(z.strictObject({ id: expectedText, name: expectedText }))
      .check(z.maxLength(MAX_CATEGORIES)),
  ),
});
