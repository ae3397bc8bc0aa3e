import { canMove, isOrderStatus, type OrderStatus, restocksItems } from "@keepsats/domain";
import type { UnitOfWork } from "../../platform/database/database.ts";
import { padKeys } from "../../platform/database/in-clause.ts";
import type {
  DomainEvent,
  DomainEventType,
  EmitEvents,
} from "../../platform/outbox/emit-events.ts";
import type { Platform } from "../../platform/platform.ts";
import { Refusal } from "../../platform/refusal.ts";
import type { Stock } from "../catalogue/index.ts";
import type { Actor } from "../staff/index.ts";
import type { StoredStatus } from "./order.ts";
import { actorColumns, findStates, type OrderState } from "./order-repository.ts";
import { sumOfPieces } from "./quote.ts";

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

/** A permitted change, and the state of its order before it; `from` is its status. */
interface PermittedChange {
  readonly change: StatusChange;
  readonly order: OrderState;
  readonly from: OrderStatus;
}

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
  /**
   * Applies changes of different orders.
   *
   * @returns the outcomes, except those of orders that a concurrent writer changed first
   */
  async function changeEach(
    unit: UnitOfWork,
    changes: readonly StatusChange[],
    locked: ReadonlyMap<string, OrderState>,
  ): Promise<Map<StatusChange, StatusChangeOutcome>> {
    const orders = await lockAndRead(unit, changes, locked);
    const outcomes = new Map<StatusChange, StatusChangeOutcome>();
    const permitted: PermittedChange[] = [];
    for (const change of changes) {
      const order = orders.get(change.orderId);
      const from = order?.status;
      if (order === undefined || from === undefined) outcomes.set(change, { kind: "not-found" });
      else if (from === change.to) outcomes.set(change, { kind: "unchanged" });
      else if (change.expected !== undefined && from !== change.expected)
        outcomes.set(change, statusChanged(from));
      else if (isOrderStatus(from) && canMove(from, change.to))
        permitted.push({ change, order, from });
      else outcomes.set(change, notPermitted(from, change.to));
    }
    const at = now();
    const stored = await storeChanges(unit, permitted, at);
    await insertEvents(unit, stored, at);
    await emitEvents(unit, stored.flatMap(domainEventOf));
    for (const { change, order, from } of stored) {
      outcomes.set(change, { kind: "changed", from });
      unit.afterCommit(() => {
        bus.publish({ topic: "order", id: order.id, version: order.version + 1 });
        onChanged({ ...change, from, age: at - order.created_at });
      });
    }
    return outcomes;
  }

  /**
   * Changes the status of orders and stores their events, inside the caller's transaction. Restocks
   * the items of cancelled orders. Items are locked last, so a transaction cancels all its orders
   * with one call.
   *
   * @param locked the states, by order id, of orders that the caller has already locked and read
   * @returns one outcome per change, in the same order
   */
  return async function changeStatuses(
    unit: UnitOfWork,
    changes: readonly StatusChange[],
    locked: ReadonlyMap<string, OrderState> = new Map(),
  ): Promise<StatusChangeOutcome[]> {
    const outcomes = new Map<StatusChange, StatusChangeOutcome>();
    let states = locked;
    // Repeated for orders that a concurrent writer changed first, and for further changes of the
    // same order.
    for (
      let pending = changes;
      pending.length > 0;
      pending = pending.filter((change) => !outcomes.has(change))
    ) {
      const byOrder = Map.groupBy(pending, ({ orderId }) => orderId);
      const firstOfEach = [...byOrder.values()].flatMap(([change]) => change ?? []);
      for (const [change, outcome] of await changeEach(unit, firstOfEach, states))
        outcomes.set(change, outcome);
      states = new Map();
    }
    const restocked = changes.filter(
      (change) => restocksItems(change.to) && outcomes.get(change)?.kind === "changed",
    );
    await restockOrders(
      unit,
      restocked.map(({ orderId }) => orderId),
      restock,
    );
    return changes.map((change) => {
      const outcome = outcomes.get(change);
      if (outcome === undefined) throw new Error("no outcome for a status change");
      return outcome;
    });
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
 * Stores changes with one statement for each group of the same version, new status and columns.
 *
 * @returns the changes of orders that still had the version that was read
 */
async function storeChanges(
  unit: UnitOfWork,
  permitted: readonly PermittedChange[],
  at: number,
): Promise<PermittedChange[]> {
  const storedIds = new Set<string>();
  const groups = Map.groupBy(
    permitted,
    ({ change, order }) =>
      `${order.version} ${change.to} ${JSON.stringify(changedColumns(change))}`,
  );
  for (const group of groups.values()) {
    const [first] = group;
    if (first === undefined) continue;
    const { change, order } = first;
    const rows = await unit.db
      .updateTable("orders")
      .set({
        status: change.to,
        version: order.version + 1,
        updated_at: at,
        paid_at: change.to === "PaymentProcessed" ? at : undefined,
        ...changedColumns(change),
      })
      .where("id", "in", padKeys(group.map((member) => member.order.id)))
      .where("version", "=", order.version)
      .returning("id")
      .execute();
    for (const { id } of rows) storedIds.add(id);
  }
  return permitted.filter(({ order }) => storedIds.has(order.id));
}

/** The columns that a change sets besides status and version; `undefined` leaves one unchanged. */
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

function domainEventOf({ change, order, from }: PermittedChange): DomainEvent[] {
  const { to, attemptFailed, hasUnclearLoans = false } = change;
  if (to === "Pending" && attemptFailed !== true) return [];
  const data = { from, to, ...(hasUnclearLoans ? { unclear_loans: true } : {}) };
  return [{ type: eventTypes[to], subject: order.id, data }];
}

async function insertEvents(
  unit: UnitOfWork,
  changes: readonly PermittedChange[],
  at: number,
): Promise<void> {
  if (changes.length === 0) return;
  const events = changes.map(({ change, order, from }) => ({
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

function dataOf({ message, shipment }: StatusChange): string | null {
  if (message === undefined && shipment === undefined) return null;
  return JSON.stringify({ message, ...shipment });
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
