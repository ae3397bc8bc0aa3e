import { shortOrderId } from "@keepsats/domain";
import { type DeliveryAnswer, paths, withId } from "@keepsats/protocol";
import { Button } from "@keepsats/ui/button.tsx";
import { Link } from "@keepsats/ui/link.tsx";
import { textLink } from "@keepsats/ui/text-link.ts";
import { useInfiniteQuery } from "@tanstack/react-query";
import { send } from "../../lib/api.ts";
import { deliveryWords, outcomeWords } from "../../ui/delivery-words.ts";
import { Empty, Loaded } from "../../ui/loaded.tsx";
import { Time } from "../../ui/time.tsx";
import { Row, Rows } from "./rows.tsx";
import type { givenUpQuery } from "./settings-queries.ts";
import { useAction } from "./use-action.ts";

interface DeliveriesProps {
  readonly query: typeof givenUpQuery;
  /** The name of the list, and the subject of its messages. */
  readonly label: string;
  /** What is said when there are none. */
  readonly none: string;
}

/** Deliveries with what became of them, page by page. */
export function Deliveries({ query: options, label, none }: DeliveriesProps) {
  const query = useInfiniteQuery(options);
  return (
    <Loaded query={query} what={label}>
      {(deliveries) => (
        <>
          {deliveries.length === 0 ? (
            <Empty>{none}</Empty>
          ) : (
            <Rows label={label}>
              {deliveries.map((delivery) => (
                <DeliveryRow key={delivery.id} delivery={delivery} />
              ))}
            </Rows>
          )}
          {query.hasNextPage && (
            <div className="pt-4 text-center">
              <Button onClick={() => void query.fetchNextPage()} aria-disabled={query.isFetchingNextPage}>
                {query.isFetchingNextPage ? "Loading…" : "Show more"}
              </Button>
            </div>
          )}
        </>
      )}
    </Loaded>
  );
}

function DeliveryRow({ delivery }: { delivery: DeliveryAnswer }) {
  const { id, type, subject, state, created_at, ended_at } = delivery;
  const words = deliveryWords(delivery);
  const { mutate, isPending, failure } = useAction(
    () => send({ path: withId(paths.merchant.deliveryRepeat, id), method: "POST" }),
    { rereads: [["given-up"], ["webhook-deliveries"]], done: "It is sent again" },
  );
  return (
    <Row
      title={
        <>
          {words}
          <Subject type={type} subject={subject} />
        </>
      }
      detail={
        <>
          <span className={state === "given-up" ? "text-danger" : undefined}>{outcomeWords(delivery)}</span>,{" "}
          <Time at={ended_at ?? created_at} />
        </>
      }
      actions={
        state !== "waiting" && (
          <Button onClick={() => mutate()} disabled={isPending} aria-label={`Send again: ${words}`}>
            Send again
          </Button>
        )
      }
    >
      {failure !== undefined && (
        <p role="alert" className="text-sm text-danger">
          {failure}
        </p>
      )}
    </Row>
  );
}

/** What a delivery is about: an order is a link. */
function Subject({ type, subject }: { type: string; subject: string }) {
  if (!type.startsWith("order.")) return null;
  return (
    <>
      {", "}
      <Link to={`/orders/${subject}`} className={textLink}>
        order {shortOrderId(subject)}
      </Link>
    </>
  );
}
