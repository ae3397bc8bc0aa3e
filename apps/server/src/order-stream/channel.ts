import type { StreamErrorKind } from "@keepsats/protocol";
import type { CoalescedRead } from "../bus/coalesced-read.ts";
import { messagesOf, type OrderFrame, type View } from "./frame.ts";

/** A connection that follows an order. */
export interface Follower {
  /**
   * Whether it has presented the order's key. It is then sent the whole order, whatever becomes of
   * its loan.
   */
  holdsKey: boolean;
  /** The client's network. */
  readonly address: string;
  /** The rank of the last order that it was sent, see {@link rankOf}; 0 before the first. */
  rank: number;
  deliver(message: Buffer): void;
}

const errorMessages: Record<StreamErrorKind, Buffer> = {
  OrderNotFound: errorMessage("OrderNotFound"),
  ContractNotFound: errorMessage("ContractNotFound"),
  ConnectionError: errorMessage("ConnectionError"),
};

function errorMessage(kind: StreamErrorKind): Buffer {
  return Buffer.from(JSON.stringify({ type: "error", data: { kind } }));
}

/**
 * The followers of one order with the same loan, or without a loan. Until the loan is
 * bound to the order, only followers that hold the order's key are sent it.
 */
export interface Audience {
  readonly loanId: string | undefined;
  readonly followers: Set<Follower>;
  /**
   * `idle`: not opened yet; `opening`: its order is being read; `open`: its loan, if any, is
   * being watched.
   */
  state: "idle" | "opening" | "open";
  bound: boolean;
  /** Whether the loan has paid the order. */
  paid: boolean;
  error: StreamErrorKind | undefined;
  endWatch: () => void;
}

/** The followers of one order. */
export interface Channel extends CoalescedRead {
  readonly orderId: string;
  /** By loan. */
  readonly audiences: Map<string | undefined, Audience>;
  frame: OrderFrame | undefined;
  /** When the last successful read began, by the process's monotonic clock in milliseconds. */
  readAt: number;
}

export function newChannel(orderId: string): Channel {
  return {
    orderId,
    audiences: new Map(),
    frame: undefined,
    readAt: Number.NEGATIVE_INFINITY,
    reading: undefined,
    stale: false,
  };
}

/** Does nothing: the initial value of callbacks. */
export function noop(): void {}

export function newAudience(loanId: string | undefined): Audience {
  return {
    loanId,
    followers: new Set(),
    state: "idle",
    bound: false,
    paid: false,
    error: undefined,
    endWatch: noop,
  };
}

/** Whether this version of the order is newer than the one in the channel's frame. */
export function isNewer({ frame }: Channel, version: number): boolean {
  return version > (frame?.version ?? 0);
}

/**
 * Ranks the messages about an order: by version, and for the same version the whole order above the
 * one without customer data. So a follower whose loan turns out to have paid is sent the whole
 * order of a version that it has received without customer data.
 */
function rankOf({ version }: OrderFrame, whole: boolean): number {
  return version * 2 + (whole ? 1 : 0);
}

/**
 * Sends the order to the followers that may see it and have not been sent this version or a newer
 * one. Followers that hold the key, or whose loan has paid the order, get the whole order; those
 * whose loan is only bound to the order get it without customer data.
 */
function sendOrder(
  { bound, paid }: Audience,
  followers: Iterable<Follower>,
  frame: OrderFrame,
  messageFor = messagesOf(frame),
): void {
  for (const follower of followers) {
    if (!bound && !follower.holdsKey) continue;
    const view = viewOf(follower, paid);
    const rank = rankOf(frame, view !== "withheld");
    if (follower.rank >= rank) continue;
    follower.rank = rank;
    follower.deliver(messageFor(view));
  }
}

function viewOf({ holdsKey }: Follower, paid: boolean): View {
  if (holdsKey) return "with-key";
  return paid ? "paid" : "withheld";
}

/** Sends an error to an audience, unless it was the last one sent. */
export function sendError(audience: Audience, kind: StreamErrorKind): void {
  if (audience.error === kind) return;
  audience.error = kind;
  for (const follower of audience.followers) follower.deliver(errorMessages[kind]);
}

/** Sends an error to one follower that belongs to no audience. */
export function refuse(follower: Follower, kind: StreamErrorKind): void {
  follower.deliver(errorMessages[kind]);
}

/**
 * Ends the error of an audience: its followers may be sent the order again, although they have it.
 */
export function forgetError(audience: Audience): void {
  if (audience.error === undefined) return;
  audience.error = undefined;
  for (const follower of audience.followers) follower.rank = 0;
}

/** Ends the error of an audience and sends the order again. */
export function clearError(audience: Audience, frame: OrderFrame | undefined): void {
  forgetError(audience);
  if (frame !== undefined) sendOrder(audience, audience.followers, frame);
}

/** Sends a new follower what its audience has been sent: the order, the error, or both. */
export function sendCurrent(
  follower: Follower,
  audience: Audience,
  frame: OrderFrame | undefined,
): void {
  if (frame !== undefined) sendOrder(audience, [follower], frame);
  if (audience.error !== undefined) follower.deliver(errorMessages[audience.error]);
}

/** Sends the order to every follower that may see it. */
export function broadcast(channel: Channel): void {
  const { frame } = channel;
  if (frame === undefined) return;
  const messageFor = messagesOf(frame);
  for (const audience of channel.audiences.values()) {
    sendOrder(audience, audience.followers, frame, messageFor);
  }
}
