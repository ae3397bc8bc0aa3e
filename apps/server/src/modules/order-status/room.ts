import { mapFields } from "@keepsats/domain";
import { type StreamErrorKind, streamErrorKinds } from "@keepsats/protocol";
import type { CoalescedRead } from "../../platform/events/coalesced-read.ts";
import { messageOf, type SerializedOrder, type View } from "./order-message.ts";

/** A connection that is subscribed to an order. */
export interface Subscriber {
  /**
   * Whether it has presented the order's key. It then gets the whole order, even without a loan.
   */
  holdsKey: boolean;
  /** The network of its client; see `networkOf` of the rate limits. */
  readonly network: string;
  /** The rank of the last message that it was sent, see {@link rankOf}; 0 before the first. */
  rank: number;
  deliver(message: Buffer): void;
}

const errorMessages = mapFields(streamErrorKinds, (kind) =>
  Buffer.from(JSON.stringify({ type: "error", data: { kind } })),
);

/**
 * The subscribers of one order with the same loan, or without a loan. Until the loan is bound to
 * the order, only subscribers with the order's key are sent it.
 */
export interface Audience {
  readonly loanId: string | undefined;
  readonly subscribers: Set<Subscriber>;
  /** `opening`: the order is being read. `open`: the loan, if any, is being watched. */
  state: "idle" | "opening" | "open";
  isBound: boolean;
  /**
   * Whether the loan has paid the order, and its payout was not reversed. `undefined`: it had paid at
   * the last read, and a subscriber has joined since.
   */
  hasPaid: boolean | undefined;
  error: StreamErrorKind | undefined;
  endWatch: () => void;
}

/** All subscribers of one order. */
export interface Room extends CoalescedRead {
  readonly orderId: string;
  /** By loan. */
  readonly audiences: Map<string | undefined, Audience>;
  /** The latest version that was read. */
  latest: SerializedOrder | undefined;
  /** When the last successful read began, by the process's monotonic clock in milliseconds. */
  readAt: number;
}

export function newRoom(orderId: string): Room {
  return {
    orderId,
    audiences: new Map(),
    latest: undefined,
    readAt: Number.NEGATIVE_INFINITY,
    reading: undefined,
    stale: false,
  };
}

/** The initial value of callbacks. */
export function noop(): void {}

export function newAudience(loanId: string | undefined): Audience {
  return {
    loanId,
    subscribers: new Set(),
    state: "idle",
    isBound: false,
    hasPaid: false,
    error: undefined,
    endWatch: noop,
  };
}

export function isNewer({ latest }: Room, version: number): boolean {
  return version > (latest?.version ?? 0);
}

/**
 * Ranks messages by version, and for the same version the whole order above the one without
 * personal data: a subscriber whose loan turns out to have paid is sent the whole order of a
 * version that it has received without personal data.
 */
function rankOf({ version }: SerializedOrder, whole: boolean): number {
  return version * 2 + (whole ? 1 : 0);
}

/**
 * Sends the order to the subscribers that may see it and do not have this version. With the key, or
 * a loan that has paid the order, they get the whole order; with a loan that is only bound to it,
 * they get it without personal data.
 */
function sendOrder(
  { isBound, hasPaid }: Audience,
  subscribers: Iterable<Subscriber>,
  order: SerializedOrder,
  messages: Partial<Record<View, Buffer>> = {},
): void {
  for (const subscriber of subscribers) {
    if (!isBound && !subscriber.holdsKey) continue;
    const viewWithoutKey = hasPaid === true ? "paid" : "withheld";
    const view = subscriber.holdsKey ? "with-key" : viewWithoutKey;
    const rank = rankOf(order, view !== "withheld");
    if (subscriber.rank >= rank) continue;
    subscriber.rank = rank;
    messages[view] ??= messageOf(order, view);
    subscriber.deliver(messages[view]);
  }
}

/** Does not repeat the last error. */
export function sendError(audience: Audience, kind: StreamErrorKind): void {
  if (audience.error === kind) return;
  audience.error = kind;
  for (const subscriber of audience.subscribers) subscriber.deliver(errorMessages[kind]);
}

/** Sends an error to one subscriber that belongs to no audience. */
export function refuse(subscriber: Subscriber, kind: StreamErrorKind): void {
  subscriber.deliver(errorMessages[kind]);
}

/** Ends the error of an audience, so that its subscribers can be sent the same order again. */
export function forgetError(audience: Audience): void {
  if (audience.error === undefined) return;
  audience.error = undefined;
  for (const subscriber of audience.subscribers) subscriber.rank = 0;
}

/** Ends the error of an audience and sends the order again. */
export function clearError(audience: Audience, order: SerializedOrder | undefined): void {
  forgetError(audience);
  if (order !== undefined) sendOrder(audience, audience.subscribers, order);
}

/** Sends a new subscriber the current order and the current error of its audience. */
export function sendCurrent(
  subscriber: Subscriber,
  audience: Audience,
  order: SerializedOrder | undefined,
): void {
  if (order !== undefined) sendOrder(audience, [subscriber], order);
  if (audience.error !== undefined) subscriber.deliver(errorMessages[audience.error]);
}

export function broadcast(room: Room): void {
  const { latest } = room;
  if (latest === undefined) return;
  // Each message is created once for all audiences.
  const messages = {};
  for (const audience of room.audiences.values()) {
    sendOrder(audience, audience.subscribers, latest, messages);
  }
}
