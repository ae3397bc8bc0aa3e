import {
  addItem,
  type Basket,
  type BasketLine,
  basketCount,
  MAX_QUANTITY,
  removeItem,
  setQuantity,
} from "@keepsats/domain";
import { create } from "zustand";

interface BasketState {
  readonly lines: Basket;
  /** What the last change was, for those who listen. */
  readonly news: string;
}

const useStore = create<BasketState>(() => ({ lines: [], news: "" }));
const changeListeners = new Set<() => void>();

function change(lines: Basket, news: string): void {
  const before = useStore.getState().lines;
  useStore.setState({ lines, news });
  if (lines !== before) for (const listener of changeListeners) listener();
}

/** The lines of the basket. It is kept in memory only. */
export function useBasket(): Basket {
  return useStore(({ lines }) => lines);
}

/** How many pieces the basket holds. */
export function useBasketCount(): number {
  return useStore(({ lines }) => basketCount(lines));
}

/** The last change of the basket, in words. */
export function useBasketNews(): string {
  return useStore(({ news }) => news);
}

/** Hears of every change that the shopper makes. @returns a function that ends it */
export function onBasketChange(listener: () => void): () => void {
  changeListeners.add(listener);
  return () => changeListeners.delete(listener);
}

/** Adds one of an item. @returns whether there was room for it */
export function addToBasket(item: Omit<BasketLine, "quantity">): boolean {
  const lines = addItem(useStore.getState().lines, item);
  const line = lines.find(({ id }) => id === item.id);
  if (line === undefined) return false;
  change(lines, `${item.name} added to cart, ${line.quantity} in all`);
  return true;
}

/** Takes an item out. */
export function removeFromBasket(line: BasketLine): void {
  change(removeItem(useStore.getState().lines, line.id), `${line.name} removed from cart`);
}

/** Sets how many of an item are wanted; 0 or less takes it out. */
export function setBasketQuantity(line: BasketLine, quantity: number): void {
  if (quantity <= 0) return removeFromBasket(line);
  const lines = setQuantity(useStore.getState().lines, line.id, quantity);
  change(lines, `${line.name}: quantity ${Math.min(quantity, MAX_QUANTITY)}`);
}

/** Takes out what has been bought; what was added since then stays. Nobody is told of a change. */
export function takeFromBasket(bought: readonly Pick<BasketLine, "id" | "quantity">[]): void {
  const lines = bought.reduce<Basket>(
    (basket, { id, quantity }) =>
      setQuantity(basket, id, (basket.find((line) => line.id === id)?.quantity ?? 0) - quantity),
    useStore.getState().lines,
  );
  useStore.setState({ lines, news: "" });
}
