import type { LinePieces, ReturnState, StaffReturnState } from "@keepsats/domain";
import type {
  CustomerReturn,
  NewReturn,
  OrderReturn,
  ReturnOffer,
  ReturnRequest,
} from "@keepsats/protocol";
import type { Database, Queries, UnitOfWork } from "../../../platform/database/database.ts";
import { hashedId } from "../../../platform/database/hashed-id.ts";
import type { EmitEvents } from "../../../platform/outbox/emit-events.ts";
import type { Clock } from "../../../platform/scheduling/clock.ts";
import type { Actor } from "../../staff/index.ts";
import type { AmendOrder } from "../amend-order.ts";
import type { Order } from "../order.ts";
import { actorColumns, lockOrder } from "../order-repository.ts";
import { sumOfPieces } from "../quote.ts";
import type { RestockLines } from "../refund-lines.ts";
import {
  findReturnableOrders,
  findReturnsOfOrder,
  insertReturn,
  updateReturn,
} from "./return-repository.ts";
import {
  openingByCustomer,
  openingByStaff,
  type ReturnMoveDecision,
  type ReturnRefundDecision,
  type ReturnRefusal,
  restockErrors,
  returnMoveOf,
  returnOfferOf,
  returnRefundOf,
  type WrongLines,
} from "./rules.ts";

interface ReturnToOpen extends NewReturn {
  readonly orderId: string;
  readonly by: Actor;
  /** A repeated request with the same key opens one return. */
  readonly idempotencyKey?: string | undefined;
}

interface OpenedReturn extends Omit<ReturnToOpen, "idempotencyKey"> {
  readonly id: string;
  /** `requested` by a customer, or `accepted` because staff have opened it. */
  readonly state: "requested" | "accepted";
}

type RequestReturnOutcome =
  | { readonly kind: "opened"; readonly id: string; readonly state: ReturnState }
  | ReturnRefusal
  | { readonly kind: "not-found" };

/**
 * `repeated`: an earlier request with the same key opened it. `key-reused`: that request had other
 * lines or another reason.
 */
type OpenReturnOutcome =
  | RequestReturnOutcome
  | { readonly kind: "repeated"; readonly id: string; readonly state: OrderReturn["state"] }
  | { readonly kind: "key-reused" };

interface ReturnMove {
  readonly orderId: string;
  readonly returnId: string;
  readonly to: StaffReturnState | "withdrawn";
  readonly by: Actor;
  /** The text for the customer about the new state. */
  readonly message?: string | undefined;
  /** The state as last read. */
  readonly expected?: string | undefined;
  /** The pieces of a completed return that return to the stock. */
  readonly restock?: readonly LinePieces[] | undefined;
}

type MoveReturnOutcome =
  | ReturnMoveDecision
  | WrongLines
  | { readonly kind: "not-found" | "unknown-return" };

/** `unchanged`: it is withdrawn already. */
type WithdrawReturnOutcome = MoveReturnOutcome | { readonly kind: "unchanged" };

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
  readonly restockLines: RestockLines;
  readonly now: Clock;
  readonly newId: () => string;
  /** The return period in days; 0 if customers cannot request returns. */
  readonly returnDays: () => number;
}

export type Returns = ReturnType<typeof createReturns>;

