import { buttonClasses } from "@keepsats/ui/button.tsx";
import { Link } from "@keepsats/ui/link.tsx";

/** Shown at the checkout while the cart is empty. */
export function EmptyCheckout() {
  return (
    <div className="border-y border-line py-12">
      <p className="mb-6 text-lg text-ink-soft">
        Your cart is empty. Add some items before checking out.
      </p>
      <Link to="/" className={buttonClasses("forward")}>
        Return to Shop
      </Link>
    </div>
  );
}
