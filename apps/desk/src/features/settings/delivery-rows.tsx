import { call } from "@keepsats/client";
import { shortOrderId } from "@keepsats/domain";
import { type DeliveryAnswer, deliveriesSchema } from "@keepsats/protocol";
import { Button } from "@keepsats/ui/button.tsx";
import { textLink } from "@keepsats/ui/text-link.ts";
import { useInfiniteQuery } from "@tanstack/react-query";
import { Link } from "react-router";
import { repeatDelivery, useIdempotencyKey } from "../../lib/deliveries.ts";
import { deliveryWords, outcomeWords } from "../../ui/delivery-words.ts";
import { Empty, Loaded } from "../../ui/loaded.tsx";
import { Time } from "../../ui/time.tsx";
import { Row, Rows } from "./rows.tsx";
import type { givenUpQuery } from "./settings-queries.ts";
import { useAction } from "./use-action.ts";
import { useFocusKept } from "./use-focus-kept.ts";

const rereads = [["given-up"], ["webhook-deliveries"]];

interface DeliveriesProps {
  readonly query: typeof givenUpQuery;
  /** The path from which the query reads. */
  readonly path: string;
  /** The name of the list, and the subject of its messages. */
  readonly label: string;
  /** What is said when there are none. */
  readonly none: string;
}

/** Deliveries with what became of them, page by page. */
export function Deliveries({ query: options, path, label, none }: DeliveriesProps) {
  const query = useInfiniteQuery(options);
  return (
    <Loaded query={query} what={label}>
      {(deliveries) => (
        <>
          {deliveries.some(isGivenUp) && <SendAllAgain path={path} />}
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
              <Button
                onClick={() => void query.fetchNextPage()}
                aria-disabled={query.isFetchingNextPage}
              >
                {query.isFetchingNextPage ? "Loading…" : "Show more"}
              </Button>
            </div>
          )}
        </>
      )}
    </Loaded>
  );
}

function isGivenUp({ state }: DeliveryAnswer): boolean {
  return state === "given-up";
}

/** Sends again everything of a list that was given up. */
function SendAllAgain({ path }: { path: string }) {
  useFocusKept();
  const { key, renew } = useIdempotencyKey();
  const { mutate, isPending, failure } = useAction(() => repeatGivenUp(path, key), {
    rereads,
    done: "They are sent again",
  });
  return (
    <div className="pb-3">
      <Button onClick={() => mutate(undefined, { onSuccess: renew })} disabled={isPending}>
        {isPending ? "A moment…" : "Retry failed deliveries"}
      </Button>
      <Failure text={failure} />
    </div>
  );
}

function DeliveryRow({ delivery }: { delivery: DeliveryAnswer }) {
  const { id, type, subject, state } = delivery;
  const words = deliveryWords(delivery);
  const { key, renew } = useIdempotencyKey();
  const { mutate, isPending, failure } = useAction(() => repeatDelivery(id, key), {
    rereads,
    done: "It is sent again",
  });
  const order = orderOf(type, subject);
  const about = order === undefined ? words : `${words}, order ${shortOrderId(order)}`;
  return (
    <Row
      title={
        <>
          {words}
          {order !== undefined && <OrderLink id={order} />}
        </>
      }
      detail={
        <>
          <span className={isGivenUp(delivery) ? "text-danger" : undefined}>
            {outcomeWords(delivery)}
          </span>
          <Times delivery={delivery} />
        </>
      }
      actions={
        state !== "waiting" && (
          <SendAgain
            about={about}
            isPending={isPending}
            onClick={() => mutate(undefined, { onSuccess: renew })}
          />
        )
      }
    >
      <Failure text={failure} />
    </Row>
  );
}

/** When a delivery ended; of one that waits, since when and until when. */
function Times({ delivery: { created_at, ended_at, next_at } }: { delivery: DeliveryAnswer }) {
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

interface SendAgainProps {
  readonly about: string;
  readonly isPending: boolean;
  readonly onClick: () => void;
}

function SendAgain({ about, isPending, onClick }: SendAgainProps) {
  useFocusKept();
  return (
    <Button onClick={onClick} disabled={isPending} aria-label={`Send again: ${about}`}>
      Send again
    </Button>
  );
}

function Failure({ text }: { text: string | undefined }) {
  if (text === undefined) return null;
  return (
    <p role="alert" className="text-sm text-danger">
      {text}
    </p>
  );
}

/** The id of the order that a delivery is about; `undefined` if it is about something else. */
function orderOf(type: string, subject: string): string | undefined {
  return type.startsWith("order.") ? subject : undefined;
}

function OrderLink({ id }: { id: string }) {
  return (
    <>
      {", "}
      <Link to={`/orders/${id}`} className={textLink}>
        order {shortOrderId(id)}
      </Link>
    </>
  );
}

/**
 * Sends again, one after another and the oldest first, everything of a list that was given up, also
 * what is not shown yet.
 *
 * @param path of the list: one of `paths.merchant.deliveries`, `paths.merchant.webhookDeliveries`
 * @param key as for {@link repeatDelivery}
 */
async function repeatGivenUp(path: string, key: string): Promise<void> {
  const givenUp = await allOf(path);
  for (const { id } of givenUp.toReversed()) await repeatDelivery(id, key);
}

async function allOf(path: string): Promise<DeliveryAnswer[]> {
  const all: DeliveryAnswer[] = [];
  let cursor: string | null = "";
  while (cursor !== null) {
    const query = new URLSearchParams(cursor === "" ? {} : { cursor });
    const page: { deliveries: DeliveryAnswer[]; next_cursor: string | null } = await call({
      path: `${path}?${query}`,
      answer: deliveriesSchema,
    });
    all.push(...page.deliveries.filter(({ state }) => state === "given-up"));
    cursor = page.next_cursor;
  }
  return all;
}
