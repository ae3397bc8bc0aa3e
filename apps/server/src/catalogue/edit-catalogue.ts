import { setImmediate as othersTurn } from "node:timers/promises";
import type { FieldError } from "@keepsats/domain";
import type { ImportAnswer, ImportedItem, ItemPatch, ItemWrite } from "@keepsats/protocol";
import type { Bus } from "../bus/bus.ts";
import type { Database, UnitOfWork } from "../db/database.ts";
import { addedItem, type Item, isSameItem, patchedItem } from "./item.ts";
import { deleteItems, findItem, listItems, storeItems } from "./item-repository.ts";
import { isMissingPicture, missingPicture } from "./pictures.ts";
import { type ImportPlan, planImport } from "./plan-import.ts";

/** What came of an edit: the item as it is now, or what is wrong with the one that was given. */
export type Edited =
  | { readonly kind: "stored"; readonly item: Item }
  | { readonly kind: "invalid"; readonly errors: readonly FieldError[] }
  | { readonly kind: "unknown" };

/** What came of an import. */
export type Imported =
  | { readonly kind: "imported"; readonly answer: ImportAnswer }
  | { readonly kind: "invalid"; readonly errors: readonly FieldError[] };

/** How the merchant changes the catalogue. A change is on the list, and heard on the bus, when its promise resolves. */
export interface EditCatalogue {
  put(id: string, item: ItemWrite): Promise<Edited>;
  /** Changes the fields that are mentioned. */
  patch(id: string, patch: ItemPatch): Promise<Edited>;
  /**
   * Stores all items or, when anything is wrong, none; see `planImport` for what changes.
   *
   * @param dryRun answers what would change, and changes nothing
   */
  importItems(items: readonly ImportedItem[], options?: { dryRun: boolean }): Promise<Imported>;
}

const pictureRefused: Edited = { kind: "invalid", errors: [missingPicture] };

/** After so many stored items others get a turn. */
const ITEMS_AT_A_TIME = 250;

interface Dependencies {
  readonly database: Database;
  readonly bus: Bus;
  /** The paths of the shop's own pictures, as they are now. */
  readonly listPictures: () => Promise<ReadonlySet<string>>;
  /** Resolves when this process's own list has what was announced. */
  readonly listingSettled: () => Promise<void>;
}

export function createEditCatalogue(dependencies: Dependencies): EditCatalogue {
  const { database, bus, listPictures, listingSettled } = dependencies;

  /** Reads the pictures' folder before the transaction: others wait for that to end, on SQLite all of them. */
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

/** What is stored anew comes behind everything else, so the order in which it is stored is its order. */
async function carryOut(unit: UnitOfWork, { updates, tail }: ImportPlan): Promise<void> {
  const inSlices = async (items: readonly Item[], work: (slice: readonly Item[]) => Promise<void>) => {
    for (let start = 0; start < items.length; start += ITEMS_AT_A_TIME) {
      await work(items.slice(start, start + ITEMS_AT_A_TIME));
      await othersTurn();
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
