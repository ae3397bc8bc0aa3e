import type { OrderStatus } from "@keepsats/domain";
import type { OrderEventKind } from "@keepsats/protocol";
import type { Updateable } from "kysely";
import type { UnitOfWork } from "../../../platform/database/database.ts";
import type { Tables } from "../../../platform/database/tables.ts";
import type { DomainEvent, EmitEvents } from "../../../platform/outbox/emit-events.ts";
import type { Platform } from "../../../platform/platform.ts";
import type { Actor } from "../../staff/index.ts";
import { actorColumns, findState, type OrderState } from "../order-repository.ts";

/** A change of a placed order. */
interface OrderChange {
  readonly kind: Exclude<OrderEventKind, "placed">;
  readonly by: Actor;
  readonly reason?: string | undefined;
  /** Stored with the order event, as JSON. */
  readonly data?: unknown;
  /** A domain event about the order. */
  readonly emits?: Omit<DomainEvent, "subject"> | undefined;
  /** The new status; the order keeps its own by default. */
  readonly to?: OrderStatus;
  /** The columns to change. */
  readonly set?: Omit<
    Updateable<Tables["orders"]>,
    "status" | "version" | "paid_at" | "updated_at"
  >;
}

type Dependencies = Pick<Platform, "bus" | "now"> & { readonly emitEvents: EmitEvents };

/**
 * Stores a change of an order that the caller has locked and read, with its order event and its
 * domain event, inside the caller's transaction.
 */
export function createStoreOrderChange({ bus, now, emitEvents }: Dependencies) {
  return async (
    unit: UnitOfWork,
    { id, status, version: before }: OrderState,
    { kind, by, reason, data, emits, to, set = {} }: OrderChange,
  ): Promise<void> => {
    const version = before + 1;
    const at = now();
    const paid_at = to === "PaymentProcessed" ? at : undefined;
    await unit.db
      .updateTable("orders")
      .set({ ...set, status: to, version, paid_at, updated_at: at })
      .where("id", "=", id)
      .execute();
    await unit.db
      .insertInto("order_events")
      .values({
        order_id: id,
        version,
        kind,
        from_status: status,
        to_status: to ?? status,
        ...actorColumns(by),
        reason: reason ?? null,
        data: data === undefined ? null : JSON.stringify(data),
        at,
      })
      .execute();
    unit.afterCommit(() => bus.publish({ topic: "order", id, version }));
    if (emits !== undefined) await emitEvents(unit, [{ ...emits, subject: id }]);
  };
}

/** A change that keeps the order's status, such as a corrected address or a note. */
interface Amendment extends Omit<OrderChange, "to"> {
  readonly orderId: string;
  readonly kind: Exclude<OrderChange["kind"], "moved">;
}

export type AmendOrder = ReturnType<typeof createAmendOrder>;

/**
 * Amends an order inside the caller's transaction. A caller that decides from the order's state
 * locks the order before it reads that state. Returns the state before the change; `undefined` if
 * the order does not exist.
 */
export function createAmendOrder(dependencies: Dependencies) {
  const storeOrderChange = createStoreOrderChange(dependencies);
  return async (
    unit: UnitOfWork,
    { orderId, ...change }: Amendment,
  ): Promise<OrderState | undefined> => {
    await unit.lock(orderId);
    const order = await findState(unit.db, orderId);
    if (order !== undefined) await storeOrderChange(unit, order, change);
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
