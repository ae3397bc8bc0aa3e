import { canMove, type OrderStatus } from "@keepsats/domain";
import type { Bus } from "../bus/bus.ts";
import type { Clock } from "../clock.ts";
import type { UnitOfWork } from "../db/database.ts";

/** A move of one order, and who makes it why. */
export interface StatusChange {
  readonly orderId: string;
  readonly to: OrderStatus;
  readonly by: "provider" | "merchant";
  readonly reason?: string | undefined;
  /** The move gives up the payment under way. */
  readonly attemptOver?: boolean;
}

/** What came of a {@link StatusChange}. `unchanged`: the order is there already. */
export type StatusChangeOutcome =
  | { readonly kind: "changed"; readonly from: OrderStatus }
  | { readonly kind: "unchanged" }
  | { readonly kind: "refused"; readonly from: OrderStatus }
  | { readonly kind: "not-found" };

/** Moves an order, with its event, inside a transaction of the caller's. */
export type ChangeStatus = (unit: UnitOfWork, change: StatusChange) => Promise<StatusChangeOutcome>;

interface Dependencies {
  readonly bus: Bus;
  readonly now: Clock;
  /** Hears of every move once it is stored, and how old the order was, in milliseconds. */
  readonly onChanged: (change: StatusChange & { readonly from: OrderStatus; readonly age: number }) => void;
}

/** The one function through which an order's status changes once it is placed. */
export function createChangeStatus({ bus, now, onChanged }: Dependencies): ChangeStatus {
  return async function changeStatus(unit, change) {
    const { orderId, to } = change;
    await unit.lock(orderId);
    const order = await unit.db
      .selectFrom("orders")
      .select(["status", "version", "created_at"])
      .where("id", "=", orderId)
      .executeTakeFirst();
    if (order === undefined) return { kind: "not-found" };
    if (order.status === to) return { kind: "unchanged" };
    if (!canMove(order.status, to)) return { kind: "refused", from: order.status };

    const version = order.version + 1;
    const { numUpdatedRows } = await unit.db
      .updateTable("orders")
      .set({ status: to, version, attempt_over: change.attemptOver === true ? 1 : 0 })
      .where("id", "=", orderId)
      .where("version", "=", order.version)
      .executeTakeFirst();
    if (numUpdatedRows === 0n) return changeStatus(unit, change);

    const at = now();
    await unit.db
      .insertInto("order_events")
      .values({
        order_id: orderId,
        version,
        from_status: order.status,
        to_status: to,
        by: change.by,
        reason: change.reason ?? null,
        at,
      })
      .execute();
    const { status: from } = order;
    unit.afterCommit(() => {
      bus.publish({ topic: "order", id: orderId, version });
      onChanged({ ...change, from, age: at - order.created_at });
    });
    return { kind: "changed", from };
  };
}

/** Notes, inside a transaction, that an order's last payment attempt is over, where its status stays as it is. */
export type NoteAttemptOver = (unit: UnitOfWork, orderId: string) => Promise<void>;

/** The companion of {@link createChangeStatus} for what a follower sees besides the status. */
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
