import type { LinePieces, ReturnState, StaffReturnState } from "@keepsats/domain";
import type { NewReturn, OrderReturn, ReturnRequest, SubscribedOrder } from "@keepsats/protocol";
import type { Queries, UnitOfWork } from "../../../platform/database/database.ts";
import { hashedId } from "../../../platform/database/hashed-id.ts";
import type { Platform } from "../../../platform/platform.ts";
import { idempotencyConflict, Refusal } from "../../../platform/refusal.ts";
import type { Actor } from "../../staff/index.ts";
import type { AmendOrder } from "../changing/amend-order.ts";
import type { Order } from "../order.ts";
import { actorColumns, lockOrder } from "../order-repository.ts";
import { sumOfPieces } from "../placing/quote.ts";
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
  restockErrors,
  returnMoveOf,
  returnOfferOf,
  returnRefundOf,
} from "./rules.ts";

interface OpenedReturn extends NewReturn {
  readonly orderId: string;
  readonly by: Actor;
  readonly idempotencyKey?: string | undefined;
}

/**
 * `repeated`: an earlier request with the same key opened it. `undefined`: there is no such order.
 */
type OpenReturnOutcome =
  | {
      readonly kind: "opened" | "repeated";
      readonly id: string;
      readonly state: OrderReturn["state"];
    }
  | Refusal
  | undefined;

export const UNKNOWN_RETURN = "The order has no return with this id.";

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

/** `unchanged`: it is withdrawn already. `undefined`: there is no such order. */
type MoveReturnOutcome = ReturnMoveDecision | { readonly kind: "unchanged" } | undefined;

interface ReturnRefund {
  readonly orderId: string;
  readonly returnId: string;
  readonly refundId: string;
  readonly lines: readonly LinePieces[];
}

interface ReturnChange extends Pick<OpenedReturn, "lines" | "by" | "message"> {
  readonly id: string;
  readonly state: Exclude<ReturnState, "refunded">;
  readonly reason?: string | undefined;
  /** The pieces that were added to the stock. */
  readonly restocked?: readonly LinePieces[];
}

/** What the holder of an order's key sees of its returns. */
export type CustomerReturns = Pick<SubscribedOrder, "returns" | "return_offer">;

export type Returns = ReturnType<typeof createReturns>;

/**
 * The changes of one order's returns, refunds and status wait for one another.
 *
 * @param returnDays the return period in days; 0 if customers cannot request returns
 */
export function createReturns({
  database,
  amendOrder,
  restockLines,
  now,
  newId,
  returnDays,
}: Pick<Platform, "database" | "now" | "newId"> & {
  readonly amendOrder: AmendOrder;
  readonly restockLines: RestockLines;
  readonly returnDays: () => number;
}) {
  const period = () => ({ days: returnDays(), now: now() });

  /** Stores the order event and the domain event of a return's new state. */
  async function storeEvents(
    unit: UnitOfWork,
    order: Order,
    { id, state, lines, by, reason, message, restocked = [] }: ReturnChange,
  ): Promise<void> {
    const pieces = lines.map(({ item_id, quantity }) => ({
      name: order.items.find((item) => item.id === item_id)?.name ?? item_id,
      quantity,
      restocked: restocked.find((line) => line.item_id === item_id)?.quantity,
    }));
    await amendOrder(unit, {
      orderId: order.id,
      kind: `return-${state}`,
      by,
      reason,
      data: { return_id: id, message, pieces },
      emits: { type: `return.${state}`, data: { return_id: id } },
    });
  }

  /** Records the refund of a received return, inside the transaction of the refund. */
  async function markRefunded(
    unit: UnitOfWork,
    { orderId, returnId, refundId, lines }: ReturnRefund,
  ): Promise<ReturnMoveDecision> {
    const found = await findReturn(unit.db, orderId, returnId);
    if (found === undefined) {
      const message = "is not a return of this order";
      return new Refusal("invalid", { errors: [{ path: "return_id", message }] });
    }
    const decision = returnRefundOf(found, lines);
    if (decision.kind !== "moved") return decision;
    const change = { state: "refunded", message: null, changed_at: now() } as const;
    await updateReturn(unit, returnId, { ...change, refund_id: refundId });
    return decision;
  }

  /**
   * Opens a return: a customer requests it, or staff open it, and it is accepted. Repeated requests
   * with the same idempotency key open one return.
   */
  function open({ idempotencyKey: key, ...opened }: OpenedReturn): Promise<OpenReturnOutcome> {
    const { orderId, lines, reason, message, by } = opened;
    const id = key === undefined ? newId() : hashedId("return", orderId, key);
    return database.inTransaction(async (unit): Promise<OpenReturnOutcome> => {
      const order = await lockOrder(unit, orderId);
      if (order === undefined) return undefined;
      const returnable = (await findReturnableOrders(unit.db, [order])).get(orderId);
      if (returnable === undefined) return undefined;
      const earlier = returnable.returns.find((one) => one.id === id);
      if (earlier !== undefined)
        return isRepeated(earlier, opened)
          ? { kind: "repeated", id, state: earlier.state }
          : idempotencyConflict("for a different return of this order");
      const isRequest = by.kind === "customer";
      const decision = isRequest
        ? openingByCustomer(returnable, lines, period())
        : openingByStaff(returnable, lines);
      if (decision.kind !== "opened") return decision;
      const state = isRequest ? "requested" : "accepted";
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
      await storeEvents(unit, order, { ...opened, id, state });
      return { kind: "opened", id, state };
    });
  }

  /** Staff accept, decline or complete a return, or receive its items; a customer withdraws it. */
  function move(change: ReturnMove): Promise<MoveReturnOutcome> {
    const { orderId, returnId, to, by, message, expected, restock = [] } = change;
    return database.inTransaction(async (unit): Promise<MoveReturnOutcome> => {
      const order = await lockOrder(unit, orderId);
      if (order === undefined) return undefined;
      const orderReturn = await findReturn(unit.db, orderId, returnId);
      if (orderReturn === undefined) return new Refusal("not_found", { detail: UNKNOWN_RETURN });
      if (to === "withdrawn" && orderReturn.state === to) return { kind: "unchanged" };
      const decision = returnMoveOf(orderReturn, to, expected);
      if (decision.kind !== "moved") return decision;
      const errors = restockErrors(orderReturn, restock);
      if (errors.length > 0) return new Refusal("invalid", { errors });
      const moved = { state: to, message: message ?? null, changed_at: now() };
      await updateReturn(unit, returnId, moved);
      const counted = await restockLines(unit, orderId, sumOfPieces(restock));
      const restocked = restock.filter(({ item_id }) => counted.has(item_id));
      const { lines } = orderReturn;
      await storeEvents(unit, order, { id: returnId, state: to, lines, by, message, restocked });
      return decision;
    });
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
          returns: order.returns.length === 0 ? undefined : [...order.returns],
          return_offer: returnOfferOf(order, period()),
        },
      ]),
    );
  }

  return { open, move, markRefunded, forCustomers };
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
