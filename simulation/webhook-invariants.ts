import {
  type CommittedDelivery,
  type CommittedWebhook,
  isToWebhook,
  type State,
} from "./committed.ts";
import { typeOfEvent } from "./outbox-invariants.ts";
import type { World } from "./world.ts";

/**
 * Checks what a new state says of webhooks and of what they are told. A webhook that has just
 * changed is left out.
 */
export function checkWebhooks(world: World, state: State): void {
  const { webhookHistory: history } = world;
  const before = history.state;
  const { gone } = history;
  for (const { id, offReason } of state.webhooks.values()) {
    const wasOn = before.webhooks.get(id)?.isOn === true;
    if (wasOn && offReason !== null && !gone.has(id))
      world.fail("switched-off-without-cause", `webhook ${id} is off: ${offReason}`);
  }
  history.follow(state, world.time.now);
  const last = before.deliveries.at(-1)?.position ?? 0;
  const added = state.deliveries.filter((one) => one.position > last && isToWebhook(one));
  for (const { target, type, subject } of added) {
    if (history.isSettled(target) && !isToldOf(state.webhooks.get(target), type))
      world.fail("told-unasked", `webhook ${target} is to be told ${type} of ${subject}`);
  }
  checkSubscribed(world, { before, state, added });
  checkEnds(world, state);
}

function isToldOf(webhook: CommittedWebhook | undefined, type: string): boolean {
  if (webhook?.isOn !== true) return false;
  return (
    type === "webhook.test" || webhook.events === null || JSON.parse(webhook.events).includes(type)
  );
}

/** Each webhook must be told of each new event that it subscribes to, from the same commit on. */
function checkSubscribed(
  world: World,
  { before, state, added }: { before: State; state: State; added: readonly CommittedDelivery[] },
): void {
  for (const { id: orderId, events } of state.orders.values()) {
    const types = events.slice(before.orders.get(orderId)?.events.length ?? 0).flatMap(typeOfEvent);
    for (const type of new Set(types)) {
      const times = types.filter((one) => one === type).length;
      for (const webhook of state.webhooks.values()) {
        if (!world.webhookHistory.isSettled(webhook.id) || !isToldOf(webhook, type)) continue;
        const told = added.filter(
          (one) => one.target === webhook.id && one.type === type && one.subject === orderId,
        );
        if (told.length !== times)
          world.fail(
            "not-announced",
            `webhook ${webhook.id} is told ${told.length} times of ${type} of ${orderId}`,
          );
      }
    }
  }
}

/**
 * What a webhook is to be told ends undelivered only while the webhook is off or after it was
 * removed.
 */
function checkEnds(world: World, { webhooks, deliveries }: State): void {
  const { webhookHistory: history } = world;
  for (const delivery of deliveries) {
    const { id, state, target, type, subject } = delivery;
    if (state === "waiting" || !isToWebhook(delivery) || history.ended.has(id)) continue;
    history.ended.add(id);
    if (state !== "delivered" && history.isSettled(target) && webhooks.get(target)?.isOn === true)
      world.fail("passed-over", `webhook ${target} is not told ${type} of ${subject}: ${state}`);
  }
}

/** At rest: a webhook that has answered 410 must be off. */
export function checkGone(world: World): void {
  const { webhookHistory: history } = world;
  history.settle();
  for (const id of history.gone)
    world.fail("gone-not-switched-off", `webhook ${id} has answered 410, and is on`);
}
