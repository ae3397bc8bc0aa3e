import { CSPProvider } from "@base-ui/react/csp-provider";
import { ErrorBoundary } from "@keepsats/ui/error-boundary.tsx";
import { retryFailedLoads } from "@keepsats/ui/lazy-component.ts";
import { createToasts, ToastsContext } from "@keepsats/ui/toasts.ts";
import { type QueryClient, QueryClientProvider } from "@tanstack/react-query";
import { type ReactNode, useState } from "react";
import { BrowserRouter, Navigate, useLocation } from "react-router";
import {
  CheckoutSessionContext,
  createCheckoutSession,
} from "../features/checkout/checkout-session.ts";
import { Payments, PaymentsContext } from "../features/payment-widget/payments.ts";
import { createOwnOrders, OwnOrdersContext } from "../lib/own-orders.ts";
import { checkout, correctAddress, order, orderFollower } from "./lazy-components.ts";
import { type Settings, SettingsContext } from "./page-config.ts";
import { VisitContext } from "./page-heading.ts";
import { ShopRoute } from "./routes/shop.tsx";
import { screenAt } from "./screen-path.ts";
import { Shell } from "./shell.tsx";

/** The whole web app. @param queries may have been filled with what the first screen shows */
export function App({ settings, queries }: Omit<AppProvidersProps, "children">) {
  return (
    <AppProviders settings={settings} queries={queries}>
      <ErrorBoundary onRetry={retryFailedLoads}>
        <BrowserRouter>
          <Shell>
            <Screen />
          </Shell>
        </BrowserRouter>
      </ErrorBoundary>
    </AppProviders>
  );
}

/** The screen of the address. */
function Screen() {
  const { pathname } = useLocation();
  switch (screenAt(pathname)) {
    case "/":
      return <ShopRoute />;
    case "/checkout":
      return <checkout.Component OrderFollower={orderFollower.Component} />;
    case "/order":
      return <order.Component addressForm={correctAddress} />;
    case undefined:
      return <Navigate to="/" replace />;
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
  const [{ toasts, ownOrders, checkoutSession, payments, visit }] = useState(createSharedState);
  return (
    <SettingsContext value={settings}>
      <CSPProvider disableStyleElements>
        <QueryClientProvider client={queries}>
          <ToastsContext value={toasts}>
            <OwnOrdersContext value={ownOrders}>
              <CheckoutSessionContext value={checkoutSession}>
                <PaymentsContext value={payments}>
                  <VisitContext value={visit}>{children}</VisitContext>
                </PaymentsContext>
              </CheckoutSessionContext>
            </OwnOrdersContext>
          </ToastsContext>
        </QueryClientProvider>
      </CSPProvider>
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
    visit: { hasShownScreen: false },
  };
}
