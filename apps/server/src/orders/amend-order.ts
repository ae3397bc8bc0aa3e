import type { Bus } from "../bus/bus.ts";
import type { Clock } from "../clock.ts";
import type { UnitOfWork } from "../db/database.ts";
import { type Actor, actorColumns } from "./actor.ts";
import { findState, type OrderState } from "./order-repository.ts";

/** The columns that an amendment may change. */
export interface AmendedColumns {
  readonly shipping_address?: string;
  readonly carrier?: string | null;
  readonly tracking_number?: string | null;
  readonly tracking_url?: string | null;
  readonly erased_at?: number;
  readonly attempt_over?: 1;
}

/** A change of an order that leaves its status as it is, such as a corrected address or a note. */
export interface Amendment {
  readonly orderId: string;
  /** The kind of its event, such as `address-corrected`. */
  readonly kind: string;
  readonly by: Actor;
  readonly reason?: string | undefined;
  /** What the event keeps, as JSON. */
  readonly data?: unknown;
  readonly set?: AmendedColumns;
}

/**
 * Changes an order without moving it and stores the event, inside the caller's transaction. The
 * caller has locked the order and decided from its state.
 *
 * @returns the state before the change; `undefined` where there is no such order
 */
export type AmendOrder = (
  unit: UnitOfWork,
  amendment: Amendment,
) => Promise<OrderState | undefined>;

/** Creates {@link AmendOrder}. */
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
