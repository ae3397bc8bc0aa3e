import { CSPProvider } from "@base-ui/react/csp-provider";
import { ErrorBoundary } from "@keepsats/ui/error-boundary.tsx";
import { retryFailedLoads } from "@keepsats/ui/lazy-component.ts";
import { createToasts, ToastsContext } from "@keepsats/ui/toasts.ts";
import { QueryClientProvider } from "@tanstack/react-query";
import { type ReactNode, useState } from "react";
import { BrowserRouter, Navigate, Route, Routes } from "react-router";
import { CheckoutSessionContext, createCheckoutSession } from "../features/checkout/checkout-session.ts";
import { Payments, PaymentsContext } from "../features/payment-widget/payments.ts";
import { createOwnOrders, OwnOrdersContext } from "../lib/own-orders.ts";
import { createQueryClient } from "../lib/queries.ts";
import { checkout, correctAddress, order, orderFollower } from "./lazy-components.ts";
import { type Settings, SettingsContext } from "./page-config.ts";
import { VisitContext } from "./page-heading.ts";
import { ShopRoute } from "./routes/shop.tsx";
import { Shell } from "./shell.tsx";

/** The whole web app. */
export function App({ settings }: { settings: Settings }) {
  return (
    <AppProviders settings={settings}>
      <ErrorBoundary onRetry={retryFailedLoads}>
        <BrowserRouter>
          <Screens />
        </BrowserRouter>
      </ErrorBoundary>
    </AppProviders>
  );
}

/** The screens by path. Needs a router above it. @param isFrame see {@link Shell} */
export function Screens({ isFrame = false }: { isFrame?: boolean }) {
  return (
    <Routes>
      <Route element={<Shell isFrame={isFrame} />}>
        <Route index element={<ShopRoute />} />
        <Route path="checkout" element={<checkout.Component OrderFollower={orderFollower.Component} />} />
        <Route path="order" element={<order.Component addressForm={correctAddress} />} />
        <Route path="*" element={<Navigate to="/" replace />} />
      </Route>
    </Routes>
  );
}

interface AppProvidersProps {
  readonly settings: Settings;
  readonly children: ReactNode;
}

/** Creates the state that all screens share and provides it to them. The state survives a screen that fails. */
export function AppProviders({ settings, children }: AppProvidersProps) {
  const [{ queries, toasts, ownOrders, checkoutSession, payments, visit }] = useState(createSharedState);
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
    queries: createQueryClient(),
    toasts: createToasts(() => performance.now()),
    ownOrders,
    checkoutSession: createCheckoutSession(ownOrders),
    payments: new Payments(),
    visit: { hasShownScreen: false },
  };
}
