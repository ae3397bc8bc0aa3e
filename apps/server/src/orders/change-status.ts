import { canMove, isOrderStatus, type OrderStatus } from "@keepsats/domain";
import type { Bus } from "../bus/bus.ts";
import type { Clock } from "../clock.ts";
import type { UnitOfWork } from "../db/database.ts";
import { padded } from "../db/in-groups.ts";
import type { StoredStatus } from "./order.ts";
import { findStates, type OrderState } from "./order-repository.ts";

/** A requested status change of one order. */
export interface StatusChange {
  readonly orderId: string;
  readonly to: OrderStatus;
  readonly by: "provider" | "merchant";
  readonly reason?: string | undefined;
  /** The status that the caller has seen. If the order has another one now, it is not changed. */
  readonly expected?: StoredStatus | undefined;
  /** Whether the change ends the current payment attempt. */
  readonly attemptOver?: boolean;
}

/**
 * The outcome of a {@link StatusChange}. `unchanged`: the order has the requested status already. `refused`: its status
 * permits no such change; a status that this version does not know permits none. `overtaken`: it has neither the
 * requested nor the expected status.
 */
export type StatusChangeOutcome =
  | { readonly kind: "changed"; readonly from: OrderStatus }
  | { readonly kind: "unchanged" }
  | { readonly kind: "refused"; readonly from: StoredStatus }
  | { readonly kind: "overtaken"; readonly from: StoredStatus }
  | { readonly kind: "not-found" };

/**
 * Changes the status of orders and stores their events, inside the caller's transaction.
 *
 * @param locked the states, by order id, of orders that the caller has locked and then read; they are not locked and
 *   read again
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
  /** Called for every committed change, with the age of the order in milliseconds. */
  readonly onChanged: (change: StatusChange & { readonly from: OrderStatus; readonly age: number }) => void;
}

/** A permitted change, and the state of its order before it; `from` is its status. */
interface Move {
  readonly change: StatusChange;
  readonly order: OrderState;
  readonly from: OrderStatus;
}

/** Creates {@link ChangeStatuses}. It is the only code that changes the status of a placed order. */
export function createChangeStatuses({ bus, now, onChanged }: Dependencies): ChangeStatuses {
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
    const made = await moveOrders(unit, moves);
    const at = now();
    await insertEvents(unit, made, at);
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
    for (let left = changes; left.length > 0; left = left.filter((change) => !outcomes.has(change))) {
      const first = [...Map.groupBy(left, ({ orderId }) => orderId).values()].flatMap(([one]) => one ?? []);
      for (const [change, outcome] of await changeEach(unit, first, known)) outcomes.set(change, outcome);
      known = new Map();
    }
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
async function moveOrders(unit: UnitOfWork, moves: readonly Move[]): Promise<Move[]> {
  const moved = new Set<string>();
  const alike = Map.groupBy(
    moves,
    ({ change, order }) => `${order.version} ${change.to} ${change.attemptOver === true}`,
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
        attempt_over: change.attemptOver === true ? 1 : 0,
      })
      .where("id", "in", padded(some.map((move) => move.order.id)))
      .where("version", "=", order.version)
      .returning("id")
      .execute();
    for (const { id } of rows) moved.add(id);
  }
  return moves.filter(({ order }) => moved.has(order.id));
}

async function insertEvents(unit: UnitOfWork, moves: readonly Move[], at: number): Promise<void> {
  if (moves.length === 0) return;
  const events = moves.map(({ change, order, from }) => ({
    order_id: order.id,
    version: order.version + 1,
    from_status: from,
    to_status: change.to,
    by: change.by,
    reason: change.reason ?? null,
    at,
  }));
  await unit.db.insertInto("order_events").values(events).execute();
}

/** Stores, inside a transaction, that an order's last payment attempt is over, without changing its status. */
export type NoteAttemptOver = (unit: UnitOfWork, orderId: string) => Promise<void>;

/** Creates the function that stores the end of a payment attempt, the only other change that followers see. */
export function createNoteAttemptOver({ bus }: { bus: Bus }): NoteAttemptOver {
  return async (unit, orderId) => {
    const row = await unit.db
      .updateTable("orders")
      .set((eb) => ({ attempt_over: 1, version: eb("version", "+", 1) }))
      .where("id", "=", orderId)
      .where("attempt_over", "=", 0)
      .returning("version")
      .executeTakeFirst();
    if (row === undefined) return;
    unit.afterCommit(() => bus.publish({ topic: "order", id: orderId, version: row.version }));
  };
}
