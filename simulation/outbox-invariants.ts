import type { OrderStatus } from "@keepsats/domain";
import type { CommittedDelivery, CommittedEvent, State } from "./committed.ts";
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
function typeOfEvent({ kind, to }: CommittedEvent): string[] {
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
  const bySubject = Map.groupBy(deliveries, ({ subject }) => subject);
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
    if (!isOver(delivery)) world.fail("not-told", `${target} is not told ${type} of ${subject}`);
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
