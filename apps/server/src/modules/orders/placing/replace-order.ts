import type { UnitOfWork } from "../../../platform/database/database.ts";
import type { Refusal } from "../../../platform/refusal.ts";
import type { Stock } from "../../catalogue/index.ts";
import { noOrderForKey } from "../keys/check-order-key.ts";
import type { PaymentHooks } from "../payment-hooks.ts";
import {
  keyReused,
  type PlaceOrderDependencies,
  type PlaceOrderOutcome,
  type PlaceOrderRequest,
  placeAll,
} from "./place-order.ts";

/** Rolls the transaction back, so that the earlier order is kept if no new one is placed. */
class NotPlaced extends Error {
  readonly refusal: Refusal;
  constructor(refusal: Refusal) {
    super("no order was placed");
    this.refusal = refusal;
  }
}

export type ReplaceOrder = ReturnType<typeof createReplaceOrder>;

/**
 * Cancels an unpaid order and places another one, in one transaction. The caller has checked the
 * key of the order to cancel. If that order is already cancelled, the new one is still placed, so
 * the request can be retried.
 */
export function createReplaceOrder({
  cancelOrder,
  ...placeDependencies
}: PlaceOrderDependencies & Pick<PaymentHooks, "cancelOrder">) {
  return async (replacedId: string, request: PlaceOrderRequest): Promise<PlaceOrderOutcome> => {
    let placed: PlaceOrderOutcome | undefined;
    const sameTransaction = {
      beforeCancelling: (unit: UnitOfWork) =>
        lockItems(unit, replacedId, request, placeDependencies.stock),
      async afterCancelling(unit: UnitOfWork) {
        [placed] = await placeAll(unit, [request], placeDependencies);
        if (placed === undefined) throw new Error("no outcome for the new order");
        // The key and the body are those of the order that is cancelled here.
        if (placed.kind === "repeated" && placed.order.id === replacedId)
          throw new NotPlaced(keyReused);
        if (placed.kind === "refused") throw new NotPlaced(placed);
      },
    };
    try {
      const outcome = await cancelOrder(
        replacedId,
        { kind: "customer" },
        {
          reason: "replaced by another order",
          message: "You have placed another order instead.",
          client: request.client,
          sameTransaction,
        },
      );
      if (outcome === undefined) return noOrderForKey;
      if (outcome.kind === "refused") return outcome;
    } catch (error) {
      if (error instanceof NotPlaced) return error.refusal;
      throw error;
    }
    if (placed === undefined) throw new Error("a cancellation without a new order");
    return placed;
  };
}

/**
 * Locks the items of the cancelled and of the new order together, before any other lock on items,
 * so that two transactions cannot deadlock.
 */
async function lockItems(
  unit: UnitOfWork,
  replacedId: string,
  { body }: PlaceOrderRequest,
  stock: Stock,
): Promise<void> {
  const lines = await unit.db
    .selectFrom("order_lines")
    .select("item_id")
    .where("order_id", "=", replacedId)
    .where("taken", ">", 0)
    .execute();
  const ids = new Set([...lines, ...body.items].map(({ item_id }) => item_id));
  await stock.lockCounted(unit, [...ids]);
}
