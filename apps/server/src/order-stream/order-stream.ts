import { isOrderId } from "@keepsats/protocol";
import type { Bus } from "../bus/bus.ts";
import { type CoalescedRead, readCoalesced } from "../bus/coalesced-read.ts";
import { elapsed } from "../clock.ts";
import { network } from "../limits/limit.ts";
import type { CheckResult, FollowedOrder, LoanWorker, Presenter } from "../payments/index.ts";
import {
  type Audience,
  broadcast,
  type Channel,
  clearError,
  type Follower,
  forgetError,
  isNewer,
  newAudience,
  newChannel,
  noop,
  refuse,
  sendCurrent,
  sendError,
} from "./channel.ts";
import { newFrame } from "./frame.ts";

/**
 * A request to follow an order: with a loan, with the order's key, or with both. Whoever holds
 * the key is sent the whole order at once.
 */
export interface FollowRequest {
  readonly orderId: string;
  readonly loanId: string | undefined;
  readonly holdsKey: boolean;
}

/** Sends orders to their followers whenever they change. */
export interface OrderStream {
  /** Starts to follow an order. @returns a function that ends it */
  follow(request: FollowRequest, follower: Follower): () => void;
  readonly followers: number;
  close(): void;
}

interface Dependencies {
  readonly bus: Bus;
  readonly readOrder: (id: string) => Promise<FollowedOrder | undefined>;
  readonly versionsOf: (
    ids: readonly string[],
  ) => Promise<ReadonlyMap<string, { readonly version: number }>>;
  readonly watch: LoanWorker["watch"];
  readonly onError: (error: unknown) => void;
  /**
   * The interval of reading the versions of all followed orders, in milliseconds. It finds changes
   * whose messages the bus has lost.
   */
  readonly reread: number;
}

const loanIdPattern = /^[A-Za-z0-9_-]{1,100}$/;
const VERSIONS_PER_READ = 500;
/**
 * How old a read may be when the order is first sent, in milliseconds. Changes since then arrive
 * over the bus.
 */
const FRESH = 1_000;

/**
 * The subscriber whose share of provider calls pays for a loan's checks, preferably one with
 * the order's key.
 */
function presenterOf({ followers }: Audience): Presenter | undefined {
  let follower: Follower | undefined;
  for (const one of followers)
    if (follower === undefined || (one.holdsKey && !follower.holdsKey)) follower = one;
  return follower && { client: network(follower.address), holdsKey: follower.holdsKey };
}

