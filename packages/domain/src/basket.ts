import type { Cents } from "./money.ts";

/** The highest quantity one line may have. */
export const MAX_QUANTITY = 9_999;
/** The most lines one order may have. */
export const MAX_LINES = 100;

/** One item of the shopper's selection. `price` is the unit price in cents. */
export interface BasketLine {
  readonly id: string;
  readonly name: string;
  readonly price: Cents;
  readonly quantity: number;
}

/** The shopper's selection, in the order in which items were first added. */
export type Basket = readonly BasketLine[];

/**
 * Adds one piece of an item: increments its line, or appends a line with quantity 1. A full basket
 * is returned unchanged.
 */
export function addItem(basket: Basket, item: Omit<BasketLine, "quantity">): Basket {
  const line = basket.find(({ id }) => id === item.id);
  if (line !== undefined) return setQuantity(basket, item.id, line.quantity + 1);
  if (basket.length >= MAX_LINES) return basket;
  return [...basket, { id: item.id, name: item.name, price: item.price, quantity: 1 }];
}

/** Removes the line of an item. */
export function removeItem(basket: Basket, id: string): Basket {
  return basket.filter((line) => line.id !== id);
}

/**
 * Puts a removed line back in its place. A basket that has the item again already stays as it is.
 */
export function restoreLine(basket: Basket, line: BasketLine, index: number): Basket {
  return basket.some(({ id }) => id === line.id) ? basket : basket.toSpliced(index, 0, line);
}

/**
 * Sets the quantity of an item. 0 or less removes its line; more than {@link MAX_QUANTITY} becomes
 * MAX_QUANTITY. Returns the same object when nothing changes.
 *
 * @param quantity a whole number
 */
export function setQuantity(basket: Basket, id: string, quantity: number): Basket {
  if (quantity <= 0) return removeItem(basket, id);
  const allowed = Math.min(quantity, MAX_QUANTITY);
  if (basket.find((line) => line.id === id)?.quantity === allowed) return basket;
  return basket.map((line) => (line.id === id ? { ...line, quantity: allowed } : line));
}

/**
 * Parses the text of a quantity field.
 *
 * @returns the whole number; `undefined` when the text is not a number, in which case it is ignored
 */
export function parseQuantity(text: string): number | undefined {
  const quantity = Number.parseInt(text, 10);
  return Number.isSafeInteger(quantity) ? quantity : undefined;
}

/** The price of one line in cents: unit price × quantity. */
export function lineTotal(line: Pick<BasketLine, "price" | "quantity">): Cents {
  return line.price * line.quantity;
}

/** The sum of all lines, in cents. */
export function basketTotal(lines: readonly Pick<BasketLine, "price" | "quantity">[]): Cents {
  return lines.reduce((sum, line) => sum + lineTotal(line), 0);
}

/** The sum of all quantities. */
export function basketCount(basket: Basket): number {
  return basket.reduce((sum, line) => sum + line.quantity, 0);
}
