import { type State, wasPaid } from "../committed-state.ts";
import type { World } from "../world.ts";

/** An order has one receipt if it was ever paid, of its price less a reduction. */
export function checkReceipts(world: World, state: State): void {
  const byOrder = Map.groupBy(state.receipts, ({ order_id }) => order_id);
  for (const order of state.orders.values()) {
    const [receipt] = byOrder.get(order.id) ?? [];
    if ((receipt !== undefined) !== wasPaid(order))
      world.fail("receipt-without-payment", `order ${order.id}, paid: ${wasPaid(order)}`);
    if (receipt === undefined) continue;
    const { total, reduction } = JSON.parse(receipt.content);
    if (total + reduction !== order.total)
      world.fail("receipt-of-another-price", `order ${order.id}: ${total} and ${reduction}`);
  }
}
