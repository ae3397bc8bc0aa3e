import type { AdminOrder } from "@keepsats/protocol";
import { refundStateOf, returnRefundStateOf } from "../../lib/refunds.ts";
import { RefundForm } from "../../ui/refund-form.tsx";
import { useOrder } from "./queries.ts";
import type { OrderFormProps } from "./use-order-change.ts";

interface OrderRefundFormProps extends OrderFormProps<AdminOrder> {
  readonly returnId?: string;
}

/** Refunds money of an order. @param props.returnId the return that is refunded, if one is */
export function OrderRefundForm({ order, returnId, onDone }: OrderRefundFormProps) {
  const { read, invalidate } = useOrder(order);
  const stateOf = (current: AdminOrder) =>
    returnId === undefined ? refundStateOf(current) : returnRefundStateOf(current, returnId);
  return (
    <RefundForm
      state={stateOf(order)}
      read={async () => stateOf(await read())}
      onDone={() => {
        invalidate();
        onDone();
      }}
    />
  );
}
