import type { FieldError } from "@keepsats/domain";
import type {
  Category,
  ImportAnswer,
  ImportedItem,
  ItemEdit,
  ItemPatch,
  ItemWrite,
  WrittenCategories,
} from "@keepsats/protocol";
import type { Queries, UnitOfWork } from "../../platform/database/database.ts";
import type { Platform } from "../../platform/platform.ts";
import { changedSinceRead, Refusal } from "../../platform/refusal.ts";
import { slices } from "../../platform/scheduling/slices.ts";
import { createYield } from "../../platform/scheduling/yield-to-event-loop.ts";
import { listCategories, replaceCategories } from "./categories.ts";
import { isCurrent, planAhead } from "./import/plan-ahead.ts";
import { type ImportPlan, planImport } from "./import/plan-import.ts";
import {
  alikeIdError,
  blankItem,
  changedFields,
  type Item,
  patchedItem,
  unexpectedFields,
} from "./item.ts";
import {
  deleteItem,
  findAlikeId,
  findItem,
  listItems,
  lockItems,
  type PositionedItem,
  positionedAtEnd,
  recordEdit,
  storeItems,
  storePositioned,
} from "./item-repository.ts";
import { findVariants, promoteVariant, variantErrors } from "./item-variants.ts";
import { findAvailablePictures } from "./pictures/available-pictures.ts";
import { checkReferences } from "./references.ts";

export type ImportOutcome =
  | { readonly kind: "imported"; readonly answer: ImportAnswer }
  | { readonly kind: "invalid"; readonly errors: readonly FieldError[] };

export type EditCatalogue = ReturnType<typeof createEditCatalogue>;

/** How many items are stored at a time: few enough that other requests hardly wait. */
const MAX_ITEMS_PER_BATCH = 50;

interface Dependencies extends Pick<Platform, "database" | "bus"> {
  /** Lists the paths of the pictures in the shop's folder. */
  readonly listPictures: () => Promise<ReadonlySet<string>>;
  /** Resolves when the list of this process contains every published edit. */
  readonly listingCaughtUp: () => Promise<void>;
}

/**
 * Edits the catalogue. When a promise resolves, the edit is committed, published on the bus, and in
 * the list that this process serves.
 */
