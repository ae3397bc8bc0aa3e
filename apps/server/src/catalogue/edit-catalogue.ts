import type { FieldError } from "@keepsats/domain";
import type {
  ImportAnswer,
  ImportedItem,
  ItemEdit,
  ItemPatch,
  ItemWrite,
} from "@keepsats/protocol";
import type { Bus } from "../bus/bus.ts";
import type { Database, UnitOfWork } from "../db/database.ts";
import { createEndTurn } from "../turns.ts";
import { noteEdit } from "./edits.ts";
import {
  addedItem,
  alikeId,
  changedFields,
  type Item,
  type ItemField,
  patchedItem,
  unexpectedFields,
} from "./item.ts";
import {
  atTheEnd,
  createStorePlaced,
  deleteItem,
  findAlikeId,
  findItem,
  listItems,
  lockItems,
  type PlacedItem,
  storeItems,
} from "./item-repository.ts";
import { missingPictures } from "./pictures.ts";
import { isStillTrue, knownPictures, planAhead } from "./plan-ahead.ts";
import { type ImportPlan, planImport } from "./plan-import.ts";

/**
 * The result of an edit: the stored item, the errors in the new one, that there is no such item,
 * that there is one where a new one was to be added, or the fields that are not what the edit
 * expects.
 */
export type Edited =
  | { readonly kind: "stored"; readonly item: Item }
  | { readonly kind: "invalid"; readonly errors: readonly FieldError[] }
  | { readonly kind: "unknown" }
  | { readonly kind: "exists" }
  | { readonly kind: "changed"; readonly fields: readonly ItemField[] };

/** The result of an import: what has changed, or all errors. */
export type Imported =
  | { readonly kind: "imported"; readonly answer: ImportAnswer }
  | { readonly kind: "invalid"; readonly errors: readonly FieldError[] };

/**
 * Changes the catalogue for the merchant. When a promise resolves, the change is committed,
 * published on the bus, and in the list that this process serves.
 */
export interface EditCatalogue {
  /**
   * Adds or replaces an item; with `onlyNew` it changes none. A known item keeps the stock and the
   * pictures that are not given.
   */
  put(id: string, item: ItemWrite, options?: { readonly onlyNew: boolean }): Promise<Edited>;
  /**
   * Changes the fields that the edit has, if the item is what it expects; compared under the lock
   * of the catalogue and of the item.
   */
  patch(id: string, edit: ItemEdit): Promise<Edited>;
  /** Deletes an item. Orders keep their lines of it. @returns whether there was one */
  remove(id: string): Promise<boolean>;
  /**
   * Stores all items, or none if any is invalid; `planImport` decides what changes.
   *
   * @param dryRun returns what would change, and changes nothing
   */
  importItems(items: readonly ImportedItem[], options?: { dryRun: boolean }): Promise<Imported>;
}

/** The number of items to store at a time: few enough that other requests hardly wait. */
const ITEMS_AT_A_TIME = 50;

interface Dependencies {
  readonly database: Database;
  readonly bus: Bus;
  /** Lists the paths of the pictures in the shop's folder. */
  readonly listPictures: () => Promise<ReadonlySet<string>>;
  /** Resolves when the list of this process contains every published change. */
  readonly listingSettled: () => Promise<void>;
}

