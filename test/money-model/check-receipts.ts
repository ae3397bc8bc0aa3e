/** Invariants of receipts and credit notes. */
import type { Order } from "../harness/money-answers.ts";
import type { Account, Broken, Entry } from "./account.ts";
import { SHOP } from "./payout.ts";

/**
 * An order has one receipt if it was ever paid. The receipt has its price, less a reduction. The
 * receipt less the credit notes is the price that is left.
 */
export function* creditNotes({ order, entries, receipts }: Account): Broken {
  if (order === undefined) return;
  const wasPaid = order.events.some(({ to }) => to === "PaymentProcessed");
  const [receipt, ...notes] = receipts;
  if ((receipt !== undefined) !== wasPaid)
    yield ["receipt-without-payment", `${receipts.length}, paid: ${wasPaid}`];
  if (receipt === undefined) return;
  if (receipt.kind !== "receipt" || notes.some(({ kind }) => kind !== "credit-note"))
    yield ["receipt-not-single", receipts.map(({ kind }) => kind).join()];
  const { total, reduction } = receipt;
  if (total + reduction !== order.total_price)
    yield ["receipt-of-another-price", `${total} and ${reduction}`];
  const credited = notes.reduce((sum, note) => sum + note.total, 0);
  const left = priceLeft(total, order, entries);
  if (total - credited !== left) yield ["credit-notes-wrong", `${total} − ${credited} ≠ ${left}`];
}

/** What granted refunds, and the refunds of a cancelled order, leave of a price. */
function priceLeft(price: number, { status, events }: Order, entries: readonly Entry[]): number {
  const cancelledAt = events.find(({ to }) => to === "Cancelled")?.at ?? Number.POSITIVE_INFINITY;
  const lowering = new Map<string | null, number>();
  let left = price;
  /** What was credited and did not arrive: its repetition lowers nothing. */
  let owed = 0;
  for (const { kind, currency, refundId, grant, at, amount: sum } of entries) {
    if (currency !== SHOP) continue;
    if (kind === "refund-reversed") owed += lowering.get(refundId) ?? 0;
    if (kind !== "refunded") continue;
    const repeated = grant === null ? Math.min(sum, owed) : 0;
    owed -= repeated;
    const isLowering = grant !== null || (status === "Cancelled" && at >= cancelledAt);
    const lowered = isLowering ? Math.min(sum - repeated, left) : 0;
    left -= lowered;
    lowering.set(refundId, repeated + lowered);
  }
  return left;
}
