import { shortOrderId } from "@keepsats/domain";
import {
  type AdminDelivery,
  type DeliveryChannel,
  labelOf,
  type WebhookEventType,
} from "@keepsats/protocol";
import { Button } from "@keepsats/ui/button.tsx";
import { textLink } from "@keepsats/ui/classes.ts";
import { Link } from "react-router";
import { retryDelivery } from "../lib/deliveries.ts";
import { useAction } from "../lib/use-action.ts";
import { useIdempotencyKey } from "../lib/use-idempotency-key.ts";
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
  useFocusFallback();
  const { mutate, isPending, failure } = useAction(
    () => sendOnce((key) => retryDelivery(id, key)),
    "Delivery queued",
  );
  const isWaiting = isPending || state === "waiting";
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
        <Button
          onClick={() => isWaiting || mutate()}
          aria-disabled={isWaiting}
          aria-label={`Resend: ${about}`}
        >
          {isPending ? "Resending…" : "Resend"}
        </Button>
      }
    >
      <Failure text={failure} />
    </Row>
  );
}

const channels = {
  "email-customer": "Email to the customer",
  "email-merchant": "Email to the shop",
  webhook: "Webhook",
} satisfies Record<DeliveryChannel, string>;

const types = {
  "order.placed": "placed",
  "order.payment_started": "payment started",
  "order.payment_failed": "payment failed",
  "order.paid": "paid",
  "order.shipped": "shipped",
  "order.delivered": "delivered",
  "order.cancelled": "cancelled",
  "order.corrected": "corrected",
  "order.refunded": "refunded",
  "order.refund_reversed": "refund reversed",
  "order.erased": "erased",
  "return.requested": "return requested",
  "return.accepted": "return accepted",
  "return.received": "return received",
  "return.completed": "return completed",
  "return.declined": "return declined",
  "return.withdrawn": "return request withdrawn",
  "payment_issue.opened": "payment needs attention",
  "payment_issue.resolved": "payment issue resolved",
  "payment_issue.reopened": "payment issue reopened",
  "stock.low": "low in stock",
  "webhook.test": "test",
} satisfies Record<WebhookEventType, string>;

/** The channel and the event of a delivery, such as "Email to the customer: shipped". */
export function deliveryLabel({ channel, type }: Pick<AdminDelivery, "channel" | "type">): string {
  return `${labelOf(channels, channel, channel)}: ${labelOf(types, type, type)}`;
}

const states = {
  waiting: "Waiting",
  delivered: "Delivered",
  skipped: "Skipped",
  failed: "Not delivered",
};

/** The state of a delivery, with the answer of the receiver unless it was delivered. */
export function outcomeLabel({ state, answer }: Pick<AdminDelivery, "state" | "answer">): string {
  const label = labelOf(states, state, state);
  if (state === "delivered" || answer === null) return label;
  // A delivery that is retried keeps the answer of the attempt before.
  return state === "waiting" ? `${label}, after: ${answer}` : `${label}: ${answer}`;
}
