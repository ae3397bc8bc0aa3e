import { retryWhileUnavailable } from "@keepsats/client";
import { ErrorBoundary } from "@keepsats/ui/error-boundary.tsx";
import { createToasts, ToastsContext } from "@keepsats/ui/toasts.ts";
import { QueryClient, QueryClientProvider } from "@tanstack/react-query";
import { type ReactNode, useState } from "react";
import {
  CheckoutSessionContext,
  createCheckoutSession,
} from "../features/checkout/checkout-session.ts";
import { createPayments, PaymentsContext } from "../features/payment-widget/payments.ts";
import { type PageSettings, PageSettingsContext } from "../lib/page-settings.ts";
import { Router, useLocation } from "../lib/router.tsx";
import { createSavedOrders, SavedOrdersContext } from "../lib/saved-orders.ts";
import { ShopRoute } from "./routes/shop.tsx";
import { checkoutScreen, orderScreen, screenAt } from "./screens.ts";
import { Shell } from "./shell.tsx";

/** @param queries may have prefetched the queries of the first screen */
export function App({ settings, queries }: Omit<AppProvidersProps, "children">) {
  return (
    <AppProviders settings={settings} queries={queries}>
      <ErrorBoundary>
        <Router>
          <Shell>
            <Screen />
          </Shell>
        </Router>
      </ErrorBoundary>
    </AppProviders>
  );
}

/** The screen of the current URL. */
function Screen() {
  const { pathname } = useLocation();
  switch (screenAt(pathname)) {
    case "/":
    case undefined:
      return <ShopRoute />;
    case "/checkout":
      return <checkoutScreen.Component />;
    case "/order":
      return <orderScreen.Component />;
  }
}

interface AppProvidersProps {
  readonly settings: PageSettings;
  readonly queries: QueryClient;
  readonly children: ReactNode;
}

/** Provides the state that all screens share. The state survives a screen that fails. */
export function AppProviders({ settings, queries, children }: AppProvidersProps) {
  const [{ toasts, savedOrders, checkoutSession, payments }] = useState(createSharedState);
  return (
    <PageSettingsContext value={settings}>
      <QueryClientProvider client={queries}>
        <ToastsContext value={toasts}>
          <SavedOrdersContext value={savedOrders}>
            <CheckoutSessionContext value={checkoutSession}>
              <PaymentsContext value={payments}>{children}</PaymentsContext>
            </CheckoutSessionContext>
          </SavedOrdersContext>
        </ToastsContext>
      </QueryClientProvider>
    </PageSettingsContext>
  );
}

function createSharedState() {
  return {
    toasts: createToasts(),
    savedOrders: createSavedOrders(typeof window === "undefined" ? undefined : window),
    checkoutSession: createCheckoutSession(),
    payments: createPayments(),
  };
}

/**
 * Queries are fetched once and cached while the page is open. With `networkMode: "always"` a call
 * fails at once while the browser is offline. By default it would be paused and sent later, when
 * the customer may have cancelled it.
 */
export function createQueryClient(): QueryClient {
  return new QueryClient({
    defaultOptions: {
      queries: {
        ...retryWhileUnavailable,
        networkMode: "always",
        staleTime: Number.POSITIVE_INFINITY,
        gcTime: Number.POSITIVE_INFINITY,
        refetchOnWindowFocus: false,
      },
      mutations: { networkMode: "always" },
    },
  });
}
