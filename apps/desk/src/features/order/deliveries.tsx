import type { MerchantOrder } from "@keepsats/protocol";
import { Button } from "@keepsats/ui/button.tsx";
import { useMutation } from "@tanstack/react-query";
import { errorText } from "../../lib/api.ts";
import { repeatDelivery, useIdempotencyKey } from "../../lib/deliveries.ts";
import { deliveryWords, outcomeWords } from "../../ui/delivery-words.ts";
import { Time } from "../../ui/time.tsx";
import { useChange } from "./order-changes.ts";

/** The letters and webhook messages about the order, the latest first. */
export function Deliveries({ order }: { order: MerchantOrder }) {
  if (order.deliveries.length === 0) return <p className="text-ink-soft">Nothing was sent.</p>;
  return (
    <ul className="divide-y divide-line">
      {order.deliveries.toReversed().map((delivery) => (
        <Delivery key={delivery.id} order={order} delivery={delivery} />
      ))}
    </ul>
  );
}

type DeliveryProps = { order: MerchantOrder; delivery: MerchantOrder["deliveries"][number] };

function Delivery({ order, delivery }: DeliveryProps) {
  const { key, renew } = useIdempotencyKey();
  const { attempt, finish } = useChange({ order, onDone: renew }, "It is sent again");
  const { mutate, isPending, error } = useMutation({
    mutationFn: () => attempt(() => repeatDelivery(delivery.id, key)),
    onSuccess: finish,
  });
  const isWaiting = delivery.state === "waiting";
  return (
    <li className="flex flex-wrap items-center justify-between gap-x-4 gap-y-2 py-2">
      <div className="min-w-0 grow basis-60 wrap-anywhere">
        <p>{deliveryWords(delivery)}</p>
        <p
          className={
            delivery.state === "given-up" ? "text-sm text-danger" : "text-sm text-ink-soft"
          }
        >
          {outcomeWords(delivery)}, <Time at={delivery.ended_at ?? delivery.created_at} />
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
          aria-label={`Send again: ${deliveryWords(delivery)}`}
        >
          {isPending ? "Sending…" : "Send again"}
        </Button>
      )}
    </li>
  );
}
