import { mapFields } from "@keepsats/domain";
import { type StreamErrorKind, streamErrorKinds } from "@keepsats/protocol";
import { createCoalescedRead } from "../../platform/events/coalesced-read.ts";
import { messageOf, type OrderForSubscribers, type View } from "./order-message.ts";

/** A connection that is subscribed to an order. */
export interface Subscriber {
  /**
   * Whether it has presented the order's key. It then gets the whole order, even without a loan.
   */
  holdsKey: boolean;
  /** The network of its client; see `networkOf` of the rate limits. */
  readonly network: string;
  deliver(message: Buffer): void;
}

const errorMessages = mapFields(streamErrorKinds, (kind) =>
  Buffer.from(JSON.stringify({ type: "error", data: { kind } })),
);

/** A subscription to an order, with a loan or without one. */
export interface Subscription {
  readonly subscriber: Subscriber;
  readonly loanId: string | undefined;
  /** `opening`: the order is being read. `open`: the loan, if any, is being watched. */
  state: "idle" | "opening" | "open";
  /** Until the loan is bound to the order, only a subscriber with the order's key is sent it. */
  isBound: boolean;
  /** Whether the loan has paid the order, and its payout was not reversed, at the last read. */
  hasPaid: boolean;
  error: StreamErrorKind | undefined;
  /** The rank of the last order that was sent, see {@link rankOf}; 0 before the first. */
  rank: number;
  endWatch: () => void;
}

/** All subscriptions to one order. */
export interface Room {
  readonly orderId: string;
  readonly subscriptions: Set<Subscription>;
  /** The latest version that was read; 0 for none, or if the last read has failed. */
  version: number;
  /** Reads the order, and sends it to the subscribers that do not have its version. */
  readonly refresh: () => Promise<void>;
}

export function newRoom(orderId: string, read: (room: Room) => Promise<void>): Room {
  const room: Room = {
    orderId,
    subscriptions: new Set(),
    version: 0,
    refresh: createCoalescedRead(() => read(room)).refresh,
  };
  return room;
}

/** The initial value of callbacks. */
export function noop(): void {}

export function newSubscription(subscriber: Subscriber, loanId: string | undefined): Subscription {
  return {
    subscriber,
    loanId,
    state: "idle",
    isBound: false,
    hasPaid: false,
    error: undefined,
    rank: 0,
    endWatch: noop,
  };
}

/**
 * Ranks orders by version, and for the same version the whole order above the one without personal
 * data: a subscriber whose loan turns out to have paid is sent the whole order of a version that it
 * has received without personal data.
 */
function rankOf({ order }: OrderForSubscribers, whole: boolean): number {
  return order.version * 2 + (whole ? 1 : 0);
}

/**
 * Sends an order to a subscriber that may see it and does not have this version. With the
 * key, or a loan that has paid the order, it gets the whole order; with a loan that is only bound to
 * it, it gets it without personal data.
 *
 * @param messages those that were created for other subscribers
 */
function sendOrder(
  order: OrderForSubscribers,
  subscription: Subscription,
  messages: Partial<Record<View, Buffer>>,
): void {
  const { subscriber, isBound, hasPaid } = subscription;
  if (!isBound && !subscriber.holdsKey) return;
  const viewWithoutKey = hasPaid ? "paid" : "withheld";
  const view = subscriber.holdsKey ? "with-key" : viewWithoutKey;
  const rank = rankOf(order, view !== "withheld");
  if (subscription.rank >= rank) return;
  subscription.rank = rank;
  messages[view] ??= messageOf(order, view);
  subscriber.deliver(messages[view]);
}

/** Does not repeat the last error. */
export function sendError(subscription: Subscription, kind: StreamErrorKind): void {
  if (subscription.error === kind) return;
  subscription.error = kind;
  refuse(subscription.subscriber, kind);
}

/** Sends an error to a subscriber, with or without a subscription. */
export function refuse(subscriber: Subscriber, kind: StreamErrorKind): void {
  subscriber.deliver(errorMessages[kind]);
}

/** Ends an error, so that the subscriber can be sent the same order again. */
export function forgetError(subscription: Subscription): void {
  if (subscription.error === undefined) return;
  subscription.error = undefined;
  subscription.rank = 0;
}

export function broadcast({ subscriptions }: Room, order: OrderForSubscribers): void {
  // Each message is created once for all subscribers.
  const messages = {};
  for (const subscription of subscriptions) sendOrder(order, subscription, messages);
}
