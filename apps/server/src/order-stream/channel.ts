import type { StreamErrorKind } from "@keepsats/protocol";

/** An order, serialised once for all who follow it. */
export interface OrderFrame {
  readonly version: number;
  readonly message: Buffer;
}

/** One connection that follows an order. */
export interface Follower {
  /** The version of the order that it was sent last; 0 before the first. */
  version: number;
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
  error: StreamErrorKind | undefined;
  endWatch: () => void;
}

/** All who follow one order. */
export interface Channel {
  readonly orderId: string;
  readonly audiences: Map<string, Audience>;
  frame: OrderFrame | undefined;
  reading: Promise<void> | undefined;
  stale: boolean;
}

export function newChannel(orderId: string): Channel {
  return { orderId, audiences: new Map(), frame: undefined, reading: undefined, stale: false };
}

/** What is left to do where there is nothing. */
export function nothing(): void {}

export function newAudience(contractId: string): Audience {
  return {
    contractId,
    followers: new Set(),
    state: "idle",
    bound: false,
    error: undefined,
    endWatch: nothing,
  };
}

/** Sends the order to a follower, unless it has been sent this version or a newer one. */
function sendOrder(follower: Follower, frame: OrderFrame): void {
  if (follower.version >= frame.version) return;
  follower.version = frame.version;
  follower.deliver(frame.message);
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
  for (const follower of audience.followers) {
    follower.version = frame.version;
    follower.deliver(frame.message);
  }
}

/** Brings one who has just come up to what its audience knows. */
export function greet(follower: Follower, audience: Audience, frame: OrderFrame | undefined): void {
  if (audience.bound && frame !== undefined) sendOrder(follower, frame);
  if (audience.error !== undefined) follower.deliver(errorMessages[audience.error]);
}

/** Sends the order to every follower whose contract is bound to it. */
export function broadcast(channel: Channel): void {
  const { frame } = channel;
  if (frame === undefined) return;
  for (const audience of channel.audiences.values()) {
    if (!audience.bound) continue;
    for (const follower of audience.followers) sendOrder(follower, frame);
  }
}
