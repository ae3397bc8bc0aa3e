import { centsFromDollars } from "@keepsats/domain";
import type { ImportAnswer, ImportedItem, ItemPatch, ItemWrite } from "@keepsats/protocol";
import type { Bus } from "../bus/bus.ts";
import type { Database, UnitOfWork } from "../db/database.ts";
import { findItem, type Item, type ItemWriteOutcome, listItems, saveItem } from "./item-repository.ts";

/** How the merchant changes the catalogue. A change is on the list, and heard on the bus, when its promise resolves. */
export interface EditCatalogue {
  put(id: string, item: ItemWrite): Promise<Item>;
  /** @returns the changed item; `undefined` where there is none with this id */
  patch(id: string, patch: ItemPatch): Promise<Item | undefined>;
  /** Stores all items or, when anything goes wrong, none. */
  importItems(items: readonly ImportedItem[]): Promise<ImportAnswer>;
}

/** After so many stored items others get a turn. */
const ITEMS_AT_A_TIME = 100;

interface Dependencies {
  readonly database: Database;
  readonly bus: Bus;
  /** Resolves when this process's own list has what was announced. */
  readonly listingSettled: () => Promise<void>;
}

export function createEditCatalogue({ database, bus, listingSettled }: Dependencies): EditCatalogue {
  async function edit<Result>(work: (unit: UnitOfWork) => Promise<Result>): Promise<Result> {
    const result = await database.inTransaction(async (unit) => {
      await unit.lock("catalogue");
      return work(unit);
    });
    await listingSettled();
    return result;
  }

  function announce(unit: UnitOfWork, outcome: ItemWriteOutcome): void {
    if (outcome !== "unchanged") unit.afterCommit(() => bus.publish({ topic: "catalogue" }));
  }

  return {
    put: (id, write) =>
      edit(async (unit) => {
        const item = itemOf({ id, ...write });
        announce(unit, await saveItem(unit, item, await findItem(unit.db, id)));
        return item;
      }),

    patch: (id, patch) =>
      edit(async (unit) => {
        const known = await findItem(unit.db, id);
        if (known === undefined) return undefined;
        const item = {
          ...known,
          name: patch.name ?? known.name,
          description: patch.description ?? known.description,
          price: patch.price === undefined ? known.price : cents(patch.price),
          imageUrl: patch.image_url ?? known.imageUrl,
          hidden: patch.hidden ?? known.hidden,
        };
        announce(unit, await saveItem(unit, item, known));
        return item;
      }),

    importItems: (items) =>
      edit(async (unit) => {
        const answer = { added: 0, changed: 0, unchanged: 0 };
        const known = new Map((await listItems(unit.db)).map((item) => [item.id, item]));
        for (const [index, item] of items.entries()) {
          answer[await saveItem(unit, itemOf(item), known.get(item.id))] += 1;
          if (index % ITEMS_AT_A_TIME === 0) await new Promise(setImmediate);
        }
        announce(unit, answer.added + answer.changed > 0 ? "changed" : "unchanged");
        return answer;
      }),
  };
}

/** An item as it is stored, from one as the merchant writes it. */
export function itemOf(item: ImportedItem): Item {
  return {
    id: item.id,
    name: item.name,
    description: item.description,
    price: cents(item.price),
    imageUrl: item.image_url,
    hidden: item.hidden ?? false,
  };
}

function cents(dollars: number): number {
  const price = centsFromDollars(dollars);
  if (price === undefined) throw new Error(`${dollars} dollars is no price, and was not refused`);
  return price;
}
