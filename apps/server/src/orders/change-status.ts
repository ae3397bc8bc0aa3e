import { canMove, isOrderStatus, type OrderStatus } from "@keepsats/domain";
import type { Bus } from "../bus/bus.ts";
import type { Clock } from "../clock.ts";
import type { UnitOfWork } from "../db/database.ts";
import { padded } from "../db/in-groups.ts";
import type { Announce, Announcement } from "../outbox/outbox.ts";
import { type Actor, actorColumns } from "./actor.ts";
import { giveBackPieces } from "./give-back.ts";
import type { ItemsForSale } from "./items-for-sale.ts";
import type { StoredStatus } from "./order.ts";
import { findStates, type OrderState } from "./order-repository.ts";

/** How an order travels, as the merchant says it. */
export interface Shipment {
  readonly carrier?: string | undefined;
  readonly tracking_number?: string | undefined;
  readonly tracking_url?: string | undefined;
}

/** A requested status change of one order. */
export interface StatusChange {
  readonly orderId: string;
  readonly to: OrderStatus;
  readonly by: Actor;
  readonly reason?: string | undefined;
  /** What the shopper is told about a cancellation. */
  readonly message?: string | undefined;
  /**
   * Whether the order is cancelled although the provider could not be asked about a loan that was
   * presented for it. Then the email does not say that there is nothing to pay.
   */
  readonly hasUnclearLoans?: boolean;
  /** How a shipped order travels. */
  readonly shipment?: Shipment | undefined;
  /** The status that the caller has seen. If the order has another one now, it is not changed. */
  readonly expected?: StoredStatus | undefined;
  /** Whether the change ends the current payment attempt. */
  readonly attemptOver?: boolean;
}

/**
 * The outcome of a {@link StatusChange}. `unchanged`: the order has the requested status already.
 * `refused`: its status permits no such change; a status that this version does not know permits
 * none. `overtaken`: it has neither the requested nor the expected status.
 */
export type StatusChangeOutcome =
  | { readonly kind: "changed"; readonly from: OrderStatus }
  | { readonly kind: "unchanged" }
  | { readonly kind: "refused"; readonly from: StoredStatus }
  | { readonly kind: "overtaken"; readonly from: StoredStatus }
  | { readonly kind: "not-found" };

/**
 * Changes the status of orders and stores their events, inside the caller's transaction. A
 * cancelled order gives back the pieces that it took from the stock. Items are locked last, so a
 * transaction cancels all its orders with one call.
 *
 * @param locked the states, by order id, of orders that the caller has locked and then read; they
 *   are not locked and read again
 * @returns one outcome for each change, in their order
 */
export type ChangeStatuses = (
  unit: UnitOfWork,
  changes: readonly StatusChange[],
  locked?: ReadonlyMap<string, OrderState>,
) => Promise<StatusChangeOutcome[]>;

interface Dependencies {
  readonly bus: Bus;
  readonly now: Clock;
  readonly announce: Announce;
  readonly giveBack: ItemsForSale["giveBack"];
  /** Called for every committed change, with the age of the order in milliseconds. */
  readonly onChanged: (
    change: StatusChange & { readonly from: OrderStatus; readonly age: number },
  ) => void;
}

/** A permitted change, and the state of its order before it; `from` is its status. */
interface Move {
  readonly change: StatusChange;
  readonly order: OrderState;
  readonly from: OrderStatus;
}

/**
 * Creates {@link ChangeStatuses}. It is the only code that changes the status of a placed order.
 */
export function createChangeStatuses({
  bus,
  now,
  announce,
  giveBack,
  onChanged,
}: Dependencies): ChangeStatuses {
  /**
   * Applies changes of different orders.
   *
   * @returns the outcomes of all but those that a concurrent writer has overtaken
   */
  async function changeEach(
    unit: UnitOfWork,
    changes: readonly StatusChange[],
    locked: ReadonlyMap<string, OrderState>,
  ): Promise<Map<StatusChange, StatusChangeOutcome>> {
    const orders = await lockAndRead(unit, changes, locked);
    const outcomes = new Map<StatusChange, StatusChangeOutcome>();
    const moves: Move[] = [];
    for (const change of changes) {
      const order = orders.get(change.orderId);
      const from = order?.status;
      if (order === undefined || from === undefined) outcomes.set(change, { kind: "not-found" });
      else if (from === change.to) outcomes.set(change, { kind: "unchanged" });
      else if (change.expected !== undefined && from !== change.expected)
        outcomes.set(change, { kind: "overtaken", from });
      else if (isOrderStatus(from) && canMove(from, change.to)) moves.push({ change, order, from });
      else outcomes.set(change, { kind: "refused", from });
    }
    const at = now();
    const made = await moveOrders(unit, moves, at);
    await insertEvents(unit, made, at);
    await announce(unit, made.flatMap(announcementOf));
    for (const { change, order, from } of made) {
      outcomes.set(change, { kind: "changed", from });
      unit.afterCommit(() => {
        bus.publish({ topic: "order", id: order.id, version: order.version + 1 });
        onChanged({ ...change, from, age: at - order.createdAt });
      });
    }
    return outcomes;
  }

  return async (unit, changes, locked = new Map()) => {
    const outcomes = new Map<StatusChange, StatusChangeOutcome>();
    let known = locked;
    // The rest were overtaken by a concurrent writer, or are further changes of the same order.
    for (
      let left = changes;
      left.length > 0;
      left = left.filter((change) => !outcomes.has(change))
    ) {
      const first = [...Map.groupBy(left, ({ orderId }) => orderId).values()].flatMap(
        ([one]) => one ?? [],
      );
      for (const [change, outcome] of await changeEach(unit, first, known))
        outcomes.set(change, outcome);
      known = new Map();
    }
    const cancelled = changes.filter(
      (change) => change.to === "Cancelled" && outcomes.get(change)?.kind === "changed",
    );
    await giveBackPieces(
      unit,
      cancelled.map(({ orderId }) => orderId),
      giveBack,
    );
    return changes.map((change) => {
      const outcome = outcomes.get(change);
      if (outcome === undefined) throw new Error("there is an outcome for every change");
      return outcome;
    });
  };
}

