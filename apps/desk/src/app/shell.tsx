import { ErrorBoundary } from "@keepsats/ui/error-boundary.tsx";
import { retryFailedLoads } from "@keepsats/ui/lazy-component.ts";
import { Suspense } from "react";
import { Outlet, useLocation } from "react-router";
import { useLive } from "../lib/live.ts";
import { Loading } from "../ui/loaded.tsx";
import { Account } from "./account.tsx";
import { LiveLabel } from "./live-label.tsx";
import { Navigation } from "./navigation.tsx";
import { PasskeyHint } from "./passkey-hint.tsx";
import { useNewOrdersTitle } from "./use-new-orders-title.ts";

const loading = <Loading />;

/**
 * What surrounds every screen: at the left of a wide window, at the top and the bottom of a phone.
 */
export function Shell() {
  const { pathname } = useLocation();
  const live = useLive(retryFailedLoads);
  useNewOrdersTitle();
  return (
    <div className="flex grow flex-col lg:flex-row">
      <a
        href="#main"
        className="fixed top-2 left-4 z-50 -translate-y-20 rounded-md bg-ink px-4 py-2 text-paper focus:translate-y-0"
      >
        Skip to content
      </a>
      <header className="flex items-center justify-between gap-4 border-line px-4 py-2 max-lg:border-b lg:sticky lg:top-0 lg:h-dvh lg:w-(--sidebar-width) lg:shrink-0 lg:flex-col lg:items-stretch lg:justify-start lg:overflow-y-auto lg:border-r lg:py-5">
        <LiveLabel state={live} />
        <Navigation />
        <Account />
      </header>
      <main
        id="main"
        tabIndex={-1}
        className="min-w-0 grow px-4 pt-5 pb-28 sm:px-6 lg:pb-10 xl:px-10"
      >
        <ErrorBoundary resetKey={`${live} ${pathname}`} onRetry={retryFailedLoads}>
          <PasskeyHint />
          <Suspense fallback={loading}>
            <Outlet />
          </Suspense>
        </ErrorBoundary>
      </main>
    </div>
  );
}

/** Surrounds what is printed: nothing but the page itself. */
export function PrintShell() {
  return (
    <main className="mx-auto w-full max-w-4xl grow p-6 print:max-w-none print:p-0">
      <ErrorBoundary onRetry={retryFailedLoads}>
        <Suspense fallback={loading}>
          <Outlet />
        </Suspense>
      </ErrorBoundary>
    </main>
  );
}
