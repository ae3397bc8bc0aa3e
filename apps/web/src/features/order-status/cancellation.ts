import { call, isApiError } from "@keepsats/client";
import { followedOrderSchema, orderKeyHeader, shopPaths, withId } from "@keepsats/protocol";

/** The order to be cancelled and its key. */
export interface Cancellation {
  readonly orderId: string;
  readonly key: string;
}

/**
 * Cancels an order: `POST /api/orders/:id/cancellation`. Cancelling it again changes nothing.
 *
 * @throws {ApiError} see `call` and {@link cancellationFailure}
 */
export async function cancelOrder({ orderId, key }: Cancellation): Promise<void> {
  await call({
    path: withId(shopPaths.cancellation, orderId),
    method: "POST",
    headers: { [orderKeyHeader]: key },
    body: "{}",
    answer: followedOrderSchema,
  });
}

/** Says why {@link cancelOrder} has failed and what the shopper can do. */
export function cancellationFailure(error: unknown): string {
  if (!isApiError(error) || error.status === undefined)
    return "The shop could not be reached. Please try again: nothing happens twice.";
  switch (error.problem?.code) {
    case "loan_under_way":
      return "A loan for this order is under way. You can cancel the order when that loan has ended without a payment.";
    case "transition_refused":
      return "This order is paid or already on its way, so it cannot be cancelled here. Please ask the shop.";
    case "not_found":
      return "This link does not open the order. Please open the full link to your order.";
    case "too_many":
      return "Too many attempts. Please wait a minute, then try again.";
    case "unavailable":
      return "The lender cannot be asked about your loan right now, so the order was not cancelled. Please try again in a moment.";
    default:
      return "The order could not be cancelled. Please try again.";
  }
}