/** The changes of one order's returns, refunds and status wait for one another. */
export function createReturns(dependencies: Dependencies) {
  const { database, restockLines, now, newId, returnDays } = dependencies;
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

  /** A customer requests a return. */
  function request(
    requested: ReturnRequest & { readonly orderId: string },
  ): Promise<RequestReturnOutcome> {
    const opened = {
      ...requested,
      id: newId(),
      state: "requested",
      by: { kind: "customer" },
    } as const;
    return database.inTransaction((unit) => openReturn(unit, opened));
  }

  /** Staff open a return, which is accepted. */
  function open({ idempotencyKey: key, ...opened }: ReturnToOpen): Promise<OpenReturnOutcome> {
    return database.inTransaction(async (unit): Promise<OpenReturnOutcome> => {
      const { orderId } = opened;
      const id = key === undefined ? newId() : hashedId("return", orderId, key);
      await unit.lock(orderId);
      const earlier = key === undefined ? undefined : await findReturn(unit.db, orderId, id);
      if (earlier !== undefined)
        return isRepeated(earlier, opened)
          ? { kind: "repeated", id, state: earlier.state }
          : { kind: "key-reused" };
      return openReturn(unit, { ...opened, id, state: "accepted" });
    });
  }

  async function openReturn(
    unit: UnitOfWork,
    { id, orderId, state, lines, reason, message, by }: OpenedReturn,
  ): Promise<RequestReturnOutcome> {
    const order = await lockOrder(unit, orderId);
    if (order === undefined) return { kind: "not-found" };
    const returnable = (await findReturnableOrders(unit.db, [order])).get(orderId);
    if (returnable === undefined) return { kind: "not-found" };
    const decision =
      state === "requested"
        ? openingByCustomer(returnable, lines, period())
        : openingByStaff(returnable, lines);
    if (decision.kind !== "opened") return decision;
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
  }

  /** Staff accept, decline or complete a return, or receive its items; a customer withdraws it. */
  function move(change: ReturnMove): Promise<MoveReturnOutcome> {
    const { orderId, returnId, to, by, message, expected, restock = [] } = change;
    return database.inTransaction(async (unit): Promise<MoveReturnOutcome> => {
      const order = await lockOrder(unit, orderId);
      if (order === undefined) return { kind: "not-found" };
      const orderReturn = await findReturn(unit.db, orderId, returnId);
      if (orderReturn === undefined) return { kind: "unknown-return" };
      const decision = returnMoveOf(orderReturn, to, expected);
      if (decision.kind !== "moved") return decision;
      const errors = restockErrors(orderReturn, restock);
      if (errors.length > 0) return { kind: "wrong-lines", errors };
      const moved = { state: to, message: message ?? null, changed_at: now() };
      await updateReturn(unit, returnId, moved);
      const counted = await restockLines(unit, orderId, sumOfPieces(restock));
      const restocked = restock.filter(({ item_id }) => counted.has(item_id));
      const { lines } = orderReturn;
      const recorded = { order, id: returnId, state: to, lines, by, message, restocked };
      await record(unit, recorded, dependencies);
      return decision;
    });
  }

  /** A customer withdraws a requested return. */
  async function withdraw(orderId: string, returnId: string): Promise<WithdrawReturnOutcome> {
    const to = "withdrawn";
    const outcome = await move({ orderId, returnId, to, by: { kind: "customer" } });
    const isWithdrawn = outcome.kind === "refused" && outcome.state === to;
    return isWithdrawn ? { kind: "unchanged" } : outcome;
  }

  /** Reads what customers see, by order id; without orders that have no return and no offer. */
  async function forCustomers(
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
  }

  return { request, open, move, withdraw, refund, forCustomers };
}

function isRepeated(earlier: OrderReturn, { lines, reason }: ReturnRequest): boolean {
  return (
    // Erasing the order removes the reason.
    (earlier.reason === null || earlier.reason === reason) &&
    earlier.lines.length === lines.length &&
    lines.every(({ item_id, quantity }) =>
      earlier.lines.some((line) => line.item_id === item_id && line.quantity === quantity),
    )
  );
}

async function findReturn(
  db: Queries,
  orderId: string,
  returnId: string,
): Promise<OrderReturn | undefined> {
  const returns = await findReturnsOfOrder(db, orderId);
  return returns.find(({ id }) => id === returnId);
}

interface ReturnChange {
  readonly order: Order;
  readonly id: string;
  readonly state: Exclude<ReturnState, "refunded">;
  readonly lines: readonly LinePieces[];
  readonly by: Actor;
  readonly reason?: string | undefined;
  readonly message?: string | undefined;
  /** The pieces that were added to the stock. */
  readonly restocked?: readonly LinePieces[];
}

/** Stores the order event and the domain event of a return's new state. */
async function record(
  unit: UnitOfWork,
  { order, id, state, lines, by, reason, message, restocked = [] }: ReturnChange,
  { amendOrder, emitEvents }: Pick<Dependencies, "amendOrder" | "emitEvents">,
): Promise<void> {
  const pieces = lines.map(({ item_id, quantity }) => ({
    name: order.items.find((item) => item.id === item_id)?.name ?? item_id,
    quantity,
    restocked: restocked.find((line) => line.item_id === item_id)?.quantity,
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
