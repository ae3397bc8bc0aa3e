import type { Cents } from "@keepsats/domain";
import { isOrderId } from "@keepsats/protocol";
import { type CoalescedRead, readCoalesced } from "../../platform/events/coalesced-read.ts";
import type { Platform } from "../../platform/platform.ts";
import { elapsed } from "../../platform/scheduling/clock.ts";
import { slices } from "../../platform/scheduling/slices.ts";
import type { CustomerReturns, Order } from "../orders/index.ts";
import type { CheckResult, LoanWorker, Presenter } from "../payments/index.ts";
import { serializeOrder } from "./order-message.ts";
import {
  type Audience,
  broadcast,
  clearError,
  forgetError,
  isNewer,
  newAudience,
  newRoom,
  noop,
  type Room,
  refuse,
  type Subscriber,
  sendCurrent,
  sendError,
} from "./room.ts";

/** An order with the ids of the loans that have paid it, and with the refunded amount, if any. */
export interface OrderForSubscribers {
  readonly order: Order;
  readonly paidBy: readonly string[];
  readonly refunded?: Cents | undefined;
  readonly returns?: CustomerReturns | undefined;
}

/** A subscription to an order, with a loan, with the order's key, or with both. */
export interface SubscribeRequest {
  readonly orderId: string;
  readonly loanId: string | undefined;
  readonly holdsKey: boolean;
}

const loanIdPattern = /^[A-Za-z0-9_-]{1,100}$/;
const VERSIONS_PER_READ = 500;
/**
 * The maximum age of a read when the order is first sent, in milliseconds. The bus reports later
 * changes.
 */
const FRESH = 1_000;

/**
 * Picks the subscriber whose share of provider calls pays for the checks, preferring one with the
 * order's key.
 */