export function createEditCatalogue({
  database,
  bus,
  listPictures,
  listingCaughtUp,
}: Dependencies) {
  /**
   * Reads the folder of pictures before the transaction, because on SQLite all other writers wait
   * for a transaction. Uploaded pictures are looked up inside it, so that none is deleted before
   * the item refers to it.
   */
  async function edit<Result>(
    written: readonly ItemPatch[],
    work: (unit: UnitOfWork, pictures: ReadonlySet<string>) => Promise<Result>,
  ): Promise<Result> {
    const inFolder = await listPictures();
    const result = await database.inTransaction(async (unit) => {
      await unit.lock("catalogue");
      return work(unit, await findAvailablePictures(unit.db, written, inFolder));
    });
    await listingCaughtUp();
    return result;
  }

  async function publish(unit: UnitOfWork): Promise<void> {
    await recordEdit(unit);
    unit.afterCommit(() => bus.publish({ topic: "catalogue" }));
  }

  async function store(
    unit: UnitOfWork,
    written: Item,
    { known, pictures }: { known: Item | undefined; pictures: ReadonlySet<string> },
  ): Promise<Item | Refusal> {
    const categories = written.category === null ? [] : await listCategories(unit.db);
    const { item, errors } = checkReferences(written, known, { pictures, categories });
    const wrongVariant = variantErrors(item, known, await findVariantFacts(unit.db, item));
    const all = [...errors, ...wrongVariant];
    if (all.length > 0) return new Refusal("invalid", { errors: all });
    const changed = known === undefined ? undefined : changedFields(known, item);
    if (changed?.length !== 0) {
      const withNewStock = new Set(changed?.includes("stock") === true ? [item.id] : []);
      await storeItems(unit, [item], { withNewStock });
      await publish(unit);
    }
    return item;
  }

  return {
    /**
     * Adds or replaces an item; with `onlyNew` it replaces none. A known item keeps its stock and
     * its further pictures if none are given.
     */
    put: (id: string, write: ItemWrite, { onlyNew } = { onlyNew: false }) =>
      edit([write], async (unit, pictures): Promise<Item | Refusal> => {
        await lockItems(unit, [id]);
        const known = await findItem(unit.db, id);
        const alike = known === undefined ? await findAlikeId(unit.db, id) : undefined;
        if (alike !== undefined) return new Refusal("invalid", { errors: [alikeIdError(alike)] });
        const item = patchedItem(known ?? blankItem(id), { hidden: false, ...write });
        // The request may be a retry whose first answer was lost. Then the item is the same.
        if (onlyNew && known !== undefined && changedFields(known, item).length > 0)
          return new Refusal("name_taken", { detail: "An item already has this id." });
        return store(unit, item, { known, pictures });
      }),

    /**
     * Changes fields of an item, if it is as the edit expects. Both are compared under the locks of
     * the catalogue and of the item. Returns `undefined` if there is no such item.
     */
    patch: (id: string, patch: ItemEdit) =>
      edit([patch], async (unit, pictures): Promise<Item | Refusal | undefined> => {
        await lockItems(unit, [id]);
        const known = await findItem(unit.db, id);
        if (known === undefined) return undefined;
        const fields = unexpectedFields(known, patch);
        if (fields.length > 0) return changedSinceRead("item", fields);
        return store(unit, patchedItem(known, patch), { known, pictures });
      }),

    /**
     * Orders of the item keep their lines. Its first variant becomes the main item of the others.
     *
     * @returns whether the item existed
     */
    delete: (id: string) =>
      edit([], async (unit) => {
        const variants = await findVariants(unit.db, id);
        await lockItems(unit, [id, ...variants]);
        const wasThere = await deleteItem(unit, id);
        if (!wasThere) return false;
        await promoteVariant(unit, variants);
        await publish(unit);
        return true;
      }),

    /** Stores all items, or none if any is invalid. With `dryRun` it stores none. */
    async importItems(items: readonly ImportedItem[], { dryRun } = { dryRun: false }) {
      const ahead = await planAhead(database.db, items, await listPictures());
      return edit(items, async (unit, pictures): Promise<ImportOutcome> => {
        const planned = (await isCurrent(unit.db, ahead, pictures))
          ? ahead.planned
          : await planImport(await listItems(unit.db), items, {
              pictures,
              categories: await listCategories(unit.db),
            });
        if (planned.kind === "invalid") return planned;
        const { plan } = planned;
        if (!dryRun && plan.updates.length + plan.tail.length > 0) {
          await storePlan(unit, plan);
          await publish(unit);
        }
        return { kind: "imported", answer: plan.answer };
      });
    },

    /** Replaces all categories, unless they differ from those expected. */
    replaceCategories: (written: WrittenCategories, expected: readonly Category[] | undefined) =>
      edit([], async (unit) => {
        const replaced = await replaceCategories(unit, written, expected);
        if (!(replaced instanceof Refusal)) await publish(unit);
        return replaced;
      }),
  };
}

/** Reads what {@link variantErrors} checks a new value of `variant_of` against. */
async function findVariantFacts(db: Queries, { id, variant_of }: Item) {
  if (variant_of === null) return { main: undefined, hasVariants: false };
  const main = await findItem(db, variant_of);
  const variants = await findVariants(db, id);
  return { main, hasVariants: variants.length > 0 };
}

/**
 * Moves the items of the tail to the end of the catalogue. Counted items are locked and stored
 * last, because orders lock them too, and wait.
 */
async function storePlan(unit: UnitOfWork, plan: ImportPlan): Promise<void> {
  const { updates, tail, withNewStock, counted } = plan;
  const placed = await positionedAtEnd(unit, [...tail, ...updates]);
  const yieldToEventLoop = createYield({ share: 1 });
  const inSlices = async (items: readonly PositionedItem[], moves: boolean) => {
    for (const slice of slices(items, MAX_ITEMS_PER_BATCH)) {
      await storePositioned(unit, slice, { withNewStock, moves });
      await yieldToEventLoop();
    }
  };
  const storeMatching = async (isWanted: (placed: PositionedItem) => boolean) => {
    await inSlices(placed.slice(0, tail.length).filter(isWanted), true);
    await inSlices(placed.slice(tail.length).filter(isWanted), false);
  };
  await storeMatching(({ item }) => !counted.has(item.id));
  const lockable = placed.flatMap(({ item }) => (counted.has(item.id) ? item.id : []));
  await lockItems(unit, lockable);
  await storeMatching(({ item }) => counted.has(item.id));
}
