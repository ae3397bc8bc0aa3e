import { ErrorBoundary } from "@keepsats/ui/error-boundary.tsx";
import { type MouseEvent, type ReactNode, Suspense } from "react";
import { useCart } from "../lib/cart-store.ts";
import { useItems } from "../lib/items.ts";
import { Link, useLocation } from "../lib/router.tsx";
import { Footer } from "./footer.tsx";
import { useRecordPayments } from "./purchases.ts";
import { toaster, usePreloadNextScreen } from "./screens.ts";
import { TopBar } from "./top-bar.tsx";

/** Keeps `#main` out of the URL: on the order page the fragment is the order's key. */
function skipToMain(event: MouseEvent): void {
  event.preventDefault();
  focusMain();
}

function focusMain(): void {
  document.getElementById("main")?.focus();
}

/** Announces each change of the cart to screen readers. */
function CartAnnouncer() {
  return (
    <p role="status" className="sr-only">
      {useCart().announcement}
    </p>
  );
}

/** The place of the screen, below the top bar. */
export function Main({ children }: { children: ReactNode }) {
  return (
    <main
      id="main"
      tabIndex={-1}
      className="mx-auto w-full max-w-page grow px-4 pt-8 pb-24 sm:px-8 sm:pt-12 print:p-0"
    >
      {children}
    </main>
  );
}

/** The parts around every screen. Loads the items, whichever screen is opened first. */
export function Shell({ children }: { children: ReactNode }) {
  const { pathname } = useLocation();
  useItems();
  useRecordPayments();
  usePreloadNextScreen();
  return (
    <>
      <Link
        to="#main"
        onClick={skipToMain}
        className="print:hidden fixed top-2 left-4 z-50 -translate-y-20 rounded-md bg-ink px-4 py-2 text-paper focus:translate-y-0"
      >
        Skip to content
      </Link>
      <TopBar />
      <Main>
        {/* The retry button disappears on a click, so the focus moves to the place of the screen. */}
        <ErrorBoundary resetKey={pathname} onRetry={focusMain}>
          <Suspense fallback={<div className="min-h-dvh" />}>{children}</Suspense>
        </ErrorBoundary>
      </Main>
      <Footer />
      <CartAnnouncer />
      <ErrorBoundary resetKey={pathname} fallback={null}>
        <Suspense>
          <toaster.Component />
        </Suspense>
      </ErrorBoundary>
    </>
  );
}
