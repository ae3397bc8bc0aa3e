import { Button } from "@keepsats/ui/button.tsx";
import { useInfiniteQuery } from "@tanstack/react-query";
import { useAction } from "../../../lib/use-action.ts";
import { useIdempotencyKey } from "../../../lib/use-idempotency-key.ts";
import { DeliveryRow } from "../../../ui/delivery-row.tsx";
import { Loaded, ShowMore } from "../../../ui/loaded.tsx";
import { Failure, Rows, useFocusFallback } from "../../../ui/rows.tsx";
import { deliveriesQuery, retryFailedDeliveries } from "./queries.ts";

interface DeliveriesProps {
  readonly path: string;
  /** The name of the list, and the subject of its error message. */
  readonly label: string;
  readonly none: string;
}

export function Deliveries({ path, label, none }: DeliveriesProps) {
  const query = useInfiniteQuery(deliveriesQuery(path));
  return (
    <Loaded query={query} subject={label}>
      {(deliveries) => (
        <>
          {deliveries.some(({ state }) => state === "failed") && <RetryFailed path={path} />}
          <Rows label={label} none={none}>
            {deliveries.map((delivery) => (
              <DeliveryRow
                key={delivery.id}
                delivery={delivery}
                orderId={delivery.type.startsWith("order.") ? delivery.subject : undefined}
              />
            ))}
          </Rows>
          <ShowMore query={query} />
        </>
      )}
    </Loaded>
  );
}

function RetryFailed({ path }: { path: string }) {
  useFocusFallback();
  const sendOnce = useIdempotencyKey();
  const { mutate, isPending, failure } = useAction(
    () => sendOnce((key) => retryFailedDeliveries(path, key)),
    "Failed deliveries queued",
  );
  return (
    <div className="pb-3">
      <Button onClick={() => mutate()} disabled={isPending}>
        {isPending ? "Retrying…" : "Retry failed deliveries"}
      </Button>
      <Failure text={failure} />
    </div>
  );
}
