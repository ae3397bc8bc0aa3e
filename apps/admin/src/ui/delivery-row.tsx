import { shortOrderId } from "@keepsats/domain";
import type { AdminDelivery } from "@keepsats/protocol";
import { Button } from "@keepsats/ui/button.tsx";
import { textLink } from "@keepsats/ui/classes.ts";
import { Link } from "react-router";
import { deliveriesKeys, retryDelivery } from "../lib/deliveries.ts";
import { useAction } from "../lib/use-action.ts";
import { useIdempotencyKey } from "../lib/use-idempotency-key.ts";
import { deliveryLabel, outcomeLabel } from "./delivery-labels.ts";
import { Failure, Row, useFocusFallback } from "./rows.tsx";
import { TimeAfter } from "./values.tsx";

interface DeliveryRowProps {
  readonly delivery: AdminDelivery;
  /** The order that the row names; `undefined` on the screen of the order itself. */
  readonly orderId?: string | undefined;
}

export function DeliveryRow({ delivery, orderId }: DeliveryRowProps) {
  const { id, state, created_at, ended_at, next_at } = delivery;
  const label = deliveryLabel(delivery);
  const sendOnce = useIdempotencyKey();
  const { mutate, isPending, failure } = useAction(
    () => sendOnce((key) => retryDelivery(id, key)),
    { invalidates: deliveriesKeys, done: "Resending" },
  );
  const about = orderId === undefined ? label : `${label}, order ${shortOrderId(orderId)}`;
  return (
    <Row
      title={
        <>
          {label}
          {orderId !== undefined && (
            <>
              {", "}
              <Link to={`/orders/${orderId}`} className={textLink}>
                order {shortOrderId(orderId)}
              </Link>
            </>
          )}
        </>
      }
      detail={
        <>
          <span className={state === "failed" ? "text-danger" : undefined}>
            {outcomeLabel(delivery)}
          </span>
          <TimeAfter text=", " at={ended_at} />
          {ended_at === null && (
            <>
              <TimeAfter text=", since " at={created_at} />
              <TimeAfter text=", next attempt " at={next_at} />
            </>
          )}
        </>
      }
      actions={
        state !== "waiting" && (
          <ResendButton about={about} isPending={isPending} onClick={() => mutate()} />
        )
      }
    >
      <Failure text={failure} />
    </Row>
  );
}

interface ResendButtonProps {
  readonly about: string;
  readonly isPending: boolean;
  readonly onClick: () => void;
}

function ResendButton({ about, isPending, onClick }: ResendButtonProps) {
  useFocusFallback();
  return (
    <Button
      onClick={() => isPending || onClick()}
      aria-disabled={isPending}
      aria-label={`Resend: ${about}`}
    >
      {isPending ? "Resending…" : "Resend"}
    </Button>
  );
}
