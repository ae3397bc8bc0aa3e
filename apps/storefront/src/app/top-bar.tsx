import { cartCount } from "@keepsats/domain";
import { classes } from "@keepsats/ui/classes.ts";
import type { ReactNode } from "react";
import { useCart } from "../lib/cart-store.ts";
import { usePageSettings } from "../lib/page-settings.ts";
import { Link, useLocation } from "../lib/router.tsx";
import { SavedOrdersButton } from "./saved-orders-button.tsx";
import { type ScreenPath, screenAt } from "./screens.ts";

/**
 * The sticky bar at the top of every screen. A long name is truncated; if less than 8 rem are left
 * for it, it has its own row.
 */
export function TopBar() {
  const { shopName, logo = "/favicon.svg" } = usePageSettings();
  const count = cartCount(useCart().lines);
  return (
    <header className="sticky top-0 z-30 border-b border-line bg-paper print:hidden">
      <div className="mx-auto flex min-h-16 max-w-page flex-wrap items-center gap-x-2 gap-y-1 px-4 py-2 sm:px-8">
        <p className="flex min-w-0 grow basis-32 items-center gap-2.5 text-lg font-bold tracking-tight">
          <img src={logo} alt="" className="h-6.5 max-w-32 min-w-6.5 object-contain" />
          <span className="truncate">{shopName}</span>
        </p>
        <nav aria-label="Main" className="flex flex-wrap items-center gap-x-3.5 sm:gap-x-7">
          {/* First, so that the links do not move when it appears. */}
          <SavedOrdersButton />
          <ScreenLink to="/">Shop</ScreenLink>
          <ScreenLink to="/checkout">
            Cart
            {count > 0 && (
              <span
                key={count}
                data-testid="cart-badge"
                className="money ml-1.5 inline-flex h-5 min-w-5 animate-pop items-center justify-center rounded-full bg-badge px-1.5 text-sm font-medium text-on-badge"
              >
                {count}
                <span className="sr-only"> {count === 1 ? "item" : "items"}</span>
              </span>
            )}
          </ScreenLink>
        </nav>
      </div>
    </header>
  );
}

/** A link to a screen, underlined on that screen. */
function ScreenLink({ to, children }: { to: ScreenPath; children: ReactNode }) {
  const isActive = screenAt(useLocation().pathname) === to;
  return (
    <Link
      to={to}
      aria-current={isActive ? "page" : undefined}
      className={classes(
        "relative flex min-h-11 items-center px-1 transition-colors hover:text-ink",
        isActive
          ? "font-medium text-ink after:absolute after:inset-x-1 after:bottom-1.5 after:h-0.5 after:rounded-full after:bg-ink"
          : "text-ink-soft",
      )}
    >
      {children}
    </Link>
  );
}
