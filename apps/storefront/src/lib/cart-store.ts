import {
  addItem,
  type Cart,
  type CartLine,
  type ItemQuantity,
  MAX_QUANTITY,
  removeItem,
  restoreLine,
  setQuantity,
} from "@keepsats/domain";
import { create } from "zustand";

interface CartState {
  readonly lines: Cart;
  /** The last change in words, for screen readers: "Moka Pot removed from cart", or nothing. */
  readonly announcement: string;
  /** The id of the item that the last change added or restored. */
  readonly lastAdded?: string | undefined;
  /** The line that the last change removed. */
  readonly lastRemoved?: RemovedLine | undefined;
}

export interface RemovedLine {
  readonly line: CartLine;
  /** Its former position in the cart. */
  readonly index: number;
}

/** The cart is kept in memory only. */
export const useCart = create<CartState>(() => ({ lines: [], announcement: "" }));

function change(
  lines: Cart,
  { lastAdded, lastRemoved, announcement }: Omit<CartState, "lines">,
): void {
  useCart.setState({ lines, announcement, lastAdded, lastRemoved });
}

/** Adds one piece of an item. */
export function addToCart(
  item: Omit<CartLine, "quantity">,
): "added" | "too-many-lines" | "too-many-pieces" {
  const before = useCart.getState().lines;
  const lines = addItem(before, item);
  const line = lines.find(({ id }) => id === item.id);
  if (line === undefined) return "too-many-lines";
  if (lines === before) return "too-many-pieces";
  change(lines, {
    announcement: `${item.name} added to cart, ${line.quantity} in all`,
    lastAdded: item.id,
  });
  return "added";
}

/** {@link undoRemoval} can restore the line until the next change. */
export function removeFromCart(line: CartLine): void {
  const { lines } = useCart.getState();
  const index = lines.findIndex(({ id }) => id === line.id);
  change(removeItem(lines, line.id), {
    announcement: `${line.name} removed from cart`,
    lastRemoved: { line, index },
  });
}

export function undoRemoval({ line, index }: RemovedLine): void {
  const lines = restoreLine(useCart.getState().lines, line, index);
  change(lines, { announcement: `${line.name} is back in the cart`, lastAdded: line.id });
}

/** 0 or less removes the line. */
export function setCartQuantity(line: CartLine, quantity: number): void {
  if (quantity <= 0) return removeFromCart(line);
  const lines = setQuantity(useCart.getState().lines, line.id, quantity);
  const described = quantity > MAX_QUANTITY ? `${MAX_QUANTITY}, the highest possible` : quantity;
  change(lines, { announcement: `${line.name}: quantity ${described}` });
}

/** Replaces all lines, because prices or stock have changed. */
export function replaceCart(lines: Cart): void {
  change(lines, { announcement: "" });
}

/** Subtracts the bought quantities after a purchase; items added since stay. */
export function removeBoughtFromCart(bought: readonly ItemQuantity[]): void {
  const lines = bought.reduce<Cart>(
    (cart, { id, quantity }) =>
      setQuantity(cart, id, (cart.find((line) => line.id === id)?.quantity ?? 0) - quantity),
    useCart.getState().lines,
  );
  change(lines, { announcement: "" });
}
