import type { OrderEventKind } from "@keepsats/protocol";
import type { UnitOfWork } from "../../platform/database/database.ts";
import type { Bus } from "../../platform/events/bus.ts";
import type { EmitEvents } from "../../platform/outbox/emit-events.ts";
import type { Clock } from "../../platform/scheduling/clock.ts";
import type { Actor } from "../staff/index.ts";
import { actorColumns, findState, type OrderState } from "./order-repository.ts";

/** The columns that an amendment may change. */
interface AmendedColumns {
  readonly shipping_address?: string;
  readonly carrier?: string | null;
  readonly tracking_number?: string | null;
  readonly tracking_url?: string | null;
  readonly erased_at?: number;
  readonly attempt_failed?: 1;
}

/** A change that keeps the order's status, such as a corrected address or a note. */
interface Amendment {
  readonly orderId: string;
  readonly kind: Exclude<OrderEventKind, "placed" | "moved">;
  readonly by: Actor;
  readonly reason?: string | undefined;
  /** Stored with the order event, as JSON. */
  readonly data?: unknown;
  readonly set?: AmendedColumns;
}

/**
 * Changes an order and stores the order event, inside the caller's transaction. A caller that
 * decides from the order's state locks the order before it reads that state.
 *
 * @returns the state before the change; `undefined` if the order does not exist
 */
export type AmendOrder = (
  unit: UnitOfWork,
  amendment: Amendment,
) => Promise<OrderState | undefined>;

export function createAmendOrder({ bus, now }: { bus: Bus; now: Clock }): AmendOrder {
  return async (unit, { orderId, kind, by, reason, data, set = {} }) => {
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
    return order;
  };
}

/**
 * Records a failed payment attempt inside a transaction. The order keeps its status, and its
 * payment term starts again.
 *
 * @param reason names the loan, for staff
 */
export type RecordFailedAttempt = (
  unit: UnitOfWork,
  orderId: string,
  reason: string,
) => Promise<void>;

interface FailedAttemptDependencies {
  readonly amendOrder: AmendOrder;
  readonly emitEvents: EmitEvents;
}

/** Until another attempt starts, further failures emit no domain event. */
export function createRecordFailedAttempt({
  amendOrder,
  emitEvents,
}: FailedAttemptDependencies): RecordFailedAttempt {
  return async (unit, orderId, reason) => {
    const isRecorded = await hasAttemptFailed(unit, orderId);
    await amendOrder(unit, {
      orderId,
      kind: "attempt-failed",
      by: { kind: "provider" },
      reason,
      set: { attempt_failed: 1 },
    });
    if (!isRecorded) await emitEvents(unit, [{ type: "order.payment_failed", subject: orderId }]);
  };
}

async function hasAttemptFailed({ db }: UnitOfWork, orderId: string): Promise<boolean> {
  const row = await db
    .selectFrom("orders")
    .select("attempt_failed")
    .where("id", "=", orderId)
    .executeTakeFirstOrThrow();
  return row.attempt_failed === 1;
}
