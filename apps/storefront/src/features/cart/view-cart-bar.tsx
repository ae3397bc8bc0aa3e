import { cartCount, cartTotal } from "@keepsats/domain";
import { Button } from "@keepsats/ui/button.tsx";
import { type RefObject, useEffect, useState } from "react";
import { useCart } from "../../lib/cart-store.ts";
import { Money } from "../../ui/money.tsx";

/**
 * A bar at the bottom of narrow windows that scrolls to the cart, which is below all products. It
 * is hidden while the cart is empty or in view.
 *
 * @param heading of the cart
 */
export function ViewCartBar({ heading }: { heading: RefObject<HTMLHeadingElement | null> }) {
  const { lines } = useCart();
  const isBelow = useIsBelow(heading);
  if (lines.length === 0 || !isBelow) return null;

  function viewCart(): void {
    heading.current?.focus({ preventScroll: true });
    heading.current?.scrollIntoView({ block: "start" });
  }

  return (
    <div
      data-testid="view-cart-bar"
      className="fixed inset-x-0 bottom-0 z-20 animate-arrive border-t border-line bg-paper px-4 pt-3 pb-(--bottom-bar-padding) sm:px-8 lg:hidden"
    >
      <Button kind="forward" className="w-full" onClick={viewCart}>
        <span>
          View cart · <span className="money">{cartCount(lines)}</span>
          <span className="sr-only"> {cartCount(lines) === 1 ? "item" : "items"}</span> ·{" "}
          <Money cents={cartTotal(lines)} />
        </span>
      </Button>
    </div>
  );
}

/** Whether an element is below the visible part of the page. */
function useIsBelow(target: RefObject<HTMLElement | null>): boolean {
  const [isBelow, setIsBelow] = useState(false);
  useEffect(() => {
    if (target.current === null) return;
    const observer = new IntersectionObserver(([entry]) => {
      if (entry !== undefined)
        setIsBelow(!entry.isIntersecting && entry.boundingClientRect.top > 0);
    });
    observer.observe(target.current);
    return () => observer.disconnect();
  }, [target]);
  return isBelow;
}
