import type { LinePieces, ReturnState, StaffReturnState } from "@keepsats/domain";
import type { CustomerReturn, OrderReturn, ReturnOffer } from "@keepsats/protocol";
import type { Database, Queries, UnitOfWork } from "../../../platform/database/database.ts";
import type { EmitEvents } from "../../../platform/outbox/emit-events.ts";
import type { Clock } from "../../../platform/scheduling/clock.ts";
import type { Actor } from "../../staff/index.ts";
import type { AmendOrder } from "../amend-order.ts";
import type { Order } from "../order.ts";
import { actorColumns, findOrder } from "../order-repository.ts";
import {
  findReturnableOrders,
  findReturns,
  insertReturn,
  updateReturn,
} from "./return-repository.ts";
import {
  type OpeningDecision,
  openingByCustomer,
  openingByStaff,
  type ReturnableOrder,
  type ReturnMoveDecision,
  type ReturnRefundDecision,
  type ReturnRefusal,
  returnMoveOf,
  returnOfferOf,
  returnRefundOf,
} from "./rules.ts";

interface NewReturn {
  readonly orderId: string;
  readonly lines: LinePieces[];
  readonly reason: string;
}

export type OpenReturnOutcome =
  | { readonly kind: "opened"; readonly id: string; readonly state: ReturnState }
  | ReturnRefusal
  | { readonly kind: "not-found" };

interface ReturnMove {
  readonly orderId: string;
  readonly returnId: string;
  readonly to: StaffReturnState;
  readonly by: Actor;
  /** The text for the customer about the new state. */
  readonly message?: string | undefined;
  /** The state as last read. */
  readonly expected?: string | undefined;
}

export type MoveReturnOutcome =
  | ReturnMoveDecision
  | { readonly kind: "not-found" | "unknown-return" };

/** A refund of a received return, inside the transaction of the refund. */
export type RefundReturn = (
  unit: UnitOfWork,
  refund: {
    readonly orderId: string;
    readonly returnId: string;
    readonly refundId: string;
    readonly lines: readonly LinePieces[];
  },
) => Promise<ReturnRefundDecision | { readonly kind: "unknown-return" }>;

/** What the holder of an order's key sees of its returns. */
export interface CustomerReturns {
  readonly returns: CustomerReturn[] | undefined;
  readonly return_offer: ReturnOffer | undefined;
}

interface Dependencies {
  readonly database: Database;
  readonly amendOrder: AmendOrder;
  readonly emitEvents: EmitEvents;
  readonly now: Clock;
  readonly newId: () => string;
  /** The return period in days; 0 if customers cannot request returns. */
  readonly returnDays: () => number;
}

export type Returns = ReturnType<typeof createReturns>;

/** The changes of one order's returns, refunds and status wait for one another. */
export function createReturns(dependencies: Dependencies) {
  const { database, now, returnDays } = dependencies;
  const period = () => ({ days: returnDays(), now: now() });

  const refund: RefundReturn = async (unit, { orderId, returnId, refundId, lines }) => {
    const found = await findReturn(unit.db, orderId, returnId);
    if (found === undefined) return { kind: "unknown-return" };
    const decision = returnRefundOf(found, lines);
    if (decision.kind !== "moved") return decision;
    const change = { state: "refunded", message: null, changed_at: now() } as const;
    await updateReturn(unit, returnId, { ...change, refund_id: refundId });
    return decision;
  };

  return {
    /** A customer requests a return. */
    request: (request: NewReturn) =>
      openReturn(
        dependencies,
        { ...request, state: "requested", by: { kind: "customer" } },
        (order) => openingByCustomer(order, request.lines, period()),
      ),
    /** Staff open a return, which is accepted. */
    open: (request: NewReturn & { readonly by: Actor; readonly message?: string | undefined }) =>
      openReturn(dependencies, { ...request, state: "accepted" }, (order) =>
        openingByStaff(order, request.lines),
      ),
    /** Staff accept or decline a return, or receive its items. */
    move: ({ orderId, returnId, to, by, message, expected }: ReturnMove) =>
      database.inTransaction(async (unit): Promise<MoveReturnOutcome> => {
        await unit.lock(orderId);
        const order = await findOrder(unit.db, orderId);
        if (order === undefined) return { kind: "not-found" };
        const found = await findReturn(unit.db, orderId, returnId);
        if (found === undefined) return { kind: "unknown-return" };
        const decision = returnMoveOf(found, to, expected);
        if (decision.kind !== "moved") return decision;
        const change = { state: to, message: message ?? null, changed_at: now() };
        await updateReturn(unit, returnId, change);
        const { lines } = found;
        await record(unit, { order, id: returnId, state: to, lines, by, message }, dependencies);
        return decision;
      }),
    refund,
    /** Reads what customers see, by order id; without orders that have no return and no offer. */
    async forCustomers(
      db: Queries,
      orders: readonly Order[],
    ): Promise<Map<string, CustomerReturns>> {
      const shipped = orders.filter(({ status }) => status === "Shipped" || status === "Delivered");
      const found = await findReturnableOrders(db, shipped);
      return new Map(
        [...found.values()].map((order) => [
          order.id,
          {
            returns: order.returns.length === 0 ? undefined : order.returns.map(customerReturn),
            return_offer: returnOfferOf(order, period()),
          },
        ]),
      );
    },
  };
}