/** Locks and reads the states of the orders to change. */
async function lockAndRead(
  unit: UnitOfWork,
  changes: readonly StatusChange[],
  locked: ReadonlyMap<string, OrderState>,
): Promise<ReadonlyMap<string, OrderState>> {
  const ids = changes.map(({ orderId }) => orderId).filter((id) => !locked.has(id));
  if (ids.length === 0) return locked;
  await unit.lock(...ids);
  return new Map([...locked, ...(await findStates(unit.db, ids))]);
}

/**
 * Stores changes with one statement per pair of old and new status.
 *
 * @returns the changes of orders that still had the version that was read
 */
async function moveOrders(unit: UnitOfWork, moves: readonly Move[], at: number): Promise<Move[]> {
  const moved = new Set<string>();
  const alike = Map.groupBy(
    moves,
    ({ change, order }) =>
      `${order.version} ${change.to} ${JSON.stringify(changedColumns(change))}`,
  );
  for (const some of alike.values()) {
    const [first] = some;
    if (first === undefined) continue;
    const { change, order } = first;
    const rows = await unit.db
      .updateTable("orders")
      .set({
        status: change.to,
        version: order.version + 1,
        updated_at: at,
        ...(change.to === "PaymentProcessed" ? { paid_at: at } : {}),
        ...changedColumns(change),
      })
      .where("id", "in", padded(some.map((move) => move.order.id)))
      .where("version", "=", order.version)
      .returning("id")
      .execute();
    for (const { id } of rows) moved.add(id);
  }
  return moves.filter(({ order }) => moved.has(order.id));
}

/** The columns that a change sets besides status and version. */
function changedColumns({ attemptOver, message, shipment = {} }: StatusChange) {
  const { carrier, tracking_number, tracking_url } = shipment;
  return {
    attempt_over: attemptOver === true ? 1 : 0,
    ...(message === undefined ? {} : { merchant_message: message }),
    ...(carrier === undefined ? {} : { carrier }),
    ...(tracking_number === undefined ? {} : { tracking_number }),
    ...(tracking_url === undefined ? {} : { tracking_url }),
  };
}

/** What others are told of a change. */
function announcementOf({ change, order, from }: Move): Announcement[] {
  const { to, attemptOver, hasUnclearLoans = false } = change;
  const data = { from, to, ...(hasUnclearLoans ? { unclear_loans: true } : {}) };
  const subject = order.id;
  switch (to) {
    case "Pending":
      return attemptOver === true ? [{ type: "order.payment_failed", subject, data }] : [];
    case "PaymentProcessing":
      return [{ type: "order.payment_started", subject, data }];
    case "PaymentProcessed":
      return [{ type: "order.paid", subject, data }];
    case "Shipped":
      return [{ type: "order.shipped", subject, data }];
    case "Delivered":
      return [{ type: "order.delivered", subject, data }];
    case "Cancelled":
      return [{ type: "order.cancelled", subject, data }];
  }
}

async function insertEvents(unit: UnitOfWork, moves: readonly Move[], at: number): Promise<void> {
  if (moves.length === 0) return;
  const events = moves.map(({ change, order, from }) => ({
    order_id: order.id,
    version: order.version + 1,
    kind: "moved",
    from_status: from,
    to_status: change.to,
    ...actorColumns(change.by),
    reason: change.reason ?? null,
    data: dataOf(change),
    at,
  }));
  await unit.db.insertInto("order_events").values(events).execute();
}

/** What the event of a change keeps besides its statuses, as JSON. */
function dataOf({ message, shipment }: StatusChange): string | null {
  if (message === undefined && shipment === undefined) return null;
  return JSON.stringify({ ...(message === undefined ? {} : { message }), ...shipment });
}
