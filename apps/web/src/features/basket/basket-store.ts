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
  /** What the last change was, for those who listen. */
  readonly news: string;
  /** The item that was added or put back last. */
  readonly added?: string | undefined;
  /** What the last change took out, and the place in the basket that it had. */
  readonly removed?: RemovedLine | undefined;
}

/** A line that was taken out, and where it stood. */
export interface RemovedLine {
  readonly line: BasketLine;
  readonly index: number;
}

const useStore = create<BasketState>(() => ({ lines: [], news: "" }));
const changeListeners = new Set<() => void>();

function change(lines: Basket, { added, removed, news }: Omit<BasketState, "lines">): void {
  const before = useStore.getState().lines;
  useStore.setState({ lines, news, added, removed });
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

/** The item that was added last, until something else is changed. */
export function useLastAdded(): string | undefined {
  return useStore(({ added }) => added);
}

/** What the last change has taken out of the basket, if that is what it did. */
export function useLastRemoved(): RemovedLine | undefined {
  return useStore(({ removed }) => removed);
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
  change(lines, { news: `${item.name} added to cart, ${line.quantity} in all`, added: item.id });
  return true;
}

/** Takes an item out. {@link undoRemoval} puts it back as long as nothing else is changed. */
export function removeFromBasket(line: BasketLine): void {
  const { lines } = useStore.getState();
  const index = lines.findIndex(({ id }) => id === line.id);
  change(removeItem(lines, line.id), { news: `${line.name} removed from cart`, removed: { line, index } });
}

/** Puts back what the last change has taken out. */
export function undoRemoval({ line, index }: RemovedLine): void {
  const lines = restoreLine(useStore.getState().lines, line, index);
  change(lines, { news: `${line.name} is back in the cart`, added: line.id });
}

/** Sets how many of an item are wanted; 0 or less takes it out. */
export function setBasketQuantity(line: BasketLine, quantity: number): void {
  if (quantity <= 0) return removeFromBasket(line);
  const lines = setQuantity(useStore.getState().lines, line.id, quantity);
  change(lines, { news: `${line.name}: quantity ${Math.min(quantity, MAX_QUANTITY)}` });
}

/** Takes out what has been bought; what was added since then stays. Nobody is told of a change. */
export function takeFromBasket(bought: readonly Pick<BasketLine, "id" | "quantity">[]): void {
  const lines = bought.reduce<Basket>(
    (basket, { id, quantity }) =>
      setQuantity(basket, id, (basket.find((line) => line.id === id)?.quantity ?? 0) - quantity),
    useStore.getState().lines,
  );
  useStore.setState({ lines, news: "", added: undefined, removed: undefined });
}
