import type { AdminOrder } from "@keepsats/protocol";
import { readOrder } from "../../lib/queries.ts";
import { RefundForm } from "../../refunds/refund-form.tsx";
import { refundStateOf, returnRefundStateOf } from "../../refunds/refunds.ts";
import type { OrderFormProps } from "./action-buttons.tsx";

interface OrderRefundFormProps extends OrderFormProps<AdminOrder> {
  readonly returnId?: string;
}

/** Refunds money of an order. `returnId`: the return that is refunded, if one is. */
export function OrderRefundForm({ order, returnId, onDone }: OrderRefundFormProps) {
  const stateOf = (current: AdminOrder) =>
    returnId === undefined ? refundStateOf(current) : returnRefundStateOf(current, returnId);
  return (
    <RefundForm
      state={stateOf(order)}
      read={async () => stateOf(await readOrder(order.id))}
      onDone={onDone}
    />
  );
}
