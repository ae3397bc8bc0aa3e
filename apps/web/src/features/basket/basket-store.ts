import {
  addItem,
  type Basket,
  type BasketLine,
  basketCount,
  MAX_QUANTITY,
  removeItem,
  restoreLine,
  setQuantity,
} from "@keepsats/domain";
import { create } from "zustand";

interface BasketState {
  readonly lines: Basket;
  /** The last change in words, for screen readers; empty when there is nothing to announce. */
  readonly announcement: string;
  /** The id of the item, if the last change added it or put it back. */
  readonly lastAdded?: string | undefined;
  /** The removed line, if the last change removed one. */
  readonly lastRemoved?: RemovedLine | undefined;
}

/** A removed line. */
export interface RemovedLine {
  readonly line: BasketLine;
  /** Its former position in the basket. */
  readonly index: number;
}

const useStore = create<BasketState>(() => ({ lines: [], announcement: "" }));
const changeListeners = new Set<(lines: Basket) => void>();

function change(
  lines: Basket,
  { lastAdded, lastRemoved, announcement }: Omit<BasketState, "lines">,
): void {
  const before = useStore.getState().lines;
  useStore.setState({ lines, announcement, lastAdded, lastRemoved });
  if (lines !== before) for (const listener of changeListeners) listener(lines);
}

/** The lines of the basket. It is kept in memory only. */
export function useBasket(): Basket {
  return useStore(({ lines }) => lines);
}

/** The total quantity of all lines. */
export function useBasketCount(): number {
  return useStore(({ lines }) => basketCount(lines));
}

/** The id of the item, if the last change added it or put it back. */
export function useLastAdded(): string | undefined {
  return useStore(({ lastAdded }) => lastAdded);
}

/** The removed line, if the last change removed one. */
export function useLastRemoved(): RemovedLine | undefined {
  return useStore(({ lastRemoved }) => lastRemoved);
}

/** The last change of the basket in words, such as "Moka Pot removed from cart". */
export function useBasketAnnouncement(): string {
  return useStore(({ announcement }) => announcement);
}

/**
 * Calls the listener with the lines after each change that the shopper makes. @returns a function
 * that unsubscribes
 */
export function onBasketChange(listener: (lines: Basket) => void): () => void {
  changeListeners.add(listener);
  return () => changeListeners.delete(listener);
}

/**
 * Adds one piece of an item, unless the basket has the maximum of lines, or the line the maximum of
 * pieces.
 */
export function addToBasket(
  item: Omit<BasketLine, "quantity">,
): "added" | "too-many-lines" | "too-many-pieces" {
  const before = useStore.getState().lines;
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

/** Removes a line. {@link undoRemoval} can put it back until the next change. */
export function removeFromBasket(line: BasketLine): void {
  const { lines } = useStore.getState();
  const index = lines.findIndex(({ id }) => id === line.id);
  change(removeItem(lines, line.id), {
    announcement: `${line.name} removed from cart`,
    lastRemoved: { line, index },
  });
}

/** Puts a removed line back at its former position. */
export function undoRemoval({ line, index }: RemovedLine): void {
  const lines = restoreLine(useStore.getState().lines, line, index);
  change(lines, { announcement: `${line.name} is back in the cart`, lastAdded: line.id });
}

/** Sets the quantity of a line; 0 or less removes the line. */
export function setBasketQuantity(line: BasketLine, quantity: number): void {
  if (quantity <= 0) return removeFromBasket(line);
  const lines = setQuantity(useStore.getState().lines, line.id, quantity);
  const announced = quantity > MAX_QUANTITY ? `${MAX_QUANTITY}, the highest possible` : quantity;
  change(lines, { announcement: `${line.name}: quantity ${announced}` });
}

/** Replaces all lines, because the shop sells other pieces or at other prices now. */
export function replaceBasket(lines: Basket): void {
  change(lines, { announcement: "" });
}

/**
 * Subtracts the bought quantities after a purchase; what the shopper has added since stays.
 * Listeners are not called, because this is no change by the shopper.
 */
export function removeBoughtFromBasket(
  bought: readonly Pick<BasketLine, "id" | "quantity">[],
): void {
  const lines = bought.reduce<Basket>(
    (basket, { id, quantity }) =>
      setQuantity(basket, id, (basket.find((line) => line.id === id)?.quantity ?? 0) - quantity),
    useStore.getState().lines,
  );
  useStore.setState({ lines, announcement: "", lastAdded: undefined, lastRemoved: undefined });
}
