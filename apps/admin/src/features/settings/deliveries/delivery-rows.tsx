import { shortOrderId } from "@keepsats/domain";
import type { AdminDelivery } from "@keepsats/protocol";
import { Button } from "@keepsats/ui/button.tsx";
import { textLink } from "@keepsats/ui/classes.ts";
import { useInfiniteQuery } from "@tanstack/react-query";
import { Link } from "react-router";
import { retryDelivery } from "../../../lib/deliveries.ts";
import { useAction } from "../../../lib/use-action.ts";
import { useIdempotencyKey } from "../../../lib/use-idempotency-key.ts";
import { deliveryLabel, outcomeLabel } from "../../../ui/delivery-labels.ts";
import { Empty, Loaded } from "../../../ui/loaded.tsx";
import { ShowMore } from "../../../ui/show-more.tsx";
import { Time } from "../../../ui/values.tsx";
import { Failure, Row, Rows, useFocusFallback } from "../section-parts.tsx";
import { deliveriesKeys, type failedDeliveriesQuery, retryFailedDeliveries } from "./queries.ts";

interface DeliveriesProps {
  readonly query: typeof failedDeliveriesQuery;
  /** The path of the list. */
  readonly path: string;
  /** The name of the list, and the subject of its error message. */
  readonly label: string;
  /** The text of the empty list. */
  readonly none: string;
}

/** Deliveries with their outcome, page by page. */
export function Deliveries({ query: options, path, label, none }: DeliveriesProps) {
  const query = useInfiniteQuery(options);
  return (
    <Loaded query={query} subject={label}>
      {(deliveries) => (
        <>
          {deliveries.some(isFailed) && <RetryFailed path={path} />}
          {deliveries.length === 0 ? (
            <Empty>{none}</Empty>
          ) : (
            <Rows label={label}>
              {deliveries.map((delivery) => (
                <DeliveryRow key={delivery.id} delivery={delivery} />
              ))}
            </Rows>
          )}
          <ShowMore query={query} />
        </>
      )}
    </Loaded>
  );
}

function isFailed({ state }: AdminDelivery): boolean {
  return state === "failed";
}

function RetryFailed({ path }: { path: string }) {
  useFocusFallback();
  const sendOnce = useIdempotencyKey();
  const { mutate, isPending, failure } = useAction(
    () => sendOnce((key) => retryFailedDeliveries(path, key)),
    { invalidates: deliveriesKeys, done: "Retrying the failed deliveries" },
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

function DeliveryRow({ delivery }: { delivery: AdminDelivery }) {
  const { id, type, subject, state } = delivery;
  const label = deliveryLabel(delivery);
  const sendOnce = useIdempotencyKey();
  const { mutate, isPending, failure } = useAction(
    () => sendOnce((key) => retryDelivery(id, key)),
    { invalidates: deliveriesKeys, done: "Resending" },
  );
  const orderId = type.startsWith("order.") ? subject : undefined;
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
          <span className={isFailed(delivery) ? "text-danger" : undefined}>
            {outcomeLabel(delivery)}
          </span>
          <Times delivery={delivery} />
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

/** When a delivery ended, or since when it is waiting. */
function Times({ delivery: { created_at, ended_at, next_at } }: { delivery: AdminDelivery }) {
  if (ended_at !== null)
    return (
      <>
        , <Time at={ended_at} />
      </>
    );
  return (
    <>
      , since <Time at={created_at} />
      {next_at !== null && (
        <>
          , next attempt <Time at={next_at} />
        </>
      )}
    </>
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
    <Button onClick={onClick} disabled={isPending} aria-label={`Resend: ${about}`}>
      Resend
    </Button>
  );
}