export function createEditCatalogue(dependencies: Dependencies): EditCatalogue {
  const { database, bus, listPictures, listingSettled } = dependencies;

  /**
   * Reads the folder of pictures before the transaction, because on SQLite all other writers wait
   * for a transaction. Uploaded pictures are looked up in it: none that an item gets is deleted
   * meanwhile.
   */
  async function edit<Result>(
    written: readonly ItemPatch[],
    work: (unit: UnitOfWork, pictures: ReadonlySet<string>) => Promise<Result>,
  ): Promise<Result> {
    const inFolder = await listPictures();
    const result = await database.inTransaction(async (unit) => {
      await unit.lock("catalogue");
      return work(unit, await knownPictures(unit.db, written, inFolder));
    });
    await listingSettled();
    return result;
  }

  async function announce(unit: UnitOfWork): Promise<void> {
    await noteEdit(unit);
    unit.afterCommit(() => bus.publish({ topic: "catalogue" }));
  }

  async function store(
    unit: UnitOfWork,
    item: Item,
    { known, pictures }: { known: Item | undefined; pictures: ReadonlySet<string> },
  ): Promise<Edited> {
    const errors = missingPictures(item, known, pictures);
    if (errors.length > 0) return { kind: "invalid", errors };
    const changed = known === undefined ? undefined : changedFields(known, item);
    if (changed?.length !== 0) {
      const restocked = new Set(changed?.includes("stock") === true ? [item.id] : []);
      await storeItems(unit, [item], { restocked });
      await announce(unit);
    }
    return { kind: "stored", item };
  }

  return {
    put: (id, write, { onlyNew } = { onlyNew: false }) =>
      edit([write], async (unit, pictures) => {
        await lockItems(unit, [id]);
        const known = await findItem(unit.db, id);
        const alike = known === undefined ? await findAlikeId(unit.db, id) : undefined;
        if (alike !== undefined) return { kind: "invalid", errors: [alikeId(alike)] };
        const { image_urls = known?.image_urls, stock = known?.stock, ...fields } = write;
        const added = addedItem({ id, image_urls, stock, ...fields });
        if ("missing" in added) throw new Error("a whole item lacks a field, and was not refused");
        // The same item is there because the request is repeated: its first answer was lost.
        if (onlyNew && known !== undefined && changedFields(known, added.item).length > 0)
          return { kind: "exists" };
        return store(unit, added.item, { known, pictures });
      }),

    patch: (id, patch) =>
      edit([patch], async (unit, pictures) => {
        await lockItems(unit, [id]);
        const known = await findItem(unit.db, id);
        if (known === undefined) return { kind: "unknown" };
        const fields = unexpectedFields(known, patch);
        if (fields.length > 0) return { kind: "changed", fields };
        return store(unit, patchedItem(known, patch), { known, pictures });
      }),

    remove: (id) =>
      edit([], async (unit) => {
        await lockItems(unit, [id]);
        const wasThere = await deleteItem(unit, id);
        if (wasThere) await announce(unit);
        return wasThere;
      }),

    async importItems(items, { dryRun } = { dryRun: false }) {
      const ahead = await planAhead(database.db, items, await listPictures());
      return edit(items, async (unit, pictures) => {
        const planned = (await isStillTrue(unit.db, ahead, pictures))
          ? ahead.planned
          : await planImport(await listItems(unit.db), items, pictures);
        if (planned.kind === "invalid") return planned;
        const { plan } = planned;
        if (!dryRun && plan.updates.length + plan.tail.length > 0) {
          await carryOut(unit, plan);
          await announce(unit);
        }
        return { kind: "imported", answer: plan.answer };
      });
    },
  };
}

/**
 * Stores the changes. The items of the tail get the last places, in their order. Orders lock items
 * that are counted, so these are locked and stored last, and orders wait only for them.
 */
async function carryOut(unit: UnitOfWork, plan: ImportPlan): Promise<void> {
  const { updates, tail, restocked, counted } = plan;
  const placed = await atTheEnd(unit, [...tail, ...updates]);
  const endTurn = createEndTurn({ share: 1 });
  const inSlices = async (items: readonly PlacedItem[], moves: boolean) => {
    const store = createStorePlaced(unit, { restocked, moves });
    for (let start = 0; start < items.length; start += ITEMS_AT_A_TIME) {
      await store(items.slice(start, start + ITEMS_AT_A_TIME));
      await endTurn();
    }
  };
  const storeThose = async (isWanted: (placed: PlacedItem) => boolean) => {
    await inSlices(placed.slice(0, tail.length).filter(isWanted), true);
    await inSlices(placed.slice(tail.length).filter(isWanted), false);
  };
  await storeThose(({ item }) => !counted.has(item.id));
  const lockable = placed.flatMap(({ item }) => (counted.has(item.id) ? item.id : []));
  await lockItems(unit, lockable);
  await storeThose(({ item }) => counted.has(item.id));
}
