import { canMove, type OrderStatus } from "@keepsats/domain";
import type { Bus } from "../bus/bus.ts";
import type { Clock } from "../clock.ts";
import type { UnitOfWork } from "../db/database.ts";
import { padded } from "../db/in-groups.ts";
import { findStates, type OrderState } from "./order-repository.ts";

/** A move of one order, and who makes it why. */
export interface StatusChange {
  readonly orderId: string;
  readonly to: OrderStatus;
  readonly by: "provider" | "merchant";
  readonly reason?: string | undefined;
  /** The status that whoever asks has seen: where the order has another by now, it does not move. */
  readonly expected?: OrderStatus | undefined;
  /** The move gives up the payment under way. */
  readonly attemptOver?: boolean;
}

/**
 * What came of a {@link StatusChange}. `unchanged`: the order is there already. `overtaken`: it is not, and has another
 * status than was expected.
 */
export type StatusChangeOutcome =
  | { readonly kind: "changed"; readonly from: OrderStatus }
  | { readonly kind: "unchanged" }
  | { readonly kind: "refused"; readonly from: OrderStatus }
  | { readonly kind: "overtaken"; readonly from: OrderStatus }
  | { readonly kind: "not-found" };

/**
 * Moves orders, each with its event, inside a transaction of the caller's.
 *
 * @param locked the states, by the orders' ids, of orders whose locks the caller holds and which it has read under them:
 *   they are not locked and read again
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
  /** Hears of every move once it is stored, and how old the order was, in milliseconds. */
  readonly onChanged: (change: StatusChange & { readonly from: OrderStatus; readonly age: number }) => void;
}

/** A change that is allowed, and the state of its order before it. */
interface Move {
  readonly change: StatusChange;
  readonly order: OrderState;
}

/** The one function through which the status of orders changes once they are placed. */
export function createChangeStatuses({ bus, now, onChanged }: Dependencies): ChangeStatuses {
  /** Makes changes of different orders. @returns outcomes for all but those that somebody else got in the way of */
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
      if (order === undefined) outcomes.set(change, { kind: "not-found" });
      else if (order.status === change.to) outcomes.set(change, { kind: "unchanged" });
      else if (change.expected !== undefined && order.status !== change.expected)
        outcomes.set(change, { kind: "overtaken", from: order.status });
      else if (canMove(order.status, change.to)) moves.push({ change, order });
      else outcomes.set(change, { kind: "refused", from: order.status });
    }
    const made = await moveOrders(unit, moves);
    const at = now();
    await insertEvents(unit, made, at);
    for (const { change, order } of made) {
      outcomes.set(change, { kind: "changed", from: order.status });
      unit.afterCommit(() => {
        bus.publish({ topic: "order", id: order.id, version: order.version + 1 });
        onChanged({ ...change, from: order.status, age: at - order.createdAt });
      });
    }
    return outcomes;
  }

  return async (unit, changes, locked = new Map()) => {
    const outcomes = new Map<StatusChange, StatusChangeOutcome>();
    let known = locked;
    // What is left are those that somebody got in the way of, and second changes of one order.
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

/** The states of the orders that are to change, read under their locks. */
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

/** Stores where orders move to, with one statement for all that move alike. @returns the moves of orders that were still as they were read */
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
  const events = moves.map(({ change, order }) => ({
    order_id: order.id,
    version: order.version + 1,
    from_status: order.status,
    to_status: change.to,
    by: change.by,
    reason: change.reason ?? null,
    at,
  }));
  await unit.db.insertInto("order_events").values(events).execute();
}

/** Notes, inside a transaction, that an order's last payment attempt is over, where its status stays as it is. */
export type NoteAttemptOver = (unit: UnitOfWork, orderId: string) => Promise<void>;

/** The companion of {@link createChangeStatuses} for what a follower sees besides the status. */
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
