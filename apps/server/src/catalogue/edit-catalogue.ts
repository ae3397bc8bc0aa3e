import { setImmediate as yieldToEventLoop } from "node:timers/promises";
import type { FieldError } from "@keepsats/domain";
import type { ImportAnswer, ImportedItem, ItemPatch, ItemWrite } from "@keepsats/protocol";
import type { Bus } from "../bus/bus.ts";
import type { Database, UnitOfWork } from "../db/database.ts";
import { addedItem, type Item, isSameItem, patchedItem } from "./item.ts";
import { deleteItems, findItem, listItems, storeItems } from "./item-repository.ts";
import { isMissingPicture, missingPicture } from "./pictures.ts";
import { type ImportPlan, planImport } from "./plan-import.ts";

/** The result of an edit: the stored item, the errors in the new one, or that there is no such item. */
export type Edited =
  | { readonly kind: "stored"; readonly item: Item }
  | { readonly kind: "invalid"; readonly errors: readonly FieldError[] }
  | { readonly kind: "unknown" };

/** The result of an import: what has changed, or all errors. */
export type Imported =
  | { readonly kind: "imported"; readonly answer: ImportAnswer }
  | { readonly kind: "invalid"; readonly errors: readonly FieldError[] };

/**
 * Changes the catalogue for the merchant. When a promise resolves, the change is committed, published on the bus, and
 * in the list that this process serves.
 */
export interface EditCatalogue {
  put(id: string, item: ItemWrite): Promise<Edited>;
  /** Changes the fields that the patch has. */
  patch(id: string, patch: ItemPatch): Promise<Edited>;
  /**
   * Stores all items, or none if any is invalid; `planImport` decides what changes.
   *
   * @param dryRun returns what would change, and changes nothing
   */
  importItems(items: readonly ImportedItem[], options?: { dryRun: boolean }): Promise<Imported>;
}

const pictureRefused: Edited = { kind: "invalid", errors: [missingPicture] };

/** The number of items to store before yielding to the event loop. */
const ITEMS_AT_A_TIME = 250;

interface Dependencies {
  readonly database: Database;
  readonly bus: Bus;
  /** Lists the paths of the shop's own pictures. */
  readonly listPictures: () => Promise<ReadonlySet<string>>;
  /** Resolves when the list of this process contains every published change. */
  readonly listingSettled: () => Promise<void>;
}

export function createEditCatalogue(dependencies: Dependencies): EditCatalogue {
  const { database, bus, listPictures, listingSettled } = dependencies;

  /**
   * Reads the folder of pictures before the transaction, because on SQLite all other writers wait for a transaction.
   */
  async function edit<Result>(
    work: (unit: UnitOfWork, pictures: ReadonlySet<string>) => Promise<Result>,
  ): Promise<Result> {
    const pictures = await listPictures();
    const result = await database.inTransaction(async (unit) => {
      await unit.lock("catalogue");
      return work(unit, pictures);
    });
    await listingSettled();
    return result;
  }

  const announce = (unit: UnitOfWork) => unit.afterCommit(() => bus.publish({ topic: "catalogue" }));

  async function store(unit: UnitOfWork, item: Item, before: Item | undefined): Promise<Edited> {
    if (before === undefined || !isSameItem(before, item)) {
      await storeItems(unit, [item]);
      announce(unit);
    }
    return { kind: "stored", item };
  }

  return {
    put: (id, write) =>
      edit(async (unit, pictures) => {
        const added = addedItem({ id, ...write });
        if ("missing" in added) throw new Error("a whole item lacks a field, and was not refused");
        const known = await findItem(unit.db, id);
        if (isMissingPicture(added.item, known, pictures)) return pictureRefused;
        return store(unit, added.item, known);
      }),

    patch: (id, patch) =>
      edit(async (unit, pictures) => {
        const known = await findItem(unit.db, id);
        if (known === undefined) return { kind: "unknown" };
        const patched = patchedItem(known, patch);
        return isMissingPicture(patched, known, pictures) ? pictureRefused : store(unit, patched, known);
      }),

    importItems: (items, { dryRun } = { dryRun: false }) =>
      edit(async (unit, pictures) => {
        const planned = await planImport(await listItems(unit.db), items, pictures);
        if (planned.kind === "invalid") return planned;
        const { plan } = planned;
        if (!dryRun && plan.updates.length + plan.tail.length > 0) {
          await carryOut(unit, plan);
          announce(unit);
        }
        return { kind: "imported", answer: plan.answer };
      }),
  };
}

/**
 * Stores the changes. Items that are deleted and stored again get the last places, in the order in which they are
 * stored.
 */
async function carryOut(unit: UnitOfWork, { updates, tail }: ImportPlan): Promise<void> {
  const inSlices = async (items: readonly Item[], work: (slice: readonly Item[]) => Promise<void>) => {
    for (let start = 0; start < items.length; start += ITEMS_AT_A_TIME) {
      await work(items.slice(start, start + ITEMS_AT_A_TIME));
      await yieldToEventLoop();
    }
  };
  await inSlices(tail, (slice) =>
    deleteItems(
      unit,
      slice.map(({ id }) => id),
    ),
  );
  await inSlices([...updates, ...tail], (slice) => storeItems(unit, slice));
}
