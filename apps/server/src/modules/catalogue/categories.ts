import { itemIdOf } from "@keepsats/domain";
import {
  type Category,
  categoriesSchema,
  categoriesWriteSchema,
  categoryKey,
  paths,
  type WrittenCategories,
} from "@keepsats/protocol";
import type { FastifyInstance } from "fastify";
import * as z from "zod/mini";
import type { Queries, UnitOfWork } from "../../platform/database/database.ts";
import { noFields, type Operation } from "../../platform/http/operation.ts";
import { get, put, route } from "../../platform/http/route.ts";
import { Refusal } from "../../platform/refusal.ts";
import { lockItems } from "./item-repository.ts";

/** Returns all categories in their order. */
export function listCategories(db: Queries): Promise<Category[]> {
  return db.selectFrom("categories").select(["id", "name"]).orderBy("position").execute();
}

/** Finds a category by its name, regardless of case, or by its id. */
export function findCategory(categories: readonly Category[], text: string): Category | undefined {
  const key = categoryKey(text);
  return (
    categories.find(({ name }) => categoryKey(name) === key) ??
    categories.find(({ id }) => id === text)
  );
}

/**
 * Replaces all categories, unless they are not as expected. The items of a removed one have none.
 * The caller has locked the catalogue.
 */
export async function replaceCategories(
  unit: UnitOfWork,
  written: WrittenCategories,
  expected: readonly Category[] | undefined,
): Promise<Category[] | Refusal> {
  const known = await listCategories(unit.db);
  const ids = new Set(known.map(({ id }) => id));
  const index = written.findIndex(({ id }) => id !== undefined && !ids.has(id));
  if (expected !== undefined && JSON.stringify(known) !== JSON.stringify(expected))
    return new Refusal("categories_changed", {
      detail: "The categories have changed since they were read. Nothing was stored.",
    });
  if (index >= 0) {
    const errors = [{ path: `categories.${index}.id`, message: "is not a category" }];
    return new Refusal("invalid", { errors });
  }
  const categories = written.map(({ id, name }) => {
    const categoryId = id ?? itemIdOf(name, (wanted) => ids.has(wanted));
    ids.add(categoryId);
    return { id: categoryId, name };
  });
  const kept = new Set(categories.map(({ id }) => id));
  await clearCategories(
    unit,
    known.flatMap(({ id }) => (kept.has(id) ? [] : id)),
  );
  await unit.db.deleteFrom("categories").execute();
  const rows = categories.map((category, position) => ({
    ...category,
    name_key: categoryKey(category.name),
    position,
  }));
  if (rows.length > 0) await unit.db.insertInto("categories").values(rows).execute();
  return categories;
}

async function clearCategories(unit: UnitOfWork, removed: readonly string[]): Promise<void> {
  if (removed.length === 0) return;
  const items = await unit.db
    .selectFrom("items")
    .select("id")
    .where("category_id", "in", removed)
    .execute();
  await lockItems(
    unit,
    items.map(({ id }) => id),
  );
  await unit.db
    .updateTable("items")
    .set({ category_id: null })
    .where("category_id", "in", removed)
    .execute();
}

const list = {
  operationId: "listCategories",
  summary: "List the categories of items",
  permission: "items:read",
  takes: noFields,
  answers: { 200: categoriesSchema },
} satisfies Operation;

const replaceAll = {
  operationId: "putCategories",
  summary: "Replace the categories of items",
  description:
    "The list has all categories in their new order. One with its id is kept, and renamed if its name differs; one without an id is added; one that is missing is removed, and its items have no category. Names are unique without regard to case. `expected` may contain the list as it was last read: if it has changed since, nothing is stored and the answer is 409 categories_changed.",
  permission: "items:write",
  takes: z.object({ body: categoriesWriteSchema }),
  answers: { 200: categoriesSchema },
} satisfies Operation;

export function categoryRoutes(
  app: FastifyInstance,
  db: Queries,
  replace: (
    written: WrittenCategories,
    expected: readonly Category[] | undefined,
  ) => ReturnType<typeof replaceCategories>,
): void {
  route(app, get(paths.admin.categories), list, async () => ({
    categories: await listCategories(db),
  }));
  route(app, put(paths.admin.categories), replaceAll, async ({ body }) => {
    const categories = await replace(body.categories, body.expected);
    return categories instanceof Refusal ? categories : { categories };
  });
}
