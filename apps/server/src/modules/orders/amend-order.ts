import type { OrderEventKind } from "@keepsats/protocol";
import type { Updateable } from "kysely";
import type { UnitOfWork } from "../../platform/database/database.ts";
import type { Tables } from "../../platform/database/tables.ts";
import type { DomainEvent, EmitEvents } from "../../platform/outbox/emit-events.ts";
import type { Platform } from "../../platform/platform.ts";
import type { Actor } from "../staff/index.ts";
import { actorColumns, findState, type OrderState } from "./order-repository.ts";

/** A change that keeps the order's status, such as a corrected address or a note. */
interface Amendment {
  readonly orderId: string;
  readonly kind: Exclude<OrderEventKind, "placed" | "moved">;
  readonly by: Actor;
  readonly reason?: string | undefined;
  /** Stored with the order event, as JSON. */
  readonly data?: unknown;
  /** A domain event about the order. */
  readonly emits?: Omit<DomainEvent, "subject"> | undefined;
  /** The columns to change. */
  readonly set?: Omit<Updateable<Tables["orders"]>, "status" | "version" | "updated_at">;
}

export type AmendOrder = ReturnType<typeof createAmendOrder>;

/**
 * Changes an order, and stores the order event and the domain event, inside the caller's
 * transaction. A caller that decides from the order's state locks the order before it reads that
 * state. Returns the state before the change; `undefined` if the order does not exist.
 */
export function createAmendOrder({
  bus,
  now,
  emitEvents,
}: Pick<Platform, "bus" | "now"> & { readonly emitEvents: EmitEvents }) {
  return async (
    unit: UnitOfWork,
    { orderId, kind, by, reason, data, emits, set = {} }: Amendment,
  ): Promise<OrderState | undefined> => {
    await unit.lock(orderId);
    const order = await findState(unit.db, orderId);
    if (order === undefined) return undefined;
    const at = now();
    const row = await unit.db
      .updateTable("orders")
      .set((eb) => ({ ...set, version: eb("version", "+", 1), updated_at: at }))
      .where("id", "=", orderId)
      .returning(["status", "version"])
      .executeTakeFirstOrThrow();
    await unit.db
      .insertInto("order_events")
      .values({
        order_id: orderId,
        version: row.version,
        kind,
        from_status: order.status,
        to_status: order.status,
        ...actorColumns(by),
        reason: reason ?? null,
        data: data === undefined ? null : JSON.stringify(data),
        at,
      })
      .execute();
    unit.afterCommit(() => bus.publish({ topic: "order", id: orderId, version: row.version }));
    if (emits !== undefined) await emitEvents(unit, [{ ...emits, subject: orderId }]);
    return order;
  };
}

/**
 * Records a failed payment attempt inside a transaction; `reason` names the loan, for staff. The
 * order keeps its status, and its payment term starts again. Until another attempt starts, further
 * failures emit no domain event.
 */
export function createRecordFailedAttempt(amendOrder: AmendOrder) {
  return async (unit: UnitOfWork, orderId: string, reason: string): Promise<void> => {
    const { attempt_failed } = await unit.db
      .selectFrom("orders")
      .select("attempt_failed")
      .where("id", "=", orderId)
      .executeTakeFirstOrThrow();
    await amendOrder(unit, {
      orderId,
      kind: "attempt-failed",
      by: { kind: "provider" },
      reason,
      set: { attempt_failed: 1 },
      emits: attempt_failed === 1 ? undefined : { type: "order.payment_failed" },
    });
  };
}
