import type { AdminOrder } from "@keepsats/protocol";
import { Button } from "@keepsats/ui/button.tsx";
import { useMutation } from "@tanstack/react-query";
import { errorText } from "../../lib/api.ts";
import { retryDelivery } from "../../lib/deliveries.ts";
import { useIdempotencyKey } from "../../lib/use-idempotency-key.ts";
import { deliveryLabel, outcomeLabel } from "../../ui/delivery-labels.ts";
import { Time } from "../../ui/values.tsx";
import { useOrderChange } from "./use-order-change.ts";

/** The emails and webhook messages about the order, the latest first. */
export function Deliveries({ order }: { order: AdminOrder }) {
  if (order.deliveries.length === 0) return <p className="text-ink-soft">Nothing was sent.</p>;
  return (
    <ul className="divide-y divide-line">
      {order.deliveries.toReversed().map((delivery) => (
        <Delivery key={delivery.id} order={order} delivery={delivery} />
      ))}
    </ul>
  );
}

type DeliveryProps = { order: AdminOrder; delivery: AdminOrder["deliveries"][number] };

function Delivery({ order, delivery }: DeliveryProps) {
  const sendOnce = useIdempotencyKey();
  const { attempt, finish } = useOrderChange({ order, onDone: () => {} }, "Resending");
  const { mutate, isPending, error } = useMutation({
    mutationFn: () => attempt(() => sendOnce((key) => retryDelivery(delivery.id, key))),
    onSuccess: finish,
  });
  const isWaiting = delivery.state === "waiting";
  return (
    <li className="flex flex-wrap items-center justify-between gap-x-4 gap-y-2 py-2">
      <div className="min-w-0 grow basis-60 wrap-anywhere">
        <p>{deliveryLabel(delivery)}</p>
        <p
          className={delivery.state === "failed" ? "text-sm text-danger" : "text-sm text-ink-soft"}
        >
          {outcomeLabel(delivery)}, <Time at={delivery.ended_at ?? delivery.created_at} />
        </p>
        {error !== null && (
          <p role="alert" className="text-sm text-danger">
            {errorText(error)}
          </p>
        )}
      </div>
      {!isWaiting && (
        <Button
          onClick={() => isPending || mutate()}
          aria-disabled={isPending}
          aria-label={`Resend: ${deliveryLabel(delivery)}`}
        >
          {isPending ? "Resending…" : "Resend"}
        </Button>
      )}
    </li>
  );
}
