import type { Cents } from "@keepsats/domain";
import type { OrderLine } from "@keepsats/protocol";
import type { UnitOfWork } from "../db/database.ts";

/** An item that can be bought. */
export interface ItemForSale {
  readonly name: string;
  readonly price: Cents;
  /** How many pieces are left; `null` if the item is not counted. */
  readonly stock: number | null;
}

/** Counts of pieces by item id. */
export type Pieces = ReadonlyMap<string, number>;

/** What orders need of the catalogue. */
export interface ItemsForSale {
  /** Reads items by id. Hidden and unknown items are left out. */
  read(unit: UnitOfWork, ids: readonly string[]): Promise<ReadonlyMap<string, ItemForSale>>;
  /**
   * Locks items in the order of their ids until the transaction ends, and reads them as
   * {@link read} does.
   */
  lock(unit: UnitOfWork, ids: readonly string[]): Promise<ReadonlyMap<string, ItemForSale>>;
  /** Locks the counted items, including hidden ones, in the order of their ids. */
  lockCounted(unit: UnitOfWork, ids: readonly string[]): Promise<void>;
  /** Takes pieces from the stock of items that the transaction has locked. As many must be left. */
  take(unit: UnitOfWork, pieces: Pieces): Promise<void>;
  /**
   * Gives pieces back to the stock of items, and locks these. Items that do not exist or are not
   * counted any more are ignored. At most once in a transaction and after all other locks, so that
   * transactions never wait for each other.
   */
  giveBack(unit: UnitOfWork, pieces: Pieces): Promise<void>;
}

/** The sum of the pieces of each item. */
export function sumOfPieces(
  some: readonly { readonly itemId: string; readonly pieces: number }[],
): Pieces {
  const sums = new Map<string, number>();
  for (const { itemId, pieces } of some) sums.set(itemId, (sums.get(itemId) ?? 0) + pieces);
  return sums;
}

/**
 * Reads items, and locks those of which pieces can be taken: an item that is not counted or is sold
 * out needs no lock.
 */
export async function readAndLock(
  unit: UnitOfWork,
  ids: readonly string[],
  items: ItemsForSale,
): Promise<ReadonlyMap<string, ItemForSale>> {
  const seen = await items.read(unit, ids);
  const takeable = new Map([...seen].filter(([, { stock }]) => stock !== null && stock > 0));
  if (takeable.size === 0) return seen;
  const others = [...seen].filter(([id]) => !takeable.has(id));
  return new Map([...others, ...(await items.lock(unit, [...takeable.keys()]))]);
}

/** Takes the pieces of an order from what is left for the next orders of the same transaction. */
export function takeFrom(left: Map<string, ItemForSale>, lines: readonly OrderLine[]): void {
  for (const { id, quantity } of lines) {
    const item = left.get(id);
    if (item === undefined || item.stock === null) continue;
    left.set(id, { ...item, stock: item.stock - quantity });
  }
}
