import { type Cart, type CartLine, type Cents, type ItemQuantity, priceOf } from "@keepsats/domain";
import type { Problem } from "@keepsats/protocol";

/** A line of the cart, and its current stock and price. */
export interface ChangedLine {
  readonly line: CartLine;
  /** The pieces of the line that can be bought now. */
  readonly available: number;
  /** The current unit price; `undefined` if the item is no longer for sale. */
  readonly price: Cents | undefined;
}

/** An order that was not placed, because prices or stock have changed since the customer saw it. */
export interface ChangedOrder {
  /** The lines that differ. */
  readonly lines: readonly ChangedLine[];
  readonly totalBefore: Cents;
  /** The lines that can be bought, at current prices. */
  readonly buyable: Cart;
  /** The total of {@link ChangedOrder.buyable}. */
  readonly total: Cents;
  /** The whole cart at current prices. */
  readonly repriced: Cart;
}

/**
 * Parses a refusal of `POST /api/orders`.
 *
 * @param totalBefore the total that was sent with the order
 * @param held the lines of a replaced order, whose pieces become available
 * @returns `undefined` if the order was refused for another reason
 */
export function changedOrderOf(
  problem: Problem | undefined,
  cart: Cart,
  totalBefore: Cents,
  held: readonly ItemQuantity[] = [],
): ChangedOrder | undefined {
  if (problem?.code !== "price_changed") return undefined;
  const now = cart.map((line) => lineNow(line, problem, held));
  const buyable = now.flatMap(({ line, available, price }) =>
    available === 0 || price === undefined ? [] : { ...line, quantity: available, price },
  );
  return {
    lines: now.filter(
      ({ line, available, price }) => available !== line.quantity || price !== line.price,
    ),
    totalBefore,
    buyable,
    total: (held.length === 0 ? problem.total : undefined) ?? priceOf(buyable).total,
    repriced: now.map(({ line, price = line.price }) => ({ ...line, price })),
  };
}

function lineNow(line: CartLine, { lines }: Problem, held: readonly ItemQuantity[]): ChangedLine {
  const quoted = lines?.find(({ item_id }) => item_id === line.id);
  const price = quoted?.price ?? undefined;
  const available = quoted?.available ?? 0;
  if (price === undefined) return { line, available, price };
  const more = held.reduce((sum, { id, quantity }) => (id === line.id ? sum + quantity : sum), 0);
  return { line, available: Math.min(line.quantity, available + more), price };
}
