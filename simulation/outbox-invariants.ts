import type { OrderStatus } from "@keepsats/domain";
import type { CommittedDelivery, CommittedEvent, State } from "./committed.ts";
import { MAILBOX, WEBHOOK } from "./receiver.ts";
import type { World } from "./world.ts";

/**
 * What others are told of a move; the end of a payment attempt is told without a move too, so it is
 * not compared.
 */
const typeOfMove: Readonly<Record<OrderStatus, string | undefined>> = {
  Pending: undefined,
  PaymentProcessing: "order.payment_started",
  PaymentProcessed: "order.paid",
  Shipped: "order.shipped",
  Delivered: "order.delivered",
  Cancelled: "order.cancelled",
};
const compared = new Set([
  "order.placed",
  "order.refunded",
  "order.refund_reversed",
  ...Object.values(typeOfMove),
]);

/** What others are told of an event, among what is compared here; an empty list for nothing. */
function typeOfEvent({ kind, to }: CommittedEvent): string[] {
  if (kind === "placed") return ["order.placed"];
  if (kind === "refunded") return ["order.refunded"];
  if (kind === "refund-reversed") return ["order.refund_reversed"];
  const type = kind === "moved" ? typeOfMove[to] : undefined;
  return type === undefined ? [] : [type];
}

const isSubscribed = new Set<string>(WEBHOOK.events);

/**
 * For each target the outbox must have exactly those events of each order to which it subscribes,
 * in their order, from the same commit on.
 */
export function checkAnnounced(world: World, { orders, deliveries }: State): void {
  const bySubject = Map.groupBy(deliveries, ({ subject }) => subject);
  for (const { id, events } of orders.values()) {
    const types = events.flatMap(typeOfEvent);
    const expected = {
      [MAILBOX]: types,
      [WEBHOOK.id]: types.filter((type) => isSubscribed.has(type)),
    };
    for (const [target, all] of Object.entries(expected)) {
      const sent = typesOf((bySubject.get(id) ?? []).filter((one) => one.target === target));
      if (sent !== all.join(", "))
        world.fail("not-announced", `${target} must get ${all.join(", ")} of ${id}, not ${sent}`);
    }
  }
}

function typesOf(deliveries: readonly CommittedDelivery[]): string {
  return deliveries
    .map(({ type }) => type)
    .filter((type) => compared.has(type))
    .join(", ");
}

/**
 * Once all is quiet, every delivery must have ended, that to the webhook by a success, and what
 * counts as delivered must have arrived.
 */
export function checkTold(world: World, { deliveries }: State): void {
  for (const delivery of deliveries) {
    const { id, state, target, type, subject } = delivery;
    const isEnded = target === WEBHOOK.id ? state === "delivered" : isOver(delivery);
    if (!isEnded) world.fail("not-told", `${target} is not told ${type} of ${subject}`);
    if (state === "delivered" && !world.receiver.received.has(id))
      world.fail(
        "not-told",
        `${type} of ${subject} counts as delivered, and has not reached ${target}`,
      );
  }
}

export function isOver({ state }: CommittedDelivery): boolean {
  return state !== "waiting";
}