function presenterOf({ subscribers }: Audience): Presenter | undefined {
  let picked: Subscriber | undefined;
  for (const subscriber of subscribers)
    if (picked === undefined || (subscriber.holdsKey && !picked.holdsKey)) picked = subscriber;
  return picked && { client: picked.network, holdsKey: picked.holdsKey };
}

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
  let subscribers = 0;

  async function read(room: Room): Promise<void> {
    const begun = elapsed();
    const found = await readOrder(room.orderId);
    room.readAt = begun;
    if (found === undefined) return;
    const { order, paidBy, refunded, returns } = found;
    for (const audience of room.audiences.values()) {
      audience.hasPaid = audience.loanId !== undefined && paidBy.includes(audience.loanId);
    }
    if (isNewer(room, order.version)) room.latest = serializeOrder(order, refunded, returns);
    broadcast(room);
  }

  function refresh(room: Room): Promise<void> {
    return readCoalesced(room, read);
  }

  async function onResult(room: Room, audience: Audience, result: CheckResult): Promise<void> {
    if (result.isDone) audience.endWatch = noop;
    if (result.isBound && !audience.isBound) {
      audience.isBound = true;
      forgetError(audience);
      try {
        // A fresh read is not repeated: the bus reports a later change, which starts another read.
        const isFresh = elapsed() - room.readAt < FRESH;
        await (isFresh ? room.reading : refresh(room));
      } finally {
        broadcast(room);
      }
    }
    if (result.finding === "unreachable") sendError(audience, "ConnectionError");
    else if (audience.isBound && result.finding === "seen") clearError(audience, room.latest);
    else if (!audience.isBound && (result.finding === "absent" || result.finding === "refused"))
      sendError(audience, "ContractNotFound");
    if (!result.isDone) return;
    // A payment of a paid or cancelled order makes no new version.
    await room.reading;
    if (!audience.hasPaid) await refresh(room);
  }

  /** Reads the order of an idle audience, then watches its loan, if it has one. */
  async function openAudience(room: Room, audience: Audience): Promise<void> {
    const { loanId } = audience;
    if (audience.state !== "idle") return;
    if (!isOrderId(room.orderId)) return sendError(audience, "OrderNotFound");
    audience.state = "opening";
    try {
      await refresh(room);
    } finally {
      audience.state = "idle";
    }
    if (room.latest === undefined) return sendError(audience, "OrderNotFound");
    if (loanId !== undefined && !loanIdPattern.test(loanId)) {
      return sendError(audience, "ContractNotFound");
    }
    if (audience.subscribers.size === 0) return;
    audience.state = "open";
    audience.error = undefined;
    if (loanId === undefined) return;
    const key = { orderId: room.orderId, loanId };
    audience.endWatch = watch(
      key,
      () => presenterOf(audience),
      (result) => {
        onResult(room, audience, result).catch(onError);
      },
    );
  }

  async function joinAudience(
    room: Room,
    audience: Audience,
    subscriber: Subscriber,
  ): Promise<void> {
    const isCurrent = subscriber.holdsKey || audience.hasPaid === false;
    try {
      await refresh(room);
    } finally {
      if (!isCurrent || subscriber.rank === 0) sendCurrent(subscriber, audience, room.latest);
    }
  }

  /**
   * Sends a subscriber with a wrong key and no loan the error of an unknown order. Makes no query,
   * so that the time of the answer does not reveal whether the order exists.
   */
  function subscribeWithWrongKey(subscriber: Subscriber): () => void {
    refuse(subscriber, "OrderNotFound");
    subscribers += 1;
    let isGone = false;
    return () => {
      if (!isGone) subscribers -= 1;
      isGone = true;
    };
  }

  /** @returns a function that ends the subscription */
  function subscribe(
    { orderId, loanId, holdsKey }: SubscribeRequest,
    subscriber: Subscriber,
  ): () => void {
    if (loanId === undefined && !holdsKey) return subscribeWithWrongKey(subscriber);
    subscriber.holdsKey = holdsKey;
    const room = rooms.get(orderId) ?? newRoom(orderId);
    rooms.set(orderId, room);
    const known = room.audiences.get(loanId);
    const audience = known ?? newAudience(loanId);
    room.audiences.set(loanId, audience);
    audience.subscribers.add(subscriber);
    subscribers += 1;
    // The payout may be reversed by now: only a read shows it.
    if (!holdsKey && audience.hasPaid === true) audience.hasPaid = undefined;
    // Sent before the read, so that the subscriber gets it even while the database is unavailable.
    if (holdsKey || audience.hasPaid === false) sendCurrent(subscriber, audience, room.latest);
    const opening =
      known === undefined ? openAudience(room, audience) : joinAudience(room, audience, subscriber);
    opening.catch(onError);

    return () => {
      if (!audience.subscribers.delete(subscriber)) return;
      subscribers -= 1;
      if (audience.subscribers.size > 0) return;
      audience.endWatch();
      room.audiences.delete(loanId);
      if (room.audiences.size === 0) rooms.delete(orderId);
    };
  }

  /** Refreshes a room if its order has changed, and opens the audiences that failed to open. */
  async function catchUp(room: Room, version: number): Promise<void> {
    if (isNewer(room, version)) await refresh(room);
    for (const audience of room.audiences.values()) await openAudience(room, audience);
  }

  async function readVersions(): Promise<void> {
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
  }

  const everything: CoalescedRead = { reading: undefined, stale: false };
  function rereadAll(): void {
    readCoalesced(everything, readVersions).catch(onError);
  }

  const endSubscription = bus.subscribe((change) => {
    if (change.topic === "gap") rereadAll();
    if (change.topic !== "order") return;
    const room = rooms.get(change.id);
    if (room !== undefined && isNewer(room, change.version)) refresh(room).catch(onError);
  });
  // Finds changes whose messages the bus has lost.
  const rereading = setInterval(rereadAll, rereadInterval).unref();

  return {
    subscribe,
    get subscribers(): number {
      return subscribers;
    },
    close(): void {
      endSubscription();
      clearInterval(rereading);
    },
  };
}
