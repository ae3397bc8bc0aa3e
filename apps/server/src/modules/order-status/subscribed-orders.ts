import { awaitsPayment, type Cents, isOrderStatus } from "@keepsats/domain";
import type { Queries } from "../../platform/database/database.ts";
import { type CustomerReturns, findOrders, type Order, type Orders } from "../orders/index.ts";
import { payingLoans, refundedFor } from "../payments/index.ts";

/** An order with the ids of the loans that have paid it, and with the refunded amount. */
export interface SubscribedOrder {
  readonly order: Order;
  readonly paidBy: readonly string[];
  /** `undefined` for nothing. */
  readonly refunded?: Cents | undefined;
  readonly returns?: CustomerReturns | undefined;
}

export async function findSubscribedOrders(
  db: Queries,
  ids: readonly string[],
  { forCustomers }: Pick<Orders["returns"], "forCustomers">,
): Promise<Map<string, SubscribedOrder>> {
  const orders = await findOrders(db, ids);
  const mayBePaid = [...orders.values()]
    .filter(({ status }) => !(isOrderStatus(status) && awaitsPayment(status)))
    .map(({ id }) => id);
  const paidBy =
    mayBePaid.length === 0 ? new Map<string, string[]>() : await payingLoans(db, mayBePaid);
  const refunded = await refundedFor(db, mayBePaid);
  const returns = await forCustomers(db, [...orders.values()]);
  return new Map(
    [...orders].map(([id, order]) => [
      id,
      {
        order,
        paidBy: paidBy.get(id) ?? [],
        refunded: refunded.get(id),
        returns: returns.get(id),
      },
    ]),
  );
}
