import type { StreamErrorKind } from "@keepsats/protocol";
import type { CoalescedRead } from "../bus/coalesced-read.ts";
import { messagesOf, type OrderFrame } from "./frame.ts";

/** One connection that follows an order. */
export interface Follower {
  /** Whether it has shown the order's key. */
  holdsKey: boolean;
  /** What it was sent last, as {@link rankOf} orders it; 0 before the first message. */
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

/** All who follow one order with one contract. Until the contract is bound to the order they are sent nothing of it. */
export interface Audience {
  readonly contractId: string;
  readonly followers: Set<Follower>;
  /** `idle`: nobody looks after it yet; `opening`: its order is being read; `watched`: its contract is. */
  state: "idle" | "opening" | "watched";
  bound: boolean;
  /** The contract has paid the order. */
  paid: boolean;
  error: StreamErrorKind | undefined;
  endWatch: () => void;
}

/** All who follow one order. */
export interface Channel extends CoalescedRead {
  readonly orderId: string;
  readonly audiences: Map<string, Audience>;
  frame: OrderFrame | undefined;
  /** When the last reading that succeeded began, on the process's own clock, in milliseconds. */
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

/** What is left to do where there is nothing. */
export function nothing(): void {}

export function newAudience(contractId: string): Audience {
  return {
    contractId,
    followers: new Set(),
    state: "idle",
    bound: false,
    paid: false,
    error: undefined,
    endWatch: nothing,
  };
}

/** Whether this version of the order is newer than the one that its followers are shown. */
export function isNews({ frame }: Channel, version: number): boolean {
  return version > (frame?.version ?? 0);
}

/**
 * Orders what a follower can be sent: by the order's version, and the whole order after the same version with its people
 * withheld. So a follower whose loan pays the order is sent the whole of a version that it has seen without them.
 */
function rankOf({ version }: OrderFrame, whole: boolean): number {
  return version * 2 + (whole ? 1 : 0);
}

/**
 * Sends the order to those of an audience who have not been sent this version or a newer one: whole to whoever holds the
 * key or presents a loan that has paid it, and with its people withheld to all others.
 */
function sendOrder(
  { paid }: Audience,
  followers: Iterable<Follower>,
  frame: OrderFrame,
  messageFor = messagesOf(frame),
): void {
  for (const follower of followers) {
    const whole = paid || follower.holdsKey;
    const rank = rankOf(frame, whole);
    if (follower.rank >= rank) continue;
    follower.rank = rank;
    follower.deliver(messageFor(whole));
  }
}

/** Tells an audience of an error, once. */
export function tellError(audience: Audience, kind: StreamErrorKind): void {
  if (audience.error === kind) return;
  audience.error = kind;
  for (const follower of audience.followers) follower.deliver(errorMessages[kind]);
}

/** Ends an audience's error by sending the order again. */
export function clearError(audience: Audience, frame: OrderFrame | undefined): void {
  if (audience.error === undefined) return;
  audience.error = undefined;
  if (frame === undefined) return;
  for (const follower of audience.followers) follower.rank = 0;
  sendOrder(audience, audience.followers, frame);
}

/** Brings one who has just come up to what its audience knows. */
export function greet(follower: Follower, audience: Audience, frame: OrderFrame | undefined): void {
  if (audience.bound && frame !== undefined) sendOrder(audience, [follower], frame);
  if (audience.error !== undefined) follower.deliver(errorMessages[audience.error]);
}

/** Sends the order to every follower whose contract is bound to it. */
export function broadcast(channel: Channel): void {
  const { frame } = channel;
  if (frame === undefined) return;
  const messageFor = messagesOf(frame);
  for (const audience of channel.audiences.values()) {
    if (audience.bound) sendOrder(audience, audience.followers, frame, messageFor);
  }
}
