import { awaitsPayment, type Cents, isOrderStatus } from "@keepsats/domain";
import type { Queries } from "../../platform/database/database.ts";
import { findOrders, type Order } from "../orders/index.ts";
import { payingLoans, refundedFor } from "../payments/index.ts";

/**
 * An order with the ids of the loans that have paid it, and with the refunded amount if it is
 * cancelled.
 */
export interface SubscribedOrder {
  readonly order: Order;
  readonly paidBy: readonly string[];
  /** `undefined` for nothing. */
  readonly refunded?: Cents | undefined;
}

export async function findSubscribedOrders(
  db: Queries,
  ids: readonly string[],
): Promise<Map<string, SubscribedOrder>> {
  const orders = await findOrders(db, ids);
  const mayBePaid = [...orders.values()]
    .filter(({ status }) => !(isOrderStatus(status) && awaitsPayment(status)))
    .map(({ id }) => id);
  const paidBy =
    mayBePaid.length === 0 ? new Map<string, string[]>() : await payingLoans(db, mayBePaid);
  const cancelled = mayBePaid.filter((id) => orders.get(id)?.status === "Cancelled");
  const refunded = await refundedFor(db, cancelled);
  return new Map(
    [...orders].map(([id, order]) => [
      id,
      { order, paidBy: paidBy.get(id) ?? [], refunded: refunded.get(id) },
    ]),
  );
}
