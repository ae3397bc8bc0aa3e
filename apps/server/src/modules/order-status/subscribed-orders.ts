import { awaitsPayment, type Cents } from "@keepsats/domain";
import type { Queries } from "../../platform/database/database.ts";
import { type CustomerReturns, findOrders, type Order, type Orders } from "../orders/index.ts";
import { findPayingLoans, refundedFor } from "../payments/index.ts";

/** An order with the ids of the loans that have paid it, and with the refunded amount. */
export interface OrderForSubscribers {
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
): Promise<Map<string, OrderForSubscribers>> {
  const orders = await findOrders(db, ids);
  const paid = [...orders.values()]
    .filter(({ status }) => !awaitsPayment(status))
    .map(({ id }) => id);
  const paidBy = paid.length === 0 ? new Map<string, string[]>() : await findPayingLoans(db, paid);
  const refunded = await refundedFor(db, paid);
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
