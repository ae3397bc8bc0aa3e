import { type Basket, type BasketLine, type Cents, priceOf } from "@keepsats/domain";
import type { Problem } from "@keepsats/protocol";

/** A line of the basket, and what the shop can sell of it now; prices of one piece in cents. */
export interface ChangedLine {
  readonly line: BasketLine;
  /**
   * How many of the line's pieces can be bought: 0 when the item is sold out or not for sale any
   * more.
   */
  readonly available: number;
  /** The price now; `undefined` when the item is not for sale any more. */
  readonly price: Cents | undefined;
}

/**
 * An order that was not placed, because it is not what the shopper saw any more; amounts in cents.
 */
export interface ChangedOrder {
  /** The lines that differ. */
  readonly lines: readonly ChangedLine[];
  readonly totalBefore: Cents;
  /** What can be bought, with the prices of now; empty when nothing can. */
  readonly buyable: Basket;
  /** The total of what can be bought. */
  readonly total: Cents;
  /** The whole basket with the prices of now. */
  readonly repriced: Basket;
}

/**
 * Reads a refusal of `POST /api/orders`.
 *
 * @param basket the lines of the refused order
 * @param totalBefore the total that was sent with it
 * @param held lines of a saved order that is replaced, whose pieces become available
 * @returns `undefined` when the order was refused for another reason
 */
export function changedOrderOf(
  problem: Problem | undefined,
  basket: Basket,
  totalBefore: Cents,
  held: readonly Pick<BasketLine, "id" | "quantity">[] = [],
): ChangedOrder | undefined {
  if (problem?.code !== "price_changed") return undefined;
  const now = basket.map((line) => withHeld(lineNow(line, problem), held));
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

function withHeld(
  { line, available, price }: ChangedLine,
  held: readonly Pick<BasketLine, "id" | "quantity">[],
): ChangedLine {
  const more = held.reduce((sum, { id, quantity }) => (id === line.id ? sum + quantity : sum), 0);
  return {
    line,
    price,
    available: price === undefined ? available : Math.min(line.quantity, available + more),
  };
}

function lineNow(line: BasketLine, { lines }: Problem): ChangedLine {
  const quoted = lines?.find(({ item_id }) => item_id === line.id);
  return { line, available: quoted?.available ?? 0, price: quoted?.price ?? undefined };
}
