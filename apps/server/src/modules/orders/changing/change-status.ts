import { canMove, isOrderStatus, type OrderStatus, restocksItems } from "@keepsats/domain";
import { padKeys, type UnitOfWork } from "../../../platform/database/database.ts";
import type {
  DomainEvent,
  DomainEventType,
  EmitEvents,
} from "../../../platform/outbox/emit-events.ts";
import type { Platform } from "../../../platform/platform.ts";
import { Refusal } from "../../../platform/refusal.ts";
import type { Stock } from "../../catalogue/index.ts";
import type { Actor } from "../../staff/index.ts";
import type { StoredStatus } from "../order.ts";
import { findState } from "../order-repository.ts";
import { sumOfPieces } from "../placing/quote.ts";
import { createStoreOrderChange } from "./amend-order.ts";

export interface Shipment {
  readonly carrier?: string | undefined;
  readonly tracking_number?: string | undefined;
  readonly tracking_url?: string | undefined;
}

export interface StatusChange {
  readonly orderId: string;
  readonly to: OrderStatus;
  readonly by: Actor;
  readonly reason?: string | undefined;
  /** The message to the customer about a cancellation. */
  readonly message?: string | undefined;
  /**
   * Whether the order is cancelled although the state of a loan for it is unknown, because the
   * provider could not be asked. Then the email does not say that there is nothing to pay.
   */
  readonly hasUnclearLoans?: boolean;
  readonly shipment?: Shipment | undefined;
  /** The status as last read. If the order has another one now, it is not changed. */
  readonly expected?: StoredStatus | undefined;
  /** Whether the change is due to a failed payment attempt. */
  readonly attemptFailed?: boolean;
}

/**
 * `unchanged`: the order already has the requested status. It is refused if the order has neither
 * the requested nor the expected status, or one that permits no such change. A status that this
 * version does not know permits none.
 */
export type StatusChangeOutcome =
  | { readonly kind: "changed"; readonly from: OrderStatus }
  | { readonly kind: "unchanged" | "not-found" }
  | Refusal;

export type ChangeStatuses = ReturnType<typeof createChangeStatuses>;

/**
 * The only code that changes the status of a placed order.
 *
 * @param onChanged called for every committed change, with the age of the order in milliseconds
 */
export function createChangeStatuses({
  bus,
  now,
  emitEvents,
  restock,
  onChanged,
}: Pick<Platform, "bus" | "now"> & {
  readonly emitEvents: EmitEvents;
  readonly restock: Stock["restock"];
  readonly onChanged: (
    change: StatusChange & { readonly from: OrderStatus; readonly age: number },
  ) => void;
}) {
  const storeOrderChange = createStoreOrderChange({ bus, now, emitEvents });

  /** Changes the status of an order that is locked. */
  async function changeStatus(
    unit: UnitOfWork,
    change: StatusChange,
  ): Promise<StatusChangeOutcome> {
    const { orderId, to, by, reason, expected } = change;
    const order = await findState(unit.db, orderId);
    if (order === undefined) return { kind: "not-found" };
    const from = order.status;
    if (from === to) return { kind: "unchanged" };
    if (expected !== undefined && from !== expected) return statusChanged(from);
    if (!isOrderStatus(from) || !canMove(from, to)) return notPermitted(from, to);
    await storeOrderChange(unit, order, {
      kind: "moved",
      by,
      reason,
      data: dataOf(change),
      emits: domainEventOf(change, from),
      to,
      set: changedColumns(change),
    });
    unit.afterCommit(() => onChanged({ ...change, from, age: now() - order.created_at }));
    return { kind: "changed", from };
  }

  /**
   * Changes the status of orders one after another and stores their events, inside the caller's
   * transaction. Restocks the items of cancelled orders. Items are locked last, so a transaction
   * cancels all its orders with one call.
   *
   * @returns one outcome per change, in the same order
   */
  return async function changeStatuses(
    unit: UnitOfWork,
    changes: readonly StatusChange[],
  ): Promise<StatusChangeOutcome[]> {
    await unit.lock(...new Set(changes.map(({ orderId }) => orderId)));
    const outcomes: StatusChangeOutcome[] = [];
    const restocked: string[] = [];
    for (const change of changes) {
      const outcome = await changeStatus(unit, change);
      outcomes.push(outcome);
      if (outcome.kind === "changed" && restocksItems(change.to)) restocked.push(change.orderId);
    }
    await restockOrders(unit, restocked, restock);
    return outcomes;
  };
}

function statusChanged(status: StoredStatus): Refusal {
  const detail = `The order is now ${status}.`;
  return new Refusal("status_changed", { detail, current_status: status });
}

function notPermitted(from: StoredStatus, to: OrderStatus): Refusal {
  const detail = `An order that is ${from} cannot become ${to}.`;
  return new Refusal("transition_refused", { detail });
}

/** The columns that a change sets besides the status; `undefined` leaves one unchanged. */
function changedColumns({ attemptFailed, message, shipment = {} }: StatusChange) {
  const { carrier, tracking_number, tracking_url } = shipment;
  return {
    attempt_failed: attemptFailed === true ? 1 : 0,
    merchant_message: message,
    carrier,
    tracking_number,
    tracking_url,
  };
}

/** The domain event of a change to each status. */
const eventTypes = {
  Pending: "order.payment_failed",
  PaymentProcessing: "order.payment_started",
  PaymentProcessed: "order.paid",
  Shipped: "order.shipped",
  Delivered: "order.delivered",
  Cancelled: "order.cancelled",
} as const satisfies Record<OrderStatus, DomainEventType>;

function domainEventOf(
  { to, attemptFailed, hasUnclearLoans = false }: StatusChange,
  from: OrderStatus,
): Omit<DomainEvent, "subject"> | undefined {
  if (to === "Pending" && attemptFailed !== true) return undefined;
  const data = { from, to, ...(hasUnclearLoans ? { unclear_loans: true } : {}) };
  return { type: eventTypes[to], data };
}

function dataOf({ message, shipment }: StatusChange) {
  if (message === undefined && shipment === undefined) return undefined;
  return { message, ...shipment };
}

/** Restocks the pieces that the lines of these orders have taken. The orders are locked. */
async function restockOrders(
  unit: UnitOfWork,
  orderIds: readonly string[],
  restock: Stock["restock"],
): Promise<void> {
  if (orderIds.length === 0) return;
  const lines = await unit.db
    .selectFrom("order_lines")
    .select(["item_id", "taken as quantity"])
    .where("order_id", "in", padKeys(orderIds))
    .where("taken", ">", 0)
    .execute();
  if (lines.length === 0) return;
  await unit.db
    .updateTable("order_lines")
    .set({ taken: 0 })
    .where("order_id", "in", padKeys(orderIds))
    .where("taken", ">", 0)
    .execute();
  await restock(unit, sumOfPieces(lines));
}
