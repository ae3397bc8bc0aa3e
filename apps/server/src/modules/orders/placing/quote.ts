import { type Cents, type FieldError, type LinePieces, priceOf } from "@keepsats/domain";
import type { OrderLine, PlaceOrderBody, QuotedLine, Shortage } from "@keepsats/protocol";
import type { UnitOfWork } from "../../../platform/database/database.ts";
import { Refusal } from "../../../platform/refusal.ts";
import type { ItemForSale, Stock } from "../../catalogue/index.ts";

/** Counts of pieces by item id. */
export type Pieces = ReadonlyMap<string, number>;

export function sumOfPieces(lines: readonly LinePieces[]): Pieces {
  const sums = new Map<string, number>();
  for (const { item_id, quantity } of lines) sums.set(item_id, (sums.get(item_id) ?? 0) + quantity);
  return sums;
}

/** Reads items, and locks those that are in stock: only their pieces can be taken. */
export async function readAndLock(
  unit: UnitOfWork,
  ids: readonly string[],
  stock: Stock,
): Promise<ReadonlyMap<string, ItemForSale>> {
  const seen = await stock.read(unit, ids);
  const takeable = new Map([...seen].filter(([, item]) => item.stock !== null && item.stock > 0));
  if (takeable.size === 0) return seen;
  const others = [...seen].filter(([id]) => !takeable.has(id));
  return new Map([...others, ...(await stock.lock(unit, [...takeable.keys()]))]);
}

/** Reduces the stock that is left for the next orders of the same transaction. */
export function takeFrom(left: Map<string, ItemForSale>, lines: readonly OrderLine[]): void {
  for (const { id, quantity } of lines) {
    const item = left.get(id);
    if (item === undefined || item.stock === null) continue;
    left.set(id, { ...item, stock: item.stock - quantity });
  }
}

/** The prices that the customer saw before placing the order. */
export interface ExpectedPrices {
  readonly total: Cents;
  /** The unit price of each line, in the order of the lines. */
  readonly prices?: readonly Cents[] | undefined;
}

type Quote =
  | { readonly kind: "priced"; readonly lines: OrderLine[]; readonly total: Cents }
  | Refusal;

interface QuotedItem {
  readonly id: string;
  readonly quantity: number;
  /** `undefined` if it is not for sale. */
  readonly item: ItemForSale | undefined;
}

/**
 * Prices an order, or decides why it cannot be placed. An item that is not for sale makes the order
 * `invalid`; with `expected`, every difference from the prices seen is `price_changed`.
 *
 * @param items the items for sale, with the pieces that are left for this order
 */
export function quote(
  lines: PlaceOrderBody["items"],
  items: ReadonlyMap<string, ItemForSale>,
  expected: ExpectedPrices | undefined,
): Quote {
  const quoted = lines.map(
    ({ item_id: id, quantity }): QuotedItem => ({ id, quantity, item: items.get(id) }),
  );
  const buyable = quoted.flatMap(buyableLine);
  const total = buyable.length === 0 ? 0 : priceOf(buyable).total;
  const shortages = quoted.flatMap(shortageOf);
  const errors = quoted.flatMap(errorOf);
  const canBeBought = errors.length === 0 && shortages.length === 0;
  const isAsSeen =
    total === expected?.total &&
    quoted.every((line, index) => isPriceSeen(line, expected.prices?.[index]));
  if (expected !== undefined && !(canBeBought && isAsSeen)) {
    const change = { lines: comparedLines(quoted, expected), items: shortages, total };
    return new Refusal("price_changed", { ...change, expected_total: expected.total });
  }
  if (errors.length > 0) return new Refusal("invalid", { errors });
  if (shortages.length > 0) return new Refusal("out_of_stock", { items: shortages });
  return { kind: "priced", lines: buyable, total };
}

/** A request may have no prices: then only the total is compared. */
function isPriceSeen({ item }: QuotedItem, seen: Cents | undefined): boolean {
  return seen === undefined || item?.price === seen;
}

function availableOf({ item, quantity }: QuotedItem): number {
  return item === undefined ? 0 : Math.min(quantity, item.stock ?? quantity);
}

function buyableLine(line: QuotedItem): OrderLine[] {
  const { id, item } = line;
  const quantity = availableOf(line);
  return item === undefined || quantity === 0
    ? []
    : [{ id, name: item.name, price: item.price, quantity }];
}

function shortageOf(line: QuotedItem): Shortage[] {
  const { id, item, quantity } = line;
  if (item === undefined || availableOf(line) === quantity) return [];
  return [{ item_id: id, name: item.name, left: item.stock ?? quantity }];
}

function errorOf({ item }: QuotedItem, index: number): FieldError[] {
  if (item !== undefined) return [];
  return [{ path: `items.${index}.item_id`, message: "This item is not available any more" }];
}

function comparedLines(quoted: readonly QuotedItem[], expected: ExpectedPrices): QuotedLine[] {
  return quoted.map((line, index) => {
    const { id, quantity, item } = line;
    return {
      item_id: id,
      ...(item === undefined ? {} : { name: item.name }),
      quantity,
      available: availableOf(line),
      expected_price: expected.prices?.[index] ?? null,
      price: item?.price ?? null,
    };
  });
}
