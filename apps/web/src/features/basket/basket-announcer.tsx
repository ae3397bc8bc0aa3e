import { useBasketAnnouncement } from "./basket-store.ts";

/** Announces each change of the basket to screen readers. */
export function BasketAnnouncer() {
  return (
    <p role="status" className="sr-only">
      {useBasketAnnouncement()}
    </p>
  );
}
