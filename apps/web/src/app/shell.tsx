import { type MouseEvent, Suspense } from "react";
import { Link, Outlet, useLocation } from "react-router";
import { BasketAnnouncer } from "../features/basket/basket-announcer.tsx";
import { useItems } from "../features/catalogue/items-query.ts";
import { ErrorBoundary } from "../ui/error-boundary.tsx";
import { usePageConfig } from "./page-config.ts";
import { retryParts, toaster, usePreloading } from "./parts.ts";
import { TopBar } from "./top-bar.tsx";
import { useHearPayments } from "./use-hear-payments.ts";
import { useSupersedePlacedOrders } from "./use-supersede-placed-orders.ts";

/** Goes to the content without a `#main` in the address, where an order's link has its key. */
function skipToMain(event: MouseEvent): void {
  event.preventDefault();
  focusMain();
}

function focusMain(): void {
  document.getElementById("main")?.focus();
}

/** Draws the screen again. The button that asked for it is gone then, so the focus goes to where the screen comes. */
function retryScreen(): void {
  retryParts();
  focusMain();
}

/** What stands around every screen. The items are loaded once, here, whichever screen comes first. */
export function Shell() {
  const { shopName } = usePageConfig();
  const { pathname } = useLocation();
  useItems();
  useSupersedePlacedOrders();
  useHearPayments();
  usePreloading();
  return (
    <>
      <Link
        to="#main"
        onClick={skipToMain}
        className="fixed top-2 left-4 z-50 -translate-y-20 rounded-md bg-ink px-4 py-2 text-paper focus:translate-y-0"
      >
        Skip to content
      </Link>
      <TopBar shopName={shopName} />
      <main id="main" tabIndex={-1} className="mx-auto w-full max-w-6xl px-4 pt-8 pb-24 sm:px-8 sm:pt-12">
        <ErrorBoundary resetKey={pathname} onRetry={retryScreen}>
          <Suspense fallback={<div className="min-h-dvh" />}>
            <Outlet />
          </Suspense>
        </ErrorBoundary>
      </main>
      <BasketAnnouncer />
      <ErrorBoundary resetKey={pathname} silent>
        <Suspense>
          <toaster.Component />
        </Suspense>
      </ErrorBoundary>
    </>
  );
}
