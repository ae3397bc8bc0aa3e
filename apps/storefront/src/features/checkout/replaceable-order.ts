import { call } from "@keepsats/client";
import { awaitsPayment } from "@keepsats/domain";
import {
  type OrderLine,
  orderKeyHeader,
  orderLineSchema,
  shopPaths,
  withId,
} from "@keepsats/protocol";
import * as z from "zod/mini";
import type { SavedOrder } from "../../lib/saved-orders.ts";
import type { ChangedOrder } from "./changed-order.ts";

/** A saved unpaid order with pieces that a new order needs. */
export interface ReplaceableOrder {
  readonly id: string;
  readonly key: string;
  readonly items: readonly OrderLine[];
}

const heldSchema = z.object({ status: z.string(), items: z.array(orderLineSchema) });

/** The number of orders that are read, newest first. */
const MAX_READ = 5;

/**
 * Finds the saved unpaid order with the most missing pieces, according to the server.
 *
 * @param orders newest first
 */
export async function findReplaceable(
  orders: readonly SavedOrder[],
  { lines }: ChangedOrder,
): Promise<ReplaceableOrder | undefined> {
  const missing = new Map(lines.map(({ line, available }) => [line.id, line.quantity - available]));
  if ([...missing.values()].every((count) => count === 0)) return undefined;
  const known = orders.flatMap(({ id, key, status, loanId }) =>
    key !== undefined && loanId === undefined && awaitsPayment(status) ? { id, key } : [],
  );
  const found = await Promise.all(known.slice(0, MAX_READ).map(readItems));
  const held = ({ items }: ReplaceableOrder) =>
    items.reduce((sum, { id, quantity }) => sum + Math.min(quantity, missing.get(id) ?? 0), 0);
  const [best] = found.flatMap((order) => order ?? []).sort((a, b) => held(b) - held(a));
  return best !== undefined && held(best) > 0 ? best : undefined;
}

/** @returns `undefined` for an order that cannot be replaced now, or cannot be read */
async function readItems(
  order: Pick<ReplaceableOrder, "id" | "key">,
): Promise<ReplaceableOrder | undefined> {
  try {
    const { status, items } = await call({
      path: withId(shopPaths.order, order.id),
      headers: { [orderKeyHeader]: order.key },
      answer: heldSchema,
    });
    return awaitsPayment(status) ? { ...order, items } : undefined;
  } catch (error) {
    console.warn("A saved order cannot be read", error);
    return undefined;
  }
}
