import { isOrderStatus, type OrderStatus } from "@keepsats/domain";
import type { CommittedDelivery, CommittedEvent, State } from "../committed-state.ts";
import type { World } from "../world.ts";

/** A failed payment attempt is left out, because it is emitted with and without a move. */
const typeOfMove: Readonly<Record<OrderStatus, string | undefined>> = {
  Pending: undefined,
  PaymentProcessing: "order.payment_started",
  PaymentProcessed: "order.paid",
  Shipped: "order.shipped",
  Delivered: "order.delivered",
  Cancelled: "order.cancelled",
};
/** The events that the webhook receives. */
export const eventTypes: readonly string[] = [
  "order.placed",
  ...Object.values(typeOfMove).filter((type) => type !== undefined),
  "order.refunded",
  "order.refund_reversed",
];

function typesOfEvent({ kind, to_status: to }: CommittedEvent): string[] {
  if (kind === "placed") return ["order.placed"];
  if (kind === "refunded") return ["order.refunded"];
  if (kind === "refund-reversed") return ["order.refund_reversed"];
  const type = kind === "moved" && isOrderStatus(to) ? typeOfMove[to] : undefined;
  return type === undefined ? [] : [type];
}

/** From its commit on, the outbox has each event once, in order, and a refund with its amount. */
export function checkEmitted(world: World, { orders, deliveries, entries }: State): void {
  const bySubject = Map.groupBy(deliveries, ({ subject }) => subject);
  for (const { id, events } of orders.values()) {
    const expected = events.flatMap(typesOfEvent).join(", ");
    const emitted = (bySubject.get(id) ?? []).map(({ type }) => type).join(", ");
    if (emitted !== expected)
      world.fail("not-emitted", `order ${id} needs ${expected}, and has ${emitted}`);
  }
  for (const delivery of deliveries)
    if (/^order.refund/.test(delivery.type)) checkAmount(world, delivery, entries);
}

function checkAmount(
  world: World,
  { type, data }: CommittedDelivery,
  entries: State["entries"],
): void {
  const { refund_id, cents } = JSON.parse(data);
  const kind = type === "order.refunded" ? "refunded" : "refund-reversed";
  const entry = entries.find((one) => one.refund_id === refund_id && one.kind === kind);
  if (entry?.amount !== cents)
    world.fail("not-emitted", `${type} says ${cents} of refund ${refund_id} of ${entry?.amount}`);
}

/** Once the shop is idle, all events are delivered, and have arrived. */
export function checkDelivered(world: World, { deliveries }: State): void {
  for (const { id, state, type, subject } of deliveries) {
    if (state !== "delivered") world.fail("not-delivered", `${type} of ${subject} is ${state}`);
    else if (!world.received.has(id))
      world.fail("not-delivered", `${type} of ${subject} counts as delivered, and has not arrived`);
  }
}
