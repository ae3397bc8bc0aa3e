import { shopCurrency } from "@keepsats/domain";
import {
  type CommittedEntry,
  type CommittedOrder,
  type State,
  wasPaid,
} from "../committed-state.ts";
import type { World } from "../world.ts";
import { accountOf } from "./accounts.ts";

/**
 * An order has one receipt if it was ever paid. The receipt has its price, less a reduction. The
 * receipt less the credit notes is the price that is left.
 */
export function checkReceipts(world: World, state: State): void {
  const byOrder = Map.groupBy(state.receipts, ({ order_id }) => order_id);
  for (const order of state.orders.values()) {
    const [receipt, ...notes] = (byOrder.get(order.id) ?? []).map(({ content }) => sumsIn(content));
    if ((receipt !== undefined) !== wasPaid(order))
      world.fail("receipt-without-payment", `order ${order.id}, paid: ${wasPaid(order)}`);
    if (receipt === undefined) continue;
    const { total, reduction } = receipt;
    if (total + reduction !== order.total)
      world.fail("receipt-of-another-price", `order ${order.id}: ${total} and ${reduction}`);
    const credited = notes.reduce((sum, note) => sum + note.total, 0);
    const left = priceLeft(total, order, accountOf(order, state).entries);
    if (total - credited !== left)
      world.fail("credit-notes-wrong", `order ${order.id}: ${total} − ${credited} ≠ ${left}`);
  }
}

function sumsIn(content: string): { readonly total: number; readonly reduction: number } {
  return JSON.parse(content);
}

/** What granted refunds, and the refunds of a cancelled order, leave of a price. */
function priceLeft(
  price: number,
  { status, events }: CommittedOrder,
  entries: readonly CommittedEntry[],
): number {
  const cancellation = events.find(({ to_status }) => to_status === "Cancelled");
  const cancelledAt = cancellation?.at ?? Number.POSITIVE_INFINITY;
  const lowering = new Map<string | null, number>();
  let left = price;
  /** What was credited and did not arrive: its repetition lowers nothing. */
  let owed = 0;
  for (const { kind, currency, refund_id, grant_kind, at, amount } of entries) {
    if (currency !== shopCurrency.code) continue;
    if (kind === "refund-reversed") owed += lowering.get(refund_id) ?? 0;
    if (kind !== "refunded") continue;
    const repeated = grant_kind === null ? Math.min(amount, owed) : 0;
    owed -= repeated;
    const isLowering = grant_kind !== null || (status === "Cancelled" && at >= cancelledAt);
    const lowered = isLowering ? Math.min(amount - repeated, left) : 0;
    left -= lowered;
    lowering.set(refund_id, repeated + lowered);
  }
  return left;
}
