import { ErrorBoundary } from "@keepsats/ui/error-boundary.tsx";
import { retryFailedLoads } from "@keepsats/ui/lazy-component.ts";
import { Link } from "@keepsats/ui/link.tsx";
import { type MouseEvent, type ReactNode, Suspense } from "react";
import { useLocation } from "react-router";
import { BasketAnnouncer } from "../features/basket/basket-announcer.tsx";
import { useItems } from "../features/catalogue/items-query.ts";
import { Footer } from "./footer.tsx";
import { toaster, usePreloadNextScreen } from "./lazy-components.ts";
import { NotLoaded } from "./not-loaded.tsx";
import { usePageConfig } from "./page-config.ts";
import { TopBar } from "./top-bar.tsx";
import { useRecordPayments } from "./use-record-payments.ts";
import { useSupersedePlacedOrders } from "./use-supersede-placed-orders.ts";

/** Keeps `#main` out of the address: on the order page the fragment holds the order's key. */
function skipToMain(event: MouseEvent): void {
  event.preventDefault();
  focusMain();
}

function focusMain(): void {
  document.getElementById("main")?.focus();
}

/** The retry button disappears on a click, so the focus moves to where the screen will be. */
function retryScreen(): void {
  retryFailedLoads();
  focusMain();
}

function SkipLink() {
  return (
    <Link
      to="#main"
      onClick={skipToMain}
      className="print:hidden fixed top-2 left-4 z-50 -translate-y-20 rounded-md bg-ink px-4 py-2 text-paper focus:translate-y-0"
    >
      Skip to content
    </Link>
  );
}

interface ShellProps {
  /**
   * Whether this is the HTML that is shown before the JavaScript has loaded. It has no skip link,
   * because nothing would keep `#main` out of the address; and no footer, which is below the
   * visible part.
   */
  readonly isFrame?: boolean;
  readonly children: ReactNode;
}

/**
 * What surrounds every screen: top bar, footer, toasts, announcements. Loads the items once,
 * whichever screen is opened first.
 */
export function Shell({ isFrame = false, children }: ShellProps) {
  const { shopName, logo } = usePageConfig();
  const { pathname } = useLocation();
  useItems();
  useSupersedePlacedOrders();
  useRecordPayments();
  usePreloadNextScreen();
  return (
    <>
      {isFrame ? <NotLoaded /> : <SkipLink />}
      <TopBar shopName={shopName} logo={logo} />
      <main
        id="main"
        tabIndex={-1}
        className="mx-auto w-full max-w-6xl grow px-4 pt-8 pb-24 sm:px-8 sm:pt-12 print:p-0"
      >
        <ErrorBoundary resetKey={pathname} onRetry={retryScreen}>
          <Suspense fallback={<div className="min-h-dvh" />}>{children}</Suspense>
        </ErrorBoundary>
      </main>
      {!isFrame && <Footer />}
      <BasketAnnouncer />
      <ErrorBoundary resetKey={pathname} fallback={null}>
        <Suspense>
          <toaster.Component />
        </Suspense>
      </ErrorBoundary>
    </>
  );
}
