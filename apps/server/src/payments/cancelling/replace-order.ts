import type { UnitOfWork } from "../../db/database.ts";
import type { PlaceOrderOutcome, PlaceOrderRequest, PlaceWithin } from "../../orders/index.ts";
import type { CancellationOutcome, CancelOrder } from "./cancel-order.ts";

/** Why an order is not replaced; nothing is placed then. */
export type NotCancelled = Exclude<CancellationOutcome, { kind: "cancelled" | "unchanged" }>;

/** The outcome of placing the new order, or why the other one is not replaced. */
export type ReplacementOutcome =
  | PlaceOrderOutcome
  | { readonly kind: "not-cancelled"; readonly why: NotCancelled };

/**
 * Cancels the customer's unpaid order and places another one, in one transaction. The caller has
 * checked the key of the order to cancel. If that order is already cancelled, the new one is still
 * placed, so the request can be retried.
 */
export type ReplaceOrder = (
  replacedId: string,
  request: PlaceOrderRequest,
) => Promise<ReplacementOutcome>;

interface Dependencies extends PlaceWithin {
  readonly cancelOrder: CancelOrder;
}

/** Rolls the transaction back, which keeps the other order if no new one is placed. */
class NotPlaced extends Error {
  readonly outcome: PlaceOrderOutcome;
  constructor(outcome: PlaceOrderOutcome) {
    super("no order was placed");
    this.outcome = outcome;
  }
}

export function createReplaceOrder({ cancelOrder, lockItems, place }: Dependencies): ReplaceOrder {
  return async (replacedId, request) => {
    let placed: PlaceOrderOutcome | undefined;
    const together = {
      before: (unit: UnitOfWork) => lockItems(unit, request, replacedId),
      async after(unit: UnitOfWork) {
        placed = await place(unit, request);
        // The key and the body are those of the order that is cancelled here.
        if (placed.kind === "replayed" && placed.order.id === replacedId)
          throw new NotPlaced({ kind: "key-reused" });
        if (placed.kind !== "placed" && placed.kind !== "replayed") throw new NotPlaced(placed);
      },
    };
    try {
      const outcome = await cancelOrder(
        replacedId,
        { kind: "shopper" },
        {
          reason: "replaced by another order",
          message: "You have placed another order instead.",
          client: request.client,
          together,
        },
      );
      if (outcome.kind !== "cancelled" && outcome.kind !== "unchanged")
        return { kind: "not-cancelled", why: outcome };
    } catch (error) {
      if (error instanceof NotPlaced) return error.outcome;
      throw error;
    }
    if (placed === undefined) throw new Error("an order is placed with each cancellation");
    return placed;
  };
}