interface OpenedReturn extends NewReturn {
  readonly state: "requested" | "accepted";
  readonly by: Actor;
  readonly message?: string | undefined;
}

function openReturn(
  dependencies: Dependencies,
  { orderId, state, lines, reason, message, by }: OpenedReturn,
  decide: (order: ReturnableOrder) => OpeningDecision,
): Promise<OpenReturnOutcome> {
  const { database, now, newId } = dependencies;
  return database.inTransaction(async (unit): Promise<OpenReturnOutcome> => {
    await unit.lock(orderId);
    const order = await findOrder(unit.db, orderId);
    if (order === undefined) return { kind: "not-found" };
    const returnable = (await findReturnableOrders(unit.db, [order])).get(orderId);
    if (returnable === undefined) return { kind: "not-found" };
    const decision = decide(returnable);
    if (decision.kind !== "opened") return decision;
    const id = newId();
    const at = now();
    await insertReturn(unit, {
      id,
      order_id: orderId,
      state,
      lines,
      reason,
      message: message ?? null,
      ...actorColumns(by),
      opened_at: at,
      changed_at: at,
    });
    await record(unit, { order, id, state, lines, by, reason, message }, dependencies);
    return { kind: "opened", id, state };
  });
}

async function findReturn(
  db: Queries,
  orderId: string,
  returnId: string,
): Promise<OrderReturn | undefined> {
  const returns = (await findReturns(db, [orderId])).get(orderId) ?? [];
  return returns.find(({ id }) => id === returnId);
}

interface ReturnChange {
  readonly order: Order;
  readonly id: string;
  readonly state: "requested" | StaffReturnState;
  readonly lines: readonly LinePieces[];
  readonly by: Actor;
  readonly reason?: string | undefined;
  readonly message?: string | undefined;
}

/** Stores the order event and the domain event of a return's new state. */
async function record(
  unit: UnitOfWork,
  { order, id, state, lines, by, reason, message }: ReturnChange,
  { amendOrder, emitEvents }: Pick<Dependencies, "amendOrder" | "emitEvents">,
): Promise<void> {
  const pieces = lines.map(({ item_id, quantity }) => ({
    name: order.items.find((item) => item.id === item_id)?.name ?? item_id,
    quantity,
  }));
  const data = { return_id: id, message, pieces };
  await amendOrder(unit, { orderId: order.id, kind: `return-${state}`, by, reason, data });
  const event = { type: `return.${state}`, subject: order.id, data: { return_id: id } } as const;
  await emitEvents(unit, [event]);
}

function customerReturn(orderReturn: OrderReturn): CustomerReturn {
  const { id, state, lines, message, opened_at, changed_at } = orderReturn;
  return { id, state, lines, message, opened_at, changed_at };
}
