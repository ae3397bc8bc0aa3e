import { type Cents, type FieldError, priceOf } from "@keepsats/domain";
import type { CreateOrder, OrderLine, QuotedLine, Shortage } from "@keepsats/protocol";
import type { ItemForSale } from "./items-for-sale.ts";

/** What the shopper saw before placing the order. */
export interface Expected {
  readonly total: Cents;
  /** The price of one piece of each line, in the order of the lines. */
  readonly prices?: readonly Cents[] | undefined;
}

/** How the order differs from what the shopper saw. */
export interface PriceChange {
  readonly lines: QuotedLine[];
  /** The items of which too few pieces are left. */
  readonly items: Shortage[];
  readonly expected_total: Cents;
  /** The total of the pieces that can be bought. */
  readonly total: Cents;
}

/** Why an order cannot be placed. */
export type Refusal =
  | { readonly kind: "invalid"; readonly errors: readonly FieldError[] }
  | { readonly kind: "out-of-stock"; readonly items: Shortage[] }
  | { readonly kind: "price-changed"; readonly change: PriceChange };

/** What an order costs, or why it cannot be placed. */
export type Quote =
  | { readonly kind: "priced"; readonly lines: OrderLine[]; readonly total: Cents }
  | Refusal;

/** A line of the request with its item; `undefined` if that is not for sale. */
interface QuotedItem {
  readonly id: string;
  readonly quantity: number;
  readonly item: ItemForSale | undefined;
}

/**
 * Decides what an order costs. Without `expected` an item that is not for sale makes the order
 * invalid; with it, whatever differs from what the shopper saw is a changed price.
 *
 * @param items the items that are for sale, with the pieces that are left for this order
 */
export function quote(
  lines: CreateOrder["items"],
  items: ReadonlyMap<string, ItemForSale>,
  expected: Expected | undefined,
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
    return { kind: "price-changed", change: { ...change, expected_total: expected.total } };
  }
  if (errors.length > 0) return { kind: "invalid", errors };
  if (shortages.length > 0) return { kind: "out-of-stock", items: shortages };
  return { kind: "priced", lines: buyable, total };
}

/** Whether a piece of a line costs what the shopper saw; without a price seen, the total decides. */
function isPriceSeen({ item }: QuotedItem, seen: Cents | undefined): boolean {
  return seen === undefined || item?.price === seen;
}

/** How many pieces of a line can be bought. */
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

function comparedLines(quoted: readonly QuotedItem[], expected: Expected): QuotedLine[] {
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
