import { isOrderId, type WireFollowedOrder } from "@keepsats/protocol";
import type { Bus } from "../bus/bus.ts";
import {
  type Audience,
  broadcast,
  type Channel,
  clearError,
  type Follower,
  greet,
  newAudience,
  newChannel,
  nothing,
  tellError,
} from "./channel.ts";

/** What a look at a contract saw; see the payments feature. */
interface Look {
  readonly bound: boolean;
  /** There is nothing more to see: no other look comes. */
  readonly done: boolean;
  readonly sight: "seen" | "absent" | "unreachable" | "waiting";
}

/** Who follows which order, and what they are sent. */
export interface OrderStream {
  /** Follows an order with a contract. @returns a function that ends it */
  follow(orderId: string, contractId: string, follower: Follower): () => void;
  readonly followers: number;
  close(): void;
}

interface Dependencies {
  readonly bus: Bus;
  readonly readOrder: (
    id: string,
  ) => Promise<{ readonly version: number; readonly wire: WireFollowedOrder } | undefined>;
  readonly versionsOf: (ids: readonly string[]) => Promise<ReadonlyMap<string, number>>;
  readonly watch: (key: { orderId: string; contractId: string }, onLook: (look: Look) => void) => () => void;
  readonly onError: (error: unknown) => void;
  /** Between two readings of all followed orders, in milliseconds: what the bus may have lost. */
  readonly reread: number;
}

const contractIdPattern = /^[A-Za-z0-9_-]{1,100}$/;
const VERSIONS_PER_READ = 500;

export function createOrderStream(dependencies: Dependencies): OrderStream {
  const { bus, readOrder, versionsOf, watch, onError, reread } = dependencies;
  const channels = new Map<string, Channel>();
  let followers = 0;

  async function readAgain(channel: Channel): Promise<void> {
    do {
      channel.stale = false;
      const order = await readOrder(channel.orderId);
      if (order === undefined || order.version <= (channel.frame?.version ?? 0)) continue;
      const message = Buffer.from(JSON.stringify({ type: "order", data: order.wire }));
      channel.frame = { version: order.version, message };
      broadcast(channel);
    } while (channel.stale);
  }

  /** Reads the order and sends what is new; calls that come while it reads share the next reading. */
  function refresh(channel: Channel): Promise<void> {
    channel.stale = true;
    channel.reading ??= readAgain(channel).finally(() => {
      channel.reading = undefined;
    });
    return channel.reading;
  }

  async function onLook(channel: Channel, audience: Audience, look: Look): Promise<void> {
    if (look.done) audience.endWatch = nothing;
    if (look.bound && !audience.bound) {
      audience.bound = true;
      audience.error = undefined;
      await refresh(channel);
      broadcast(channel);
    }
    if (look.sight === "unreachable") tellError(audience, "ConnectionError");
    else if (audience.bound && look.sight === "seen") clearError(audience, channel.frame);
    else if (!audience.bound && look.sight === "absent") tellError(audience, "ContractNotFound");
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
    audience.endWatch = watch({ orderId: channel.orderId, contractId: audience.contractId }, (look) => {
      onLook(channel, audience, look).catch(onError);
    });
  }

  async function welcome(channel: Channel, audience: Audience, follower: Follower): Promise<void> {
    // What is known is shown at once, also while the database cannot be read.
    greet(follower, audience, channel.frame);
    await refresh(channel);
    if (follower.version === 0) greet(follower, audience, channel.frame);
  }

  function follow(orderId: string, contractId: string, follower: Follower): () => void {
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

  async function rereadAll(): Promise<void> {
    const ids = [...channels.keys()].filter(isOrderId);
    for (let start = 0; start < ids.length; start += VERSIONS_PER_READ) {
      const versions = await versionsOf(ids.slice(start, start + VERSIONS_PER_READ));
      for (const [id, version] of versions) {
        const channel = channels.get(id);
        if (channel === undefined) continue;
        if (version > (channel.frame?.version ?? 0)) await refresh(channel);
        for (const audience of channel.audiences.values()) await openAudience(channel, audience);
      }
    }
  }

  const endSubscription = bus.subscribe((change) => {
    if (change.topic === "gap") rereadAll().catch(onError);
    const channel = change.topic === "order" ? channels.get(change.id) : undefined;
    if (channel !== undefined) refresh(channel).catch(onError);
  });
  const rereading = setInterval(() => rereadAll().catch(onError), reread);
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
