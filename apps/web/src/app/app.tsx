import { ErrorBoundary } from "@keepsats/ui/error-boundary.tsx";
import { retryFailedLoads } from "@keepsats/ui/lazy-component.ts";
import { createToasts, ToastsContext } from "@keepsats/ui/toasts.ts";
import { type QueryClient, QueryClientProvider } from "@tanstack/react-query";
import { type ReactNode, useState } from "react";
import {
  CheckoutSessionContext,
  createCheckoutSession,
} from "../features/checkout/checkout-session.ts";
import { Payments, PaymentsContext } from "../features/payment-widget/payments.ts";
import { createOwnOrders, OwnOrdersContext } from "../lib/own-orders.ts";
import { Router, useLocation } from "../lib/router.tsx";
import { type Settings, SettingsContext } from "./page-config.ts";
import { ShopRoute } from "./routes/shop.tsx";
import { checkout, correctAddress, order, screenAt } from "./screens.ts";
import { Shell } from "./shell.tsx";

/** The whole web app. @param queries may have been filled with what the first screen shows */
export function App({ settings, queries }: Omit<AppProvidersProps, "children">) {
  return (
    <AppProviders settings={settings} queries={queries}>
      <ErrorBoundary onRetry={retryFailedLoads}>
        <Router>
          <Shell>
            <Screen />
          </Shell>
        </Router>
      </ErrorBoundary>
    </AppProviders>
  );
}

/** The screen of the address. */
function Screen() {
  const { pathname } = useLocation();
  switch (screenAt(pathname)) {
    case "/":
    case undefined:
      return <ShopRoute />;
    case "/checkout":
      return <checkout.Component />;
    case "/order":
      return <order.Component addressForm={correctAddress} />;
  }
}

interface AppProvidersProps {
  readonly settings: Settings;
  readonly queries: QueryClient;
  readonly children: ReactNode;
}

/**
 * Creates the state that all screens share and provides it to them. The state survives a screen
 * that fails.
 */
export function AppProviders({ settings, queries, children }: AppProvidersProps) {
  const [{ toasts, ownOrders, checkoutSession, payments }] = useState(createSharedState);
  return (
    <SettingsContext value={settings}>
      <QueryClientProvider client={queries}>
        <ToastsContext value={toasts}>
          <OwnOrdersContext value={ownOrders}>
            <CheckoutSessionContext value={checkoutSession}>
              <PaymentsContext value={payments}>{children}</PaymentsContext>
            </CheckoutSessionContext>
          </OwnOrdersContext>
        </ToastsContext>
      </QueryClientProvider>
    </SettingsContext>
  );
}

function createSharedState() {
  const ownOrders = createOwnOrders(typeof window === "undefined" ? undefined : window);
  return {
    toasts: createToasts(() => performance.now()),
    ownOrders,
    checkoutSession: createCheckoutSession(ownOrders),
    payments: new Payments(),
  };
}