export function createOrderStream(dependencies: Dependencies): OrderStream {
  const { bus, readOrder, versionsOf, watch, onError, reread } = dependencies;
  const channels = new Map<string, Channel>();
  let followers = 0;

  async function read(channel: Channel): Promise<void> {
    const begun = elapsed();
    const found = await readOrder(channel.orderId);
    channel.readAt = begun;
    if (found === undefined) return;
    const { order, paidBy, refunded } = found;
    for (const audience of channel.audiences.values()) {
      audience.paid ||= audience.loanId !== undefined && paidBy.includes(audience.loanId);
    }
    if (isNewer(channel, order.version)) channel.frame = newFrame(order, refunded);
    broadcast(channel);
  }

  /** Reads the order and sends it to the followers that do not have this version. */
  function refresh(channel: Channel): Promise<void> {
    return readCoalesced(channel, read);
  }

  async function onResult(
    channel: Channel,
    audience: Audience,
    result: CheckResult,
  ): Promise<void> {
    if (result.done) audience.endWatch = noop;
    if (result.bound && !audience.bound) {
      audience.bound = true;
      forgetError(audience);
      try {
        // A fresh read is not repeated: a change since then arrives over the bus and starts another
        // read.
        const isFresh = elapsed() - channel.readAt < FRESH;
        await (isFresh ? channel.reading : refresh(channel));
      } finally {
        broadcast(channel);
      }
    }
    if (result.finding === "unreachable") sendError(audience, "ConnectionError");
    else if (audience.bound && result.finding === "seen") clearError(audience, channel.frame);
    else if (!audience.bound && (result.finding === "absent" || result.finding === "refused"))
      sendError(audience, "ContractNotFound");
    if (result.done) await learnPayment(channel, audience);
  }

  /**
   * Reads whether the loan has paid. A payment of an order that is paid or cancelled already
   * makes no new version of the order.
   */
  async function learnPayment(channel: Channel, audience: Audience): Promise<void> {
    await channel.reading;
    if (!audience.paid) await refresh(channel);
  }

  /** Opens an idle audience: reads its order, then watches its loan, if it has one. */
  async function openAudience(channel: Channel, audience: Audience): Promise<void> {
    const { loanId } = audience;
    if (audience.state !== "idle") return;
    if (!isOrderId(channel.orderId)) return sendError(audience, "OrderNotFound");
    audience.state = "opening";
    try {
      await refresh(channel);
    } finally {
      audience.state = "idle";
    }
    if (channel.frame === undefined) return sendError(audience, "OrderNotFound");
    if (loanId !== undefined && !loanIdPattern.test(loanId)) {
      return sendError(audience, "ContractNotFound");
    }
    if (audience.followers.size === 0) return;
    audience.state = "open";
    audience.error = undefined;
    if (loanId === undefined) return;
    const key = { orderId: channel.orderId, loanId };
    audience.endWatch = watch(
      key,
      () => presenterOf(audience),
      (result) => {
        onResult(channel, audience, result).catch(onError);
      },
    );
  }

  async function joinAudience(
    channel: Channel,
    audience: Audience,
    follower: Follower,
  ): Promise<void> {
    await refresh(channel);
    if (follower.rank === 0) sendCurrent(follower, audience, channel.frame);
  }

  /**
   * Answers a follower with a wrong key and no loan like one of an order that is not stored.
   * The database is not asked, so that the time of the answer tells nothing either.
   */
  function turnAway(follower: Follower): () => void {
    refuse(follower, "OrderNotFound");
    followers += 1;
    let isGone = false;
    return () => {
      if (!isGone) followers -= 1;
      isGone = true;
    };
  }

  function follow({ orderId, loanId, holdsKey }: FollowRequest, follower: Follower): () => void {
    if (loanId === undefined && !holdsKey) return turnAway(follower);
    follower.holdsKey = holdsKey;
    const channel = channels.get(orderId) ?? newChannel(orderId);
    channels.set(orderId, channel);
    const known = channel.audiences.get(loanId);
    const audience = known ?? newAudience(loanId);
    channel.audiences.set(loanId, audience);
    audience.followers.add(follower);
    followers += 1;
    // Sent before the read, so that the follower gets it even while the database is unavailable.
    sendCurrent(follower, audience, channel.frame);
    const opening =
      known === undefined
        ? openAudience(channel, audience)
        : joinAudience(channel, audience, follower);
    opening.catch(onError);

    return () => {
      if (!audience.followers.delete(follower)) return;
      followers -= 1;
      if (audience.followers.size > 0) return;
      audience.endWatch();
      channel.audiences.delete(loanId);
      if (channel.audiences.size === 0) channels.delete(orderId);
    };
  }

  /**
   * Refreshes a channel if its order has changed, and opens the audiences that could not be opened
   * before.
   */
  async function catchUp(channel: Channel, version: number): Promise<void> {
    if (isNewer(channel, version)) await refresh(channel);
    for (const audience of channel.audiences.values()) await openAudience(channel, audience);
  }

  async function readVersions(): Promise<void> {
    const ids = [...channels.keys()].filter(isOrderId);
    for (let start = 0; start < ids.length; start += VERSIONS_PER_READ) {
      const versions = await versionsOf(ids.slice(start, start + VERSIONS_PER_READ));
      // Concurrently, so that the reads are grouped.
      await Promise.all(
        [...versions].map(async ([id, { version }]) => {
          const channel = channels.get(id);
          if (channel !== undefined) await catchUp(channel, version);
        }),
      );
    }
  }

  const everything: CoalescedRead = { reading: undefined, stale: false };
  /**
   * Finds changes whose messages the bus has lost. If a round is still running, the next one starts
   * after it.
   */
  function rereadAll(): void {
    readCoalesced(everything, readVersions).catch(onError);
  }

  const endSubscription = bus.subscribe((change) => {
    if (change.topic === "gap") rereadAll();
    if (change.topic !== "order") return;
    const channel = channels.get(change.id);
    if (channel !== undefined && isNewer(channel, change.version)) refresh(channel).catch(onError);
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
