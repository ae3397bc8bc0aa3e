import type { Cents } from "./money.ts";

/** The maximum quantity of a line. */
export const MAX_QUANTITY = 9_999;
/** The maximum number of lines of an order. */
export const MAX_LINES = 100;

/** `price` is the unit price in cents. */
export interface CartLine {
  readonly id: string;
  readonly name: string;
  readonly price: Cents;
  readonly quantity: number;
}

export type ItemQuantity = Pick<CartLine, "id" | "quantity">;

/** The lines in the order in which items were first added. */
export type Cart = readonly CartLine[];

/**
 * Adds one piece of an item: increments its line, or appends a line with quantity 1. A full cart
 * is returned unchanged.
 */
export function addItem(cart: Cart, item: Omit<CartLine, "quantity">): Cart {
  const line = cart.find(({ id }) => id === item.id);
  if (line !== undefined) return setQuantity(cart, item.id, line.quantity + 1);
  if (cart.length >= MAX_LINES) return cart;
  return [...cart, { id: item.id, name: item.name, price: item.price, quantity: 1 }];
}

export function removeItem(cart: Cart, id: string): Cart {
  return cart.filter((line) => line.id !== id);
}

/** Restores a removed line at its position. A cart that has the item again is unchanged. */
export function restoreLine(cart: Cart, line: CartLine, index: number): Cart {
  return cart.some(({ id }) => id === line.id) ? cart : cart.toSpliced(index, 0, line);
}

/**
 * Sets the quantity of an item, at most {@link MAX_QUANTITY}. 0 or less removes its line. Returns
 * the same object if nothing changes.
 *
 * @param quantity a whole number
 */
export function setQuantity(cart: Cart, id: string, quantity: number): Cart {
  if (quantity <= 0) return removeItem(cart, id);
  const allowed = Math.min(quantity, MAX_QUANTITY);
  if (cart.find((line) => line.id === id)?.quantity === allowed) return cart;
  return cart.map((line) => (line.id === id ? { ...line, quantity: allowed } : line));
}

/**
 * Parses the text of a quantity field.
 *
 * @returns a whole number; `undefined` for any other text, which the field ignores
 */
export function parseQuantity(text: string): number | undefined {
  const quantity = Number.parseInt(text, 10);
  return Number.isSafeInteger(quantity) ? quantity : undefined;
}

export function lineTotal(line: Pick<CartLine, "price" | "quantity">): Cents {
  return line.price * line.quantity;
}

export function cartTotal(lines: readonly Pick<CartLine, "price" | "quantity">[]): Cents {
  return lines.reduce((sum, line) => sum + lineTotal(line), 0);
}

/** The sum of all quantities. */
export function cartCount(cart: Cart): number {
  return cart.reduce((sum, line) => sum + line.quantity, 0);
}
