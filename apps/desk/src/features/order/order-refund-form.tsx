import { refundStateOf } from "../../lib/refunds.ts";
import { RefundForm } from "../../ui/refund-form.tsx";
import { type OrderFormProps, useOrder } from "./order-changes.ts";

/** Records a refund of an order's money. */
export function OrderRefundForm({ order, onDone }: OrderFormProps) {
  const { read, invalidate } = useOrder(order);
  return (
    <RefundForm
      state={refundStateOf(order)}
      read={async () => refundStateOf(await read())}
      onDone={() => {
        invalidate();
        onDone();
      }}
    />
  );
}
