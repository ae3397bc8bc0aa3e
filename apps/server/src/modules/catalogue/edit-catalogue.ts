import { randomUUID } from "node:crypto";
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
import { writeValue } from "../../platform/database/key-values.ts";
import type { Platform } from "../../platform/platform.ts";
import { changedSinceRead, Refusal } from "../../platform/refusal.ts";
import { slices } from "../../platform/scheduling/slices.ts";
import { createYield } from "../../platform/scheduling/yield-to-event-loop.ts";
import { listCategories, replaceCategories } from "./categories.ts";
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
  storeItems,
  storePositioned,
} from "./item-repository.ts";
import { findVariants, promoteVariant, variantErrors } from "./item-variants.ts";
import { findAvailablePictures } from "./pictures/available-pictures.ts";
import { checkReferences, type References } from "./references.ts";

export type EditCatalogue = ReturnType<typeof createEditCatalogue>;

/** How many items are stored at a time: few enough that other requests hardly wait. */
const MAX_ITEMS_PER_BATCH = 50;

interface Dependencies extends Pick<Platform, "database" | "bus"> {
  /** Lists the paths of the pictures in the shop's folder. */
  readonly listPictures: () => Promise<ReadonlySet<string>>;
  /** Resolves when the list of this process contains every published edit. */
  readonly listingCaughtUp: () => Promise<void>;
}

interface ImportOptions {
  readonly dryRun?: boolean;
  /** The paths of the items in the body, for errors. */
  readonly itemPaths?: readonly string[];
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
  async function edit<Result>(work: (unit: UnitOfWork) => Promise<Result>): Promise<Result> {
    const result = await database.inTransaction(async (unit) => {
      await unit.lock("catalogue");
      return work(unit);
    });
    await listingCaughtUp();
    return result;
  }

  /** Read in the transaction, so that no picture is deleted before an item refers to it. */
  async function readReferences(db: Queries, written: readonly ItemPatch[]): Promise<References> {
    const pictures = await findAvailablePictures(db, written, await listPictures());
    return { pictures, categories: await listCategories(db) };
  }

  async function publish(unit: UnitOfWork): Promise<void> {
    // Servers of 1.0.0 plan an import before its transaction, and again if this has changed.
    await writeValue(unit.db, "catalogue-edit", randomUUID());
    unit.afterCommit(() => bus.publish({ topic: "catalogue" }));
  }

  async function store(
    unit: UnitOfWork,
    written: Item,
    known: Item | undefined,
  ): Promise<Item | Refusal> {
    const references = await readReferences(unit.db, [written]);
    const { item, errors } = checkReferences(written, known, references);
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
      edit(async (unit): Promise<Item | Refusal> => {
        await lockItems(unit, [id]);
        const known = await findItem(unit.db, id);
        const alike = known === undefined ? await findAlikeId(unit.db, id) : undefined;
        if (alike !== undefined) return new Refusal("invalid", { errors: [alikeIdError(alike)] });
        const item = patchedItem(known ?? blankItem(id), { hidden: false, ...write });
        // The request may be a retry whose first answer was lost. Then the item is the same.
        if (onlyNew && known !== undefined && changedFields(known, item).length > 0)
          return new Refusal("name_taken", { detail: "An item already has this id." });
        return store(unit, item, known);
      }),

    /**
     * Changes fields of an item, if it is as the edit expects. Both are compared under the locks of
     * the catalogue and of the item. Returns `undefined` if there is no such item.
     */
    patch: (id: string, patch: ItemEdit) =>
      edit(async (unit): Promise<Item | Refusal | undefined> => {
        await lockItems(unit, [id]);
        const known = await findItem(unit.db, id);
        if (known === undefined) return undefined;
        const fields = unexpectedFields(known, patch);
        if (fields.length > 0) return changedSinceRead("item", fields);
        return store(unit, patchedItem(known, patch), known);
      }),

    /**
     * Orders of the item keep their lines. Its first variant becomes the main item of the others.
     *
     * @returns whether the item existed
     */
    delete: (id: string) =>
      edit(async (unit) => {
        const variants = await findVariants(unit.db, id);
        await lockItems(unit, [id, ...variants]);
        const wasThere = await deleteItem(unit, id);
        if (!wasThere) return false;
        await promoteVariant(unit, variants);
        await publish(unit);
        return true;
      }),

    /** Stores all items, or none if any is invalid. With `dryRun` it stores none. */
    async importItems(
      items: readonly ImportedItem[],
      { dryRun = false, itemPaths }: ImportOptions = {},
    ): Promise<ImportAnswer | Refusal> {
      const plan = async (db: Queries) =>
        planImport(await listItems(db), items, await readReferences(db, items), itemPaths);
      if (dryRun) {
        const planned = await plan(database.db);
        return planned instanceof Refusal ? planned : planned.answer;
      }
      return edit(async (unit) => {
        const planned = await plan(unit.db);
        if (planned instanceof Refusal) return planned;
        if (planned.updates.length + planned.tail.length > 0) {
          await storePlan(unit, planned);
          await publish(unit);
        }
        return planned.answer;
      });
    },

    /** Replaces all categories, unless they differ from those expected. */
    replaceCategories: (written: WrittenCategories, expected: readonly Category[] | undefined) =>
      edit(async (unit) => {
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
