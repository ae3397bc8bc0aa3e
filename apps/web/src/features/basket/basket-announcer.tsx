import { useBasketNews } from "./basket-store.ts";

/** Tells screen readers what has just changed in the basket. */
export function BasketAnnouncer() {
  return (
    <p role="status" className="sr-only">
      {useBasketNews()}
    </p>
  );
}
