import { isOrderId } from "@keepsats/protocol";
import { createCoalescedRead } from "../../platform/events/coalesced-read.ts";
import type { Platform } from "../../platform/platform.ts";
import { slices } from "../../platform/scheduling/slices.ts";
import type { CheckResult, LoanWorker } from "../payments/index.ts";
import type { OrderForSubscribers } from "./order-message.ts";
import {
  broadcast,
  forgetError,
  newRoom,
  newSubscription,
  noop,
  type Room,
  refuse,
  type Subscriber,
  type Subscription,
  sendError,
} from "./room.ts";

/** A subscription to an order, with a loan, with the order's key, or with both. */
export interface SubscribeRequest {
  readonly orderId: string;
  readonly loanId: string | undefined;
  readonly holdsKey: boolean;
}

const loanIdPattern = /^[A-Za-z0-9_-]{1,100}$/;
const VERSIONS_PER_READ = 500;

export type OrderStream = ReturnType<typeof createOrderStream>;

/** Sends orders to their subscribers whenever they change. */
export function createOrderStream({
  bus,
  readOrder,
  versionsOf,
  watch,
  onError,
  rereadInterval,
}: Pick<Platform, "bus" | "onError" | "rereadInterval"> & {
  readonly readOrder: (id: string) => Promise<OrderForSubscribers | undefined>;
  readonly versionsOf: (
    ids: readonly string[],
  ) => Promise<ReadonlyMap<string, { readonly version: number }>>;
  readonly watch: LoanWorker["watch"];
}) {
  const rooms = new Map<string, Room>();

  async function read(room: Room): Promise<void> {
    const found = await readOrder(room.orderId).catch((error: unknown) => {
      // The next round reads it again.
      room.version = 0;
      throw error;
    });
    if (found === undefined) return;
    for (const subscription of room.subscriptions) {
      const { loanId } = subscription;
      subscription.hasPaid = loanId !== undefined && found.paidBy.includes(loanId);
    }
    room.version = found.order.version;
    broadcast(room, found);
  }

  async function onResult(
    room: Room,
    subscription: Subscription,
    { isDone, isBound, outcome }: CheckResult,
  ): Promise<void> {
    if (isDone) subscription.endWatch = noop;
    if (isBound && !subscription.isBound) {
      subscription.isBound = true;
      forgetError(subscription);
      await room.refresh();
    }
    if (outcome === "unreachable") sendError(subscription, "ConnectionError");
    else if (!subscription.isBound && (outcome === "absent" || outcome === "refused"))
      sendError(subscription, "ContractNotFound");
    else if (subscription.isBound && outcome === "seen" && subscription.error !== undefined) {
      forgetError(subscription);
      await room.refresh();
    }
    // A payment of a paid or cancelled order makes no new version.
    if (isDone && !subscription.hasPaid) await room.refresh();
  }

  /** Reads the order of an idle subscription, then watches its loan, if it has one. */
  async function open(room: Room, subscription: Subscription): Promise<void> {
    const { loanId } = subscription;
    const { network: client, holdsKey } = subscription.subscriber;
    if (subscription.state !== "idle") return;
    if (!isOrderId(room.orderId)) return sendError(subscription, "OrderNotFound");
    subscription.state = "opening";
    try {
      await room.refresh();
    } finally {
      subscription.state = "idle";
    }
    if (room.version === 0) return sendError(subscription, "OrderNotFound");
    if (loanId !== undefined && !loanIdPattern.test(loanId))
      return sendError(subscription, "ContractNotFound");
    if (!room.subscriptions.has(subscription)) return;
    subscription.state = "open";
    subscription.error = undefined;
    if (loanId === undefined) return;
    subscription.endWatch = watch(
      { orderId: room.orderId, loanId },
      { client, holdsKey },
      (result) => {
        onResult(room, subscription, result).catch(onError);
      },
    );
  }

  /** @returns a function that ends the subscription */
  function subscribe(
    { orderId, loanId, holdsKey }: SubscribeRequest,
    subscriber: Subscriber,
  ): () => void {
    if (loanId === undefined && !holdsKey) {
      // As for an unknown order. Without a query, so that the time of the answer does not reveal
      // whether the order exists.
      refuse(subscriber, "OrderNotFound");
      return noop;
    }
    subscriber.holdsKey = holdsKey;
    const room = rooms.get(orderId) ?? newRoom(orderId, read);
    rooms.set(orderId, room);
    const subscription = newSubscription(subscriber, loanId);
    room.subscriptions.add(subscription);
    open(room, subscription).catch(onError);

    return () => {
      if (!room.subscriptions.delete(subscription)) return;
      subscription.endWatch();
      if (room.subscriptions.size === 0) rooms.delete(orderId);
    };
  }

  /** Refreshes a room if its order has changed, and opens what could not be opened before. */
  async function catchUp(room: Room, version: number): Promise<void> {
    if (version > room.version) await room.refresh();
    for (const subscription of room.subscriptions) await open(room, subscription);
  }

  const allVersions = createCoalescedRead(async () => {
    const ids = [...rooms.keys()].filter(isOrderId);
    for (const some of slices(ids, VERSIONS_PER_READ)) {
      const versions = await versionsOf(some);
      // Concurrently, so that the reads are grouped.
      await Promise.all(
        [...versions].map(async ([id, { version }]) => {
          const room = rooms.get(id);
          if (room !== undefined) await catchUp(room, version);
        }),
      );
    }
  });
  const rereadAll = () => void allVersions.refresh().catch(onError);

  const endSubscription = bus.subscribe((change) => {
    if (change.topic === "gap") rereadAll();
    if (change.topic !== "order") return;
    const room = rooms.get(change.id);
    if (room !== undefined && change.version > room.version) room.refresh().catch(onError);
  });
  // Finds changes whose messages the bus has lost.
  const rereading = setInterval(rereadAll, rereadInterval).unref();

  return {
    subscribe,
    close(): void {
      endSubscription();
      clearInterval(rereading);
    },
  };
}
