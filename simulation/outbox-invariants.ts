import type { OrderStatus } from "@keepsats/domain";
import {
  type CommittedDelivery,
  type CommittedEvent,
  isToWebhook,
  type State,
} from "./committed.ts";
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
const compared = new Set(["order.placed", "order.refunded", ...Object.values(typeOfMove)]);

/** What others are told of an event, among what is compared here; an empty list for nothing. */
export function typeOfEvent({ kind, to }: CommittedEvent): string[] {
  if (kind === "placed") return ["order.placed"];
  if (kind === "refunded") return ["order.refunded"];
  const type = kind === "moved" ? typeOfMove[to] : undefined;
  return type === undefined ? [] : [type];
}

/**
 * For the targets that are told of everything, the outbox must have exactly what the events of each
 * order say, in their order, from the same commit on.
 */
export function checkAnnounced(world: World, { orders, deliveries }: State): void {
  const others = deliveries.filter((delivery) => !isToWebhook(delivery));
  const bySubject = Map.groupBy(others, ({ subject }) => subject);
  for (const { id, events } of orders.values()) {
    const expected = events.flatMap(typeOfEvent).join(", ");
    for (const [target, some] of Map.groupBy(bySubject.get(id) ?? [], (one) => one.target)) {
      const told = typesOf(some);
      if (told !== expected)
        world.fail("not-announced", `order ${id} has ${expected}; ${target} is to be told ${told}`);
    }
    if (!bySubject.has(id)) world.fail("not-announced", `nobody is told anything of order ${id}`);
  }
}

function typesOf(deliveries: readonly CommittedDelivery[]): string {
  return deliveries
    .map(({ type }) => type)
    .filter((type) => compared.has(type))
    .join(", ");
}

/**
 * Once all is quiet, every delivery must have ended, and what counts as delivered must have
 * arrived.
 */
export function checkTold(world: World, { deliveries }: State): void {
  for (const delivery of deliveries) {
    const { id, state, target, type, subject } = delivery;
    if (!isOver(world, delivery))
      world.fail("not-told", `${target} is not told ${type} of ${subject}`);
    if (state === "delivered" && !world.receiver.received.has(id))
      world.fail(
        "not-told",
        `${type} of ${subject} counts as delivered, and has not reached ${target}`,
      );
  }
}

/**
 * Whether nothing more is to be waited for. Pauses of webhooks are long, so when the machine's
 * clock was set back and the shop has started again, an attempt may be hours away.
 */
export function isOver({ time }: World, delivery: CommittedDelivery): boolean {
  return delivery.state !== "waiting" || (time.hasJumped && isToWebhook(delivery));
}
