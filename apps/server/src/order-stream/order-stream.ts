import { isOrderId } from "@keepsats/protocol";
import type { Bus } from "../bus/bus.ts";
import { type CoalescedRead, readCoalesced } from "../bus/coalesced-read.ts";
import { elapsed } from "../clock.ts";
import type { OrderKeys } from "../orders/index.ts";
import type { CheckResult, FollowedOrder, Watches } from "../payments/index.ts";
import {
  type Audience,
  broadcast,
  type Channel,
  clearError,
  type Follower,
  greet,
  isNews,
  newAudience,
  newChannel,
  nothing,
  tellError,
} from "./channel.ts";
import { newFrame } from "./frame.ts";

/** What somebody asks to follow. The key opens the order's people to them. */
export interface FollowRequest {
  readonly orderId: string;
  readonly contractId: string;
  readonly key: string | undefined;
}

/** Who follows which order, and what they are sent. */
export interface OrderStream {
  /** Follows an order with a contract. @returns a function that ends it */
  follow(request: FollowRequest, follower: Follower): () => void;
  readonly followers: number;
  close(): void;
}

interface Dependencies {
  readonly bus: Bus;
  readonly readOrder: (id: string) => Promise<FollowedOrder | undefined>;
  readonly isKeyOf: OrderKeys["isKeyOf"];
  readonly versionsOf: (ids: readonly string[]) => Promise<ReadonlyMap<string, { readonly version: number }>>;
  readonly watch: Watches["watch"];
  readonly onError: (error: unknown) => void;
  /** Between two readings of all followed orders, in milliseconds: what the bus may have lost. */
  readonly reread: number;
}

const contractIdPattern = /^[A-Za-z0-9_-]{1,100}$/;
const VERSIONS_PER_READ = 500;
/** How old an order may be when it is shown for the first time, in milliseconds; all later changes are heard of. */
const FRESH = 1_000;

export function createOrderStream(dependencies: Dependencies): OrderStream {
  const { bus, readOrder, isKeyOf, versionsOf, watch, onError, reread } = dependencies;
  const channels = new Map<string, Channel>();
  let followers = 0;

  async function read(channel: Channel): Promise<void> {
    const begun = elapsed();
    const found = await readOrder(channel.orderId);
    channel.readAt = begun;
    if (found === undefined) return;
    const { order, paidBy } = found;
    for (const audience of channel.audiences.values()) audience.paid ||= paidBy.includes(audience.contractId);
    if (isNews(channel, order.version)) channel.frame = newFrame(order);
    broadcast(channel);
  }

  /** Reads the order and sends what is new. */
  function refresh(channel: Channel): Promise<void> {
    return readCoalesced(channel, read);
  }

  async function onResult(channel: Channel, audience: Audience, result: CheckResult): Promise<void> {
    if (result.done) audience.endWatch = nothing;
    if (result.bound && !audience.bound) {
      audience.bound = true;
      audience.error = undefined;
      try {
        // It was read a moment ago; what has changed since is heard of, and is being read again then.
        const isFresh = elapsed() - channel.readAt < FRESH;
        await (isFresh ? channel.reading : refresh(channel));
      } finally {
        broadcast(channel);
      }
    }
    if (result.finding === "unreachable") tellError(audience, "ConnectionError");
    else if (audience.bound && result.finding === "seen") clearError(audience, channel.frame);
    else if (!audience.bound && result.finding === "absent") tellError(audience, "ContractNotFound");
    if (result.done) await learnPayment(channel, audience);
  }

  /** A loan that pays an order which was paid before, or cancelled, makes no new version of it. */
  async function learnPayment(channel: Channel, audience: Audience): Promise<void> {
    await channel.reading;
    if (!audience.paid) await refresh(channel);
  }

  /** Begins to look after an audience: reads its order, then watches its contract. */
  async function openAudience(channel: Channel, audience: Audience): Promise<void> {
    if (audience.state !== "idle") return;
    if (!isOrderId(channel.orderId)) return tellError(audience, "OrderNotFound");
    audience.state = "opening";
    try {
      await refresh(channel);
    } finally {
      audience.state = "idle";
    }
    if (channel.frame === undefined) return tellError(audience, "OrderNotFound");
    if (!contractIdPattern.test(audience.contractId)) return tellError(audience, "ContractNotFound");
    if (audience.followers.size === 0) return;
    audience.state = "watched";
    audience.error = undefined;
    audience.endWatch = watch({ orderId: channel.orderId, contractId: audience.contractId }, (result) => {
      onResult(channel, audience, result).catch(onError);
    });
  }

  async function welcome(channel: Channel, audience: Audience, follower: Follower): Promise<void> {
    // What is known is shown at once, also while the database cannot be read.
    greet(follower, audience, channel.frame);
    await refresh(channel);
    if (follower.rank === 0) greet(follower, audience, channel.frame);
  }

  function follow({ orderId, contractId, key }: FollowRequest, follower: Follower): () => void {
    follower.holdsKey = key !== undefined && isKeyOf(orderId, key);
    const channel = channels.get(orderId) ?? newChannel(orderId);
    channels.set(orderId, channel);
    const known = channel.audiences.get(contractId);
    const audience = known ?? newAudience(contractId);
    channel.audiences.set(contractId, audience);
    audience.followers.add(follower);
    followers += 1;
    const opening =
      known === undefined ? openAudience(channel, audience) : welcome(channel, audience, follower);
    opening.catch(onError);

    return () => {
      if (!audience.followers.delete(follower)) return;
      followers -= 1;
      if (audience.followers.size > 0) return;
      audience.endWatch();
      channel.audiences.delete(contractId);
      if (channel.audiences.size === 0) channels.delete(orderId);
    };
  }

  /** Brings a channel to what is stored, and begins to look after whoever could not be before. */
  async function catchUp(channel: Channel, version: number): Promise<void> {
    if (isNews(channel, version)) await refresh(channel);
    for (const audience of channel.audiences.values()) await openAudience(channel, audience);
  }

  async function readVersions(): Promise<void> {
    const ids = [...channels.keys()].filter(isOrderId);
    for (let start = 0; start < ids.length; start += VERSIONS_PER_READ) {
      const versions = await versionsOf(ids.slice(start, start + VERSIONS_PER_READ));
      // All at once, so that they are read in groups.
      await Promise.all(
        [...versions].map(async ([id, { version }]) => {
          const channel = channels.get(id);
          if (channel !== undefined) await catchUp(channel, version);
        }),
      );
    }
  }

  const everything: CoalescedRead = { reading: undefined, stale: false };
  /** Finds what the bus may have lost; where that takes long, the next round waits for it. */
  function rereadAll(): void {
    readCoalesced(everything, readVersions).catch(onError);
  }

  const endSubscription = bus.subscribe((change) => {
    if (change.topic === "gap") rereadAll();
    if (change.topic !== "order") return;
    const channel = channels.get(change.id);
    if (channel !== undefined && isNews(channel, change.version)) refresh(channel).catch(onError);
  });
  const rereading = setInterval(rereadAll, reread);
  rereading.unref();

  return {
    follow,
    get followers() {
      return followers;
    },
    close() {
      endSubscription();
      clearInterval(rereading);
    },
  };
}
