import { removeBoughtFromBasket } from "../features/basket/basket-store.ts";
import { completePurchase, useCheckoutSession } from "../features/checkout/checkout-session.ts";
import { lastPopup } from "../features/payment-widget/payments.ts";

/**
 * @returns a function that completes the purchase of an order, if it is not complete: what was
 *   bought leaves the basket
 */
export function useCompletePurchase(): (orderId: string) => void {
  const session = useCheckoutSession();
  return (orderId) => {
    const bought = completePurchase(session, orderId);
    if (bought === undefined) return;
    removeBoughtFromBasket(bought);
    lastPopup.clear();
  };
}
