import { isOrderStatus, type OrderStatus } from "@keepsats/domain";
import type { CommittedDelivery, CommittedEvent, State } from "../committed-state.ts";
import { MAILBOX, WEBHOOK } from "../receiver.ts";
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
const checkedTypes = new Set([
  "order.placed",
  "order.refunded",
  "order.refund_reversed",
  "return.requested",
  "return.accepted",
  "return.received",
  "return.completed",
  "return.declined",
  "return.withdrawn",
  ...Object.values(typeOfMove),
]);

function typesOfEvent({ kind, to_status: to }: CommittedEvent): string[] {
  if (kind === "placed") return ["order.placed"];
  if (kind === "refunded") return ["order.refunded"];
  if (kind === "refund-reversed") return ["order.refund_reversed"];
  if (kind.startsWith("return-")) return [kind.replace("-", ".")];
  const type = kind === "moved" && isOrderStatus(to) ? typeOfMove[to] : undefined;
  return type === undefined ? [] : [type];
}

const isSubscribed = new Set<string>(WEBHOOK.events);

/**
 * From its commit on, the outbox has each event once for each subscribed target, in order, and a refund
 * with its amount.
 */
export function checkEmitted(world: World, { orders, deliveries, entries }: State): void {
  const bySubject = Map.groupBy(deliveries, ({ subject }) => subject);
  for (const { id, events } of orders.values()) {
    const types = events.flatMap(typesOfEvent);
    const expected = {
      [MAILBOX]: types,
      [WEBHOOK.id]: types.filter((type) => isSubscribed.has(type)),
    };
    for (const [target, all] of Object.entries(expected)) {
      const sent = typesOf((bySubject.get(id) ?? []).filter((one) => one.target === target));
      if (sent !== all.join(", "))
        world.fail("not-emitted", `${target} needs ${all.join(", ")} of ${id}, and has ${sent}`);
    }
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

function typesOf(deliveries: readonly CommittedDelivery[]): string {
  return deliveries
    .map(({ type }) => type)
    .filter((type) => checkedTypes.has(type))
    .join(", ");
}

/** Once the shop is idle, all deliveries have ended, and all that count as delivered have arrived. */
export function checkDelivered(world: World, { deliveries }: State): void {
  for (const delivery of deliveries) {
    const { id, state, target, type, subject } = delivery;
    const isDone = target === WEBHOOK.id ? state === "delivered" : hasEnded(delivery);
    if (!isDone) world.fail("not-delivered", `${target} has not received ${type} of ${subject}`);
    if (state === "delivered" && !world.received.has(id))
      world.fail(
        "not-delivered",
        `${type} of ${subject} counts as delivered, and has not reached ${target}`,
      );
  }
}

export function hasEnded({ state }: CommittedDelivery): boolean {
  return state !== "waiting";
}
