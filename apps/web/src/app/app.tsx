import { CSPProvider } from "@base-ui/react/csp-provider";
import { QueryClientProvider } from "@tanstack/react-query";
import { type ReactNode, useState } from "react";
import { BrowserRouter, Navigate, Route, Routes } from "react-router";
import { CheckoutSessionContext, createCheckoutSession } from "../features/checkout/checkout-session.ts";
import { Payments, PaymentsContext } from "../features/payment-widget/payments.ts";
import { createQueryClient } from "../lib/queries.ts";
import { ErrorBoundary } from "../ui/error-boundary.tsx";
import { createToasts, ToastsContext } from "../ui/toasts.ts";
import { type Settings, SettingsContext } from "./page-config.ts";
import { VisitContext } from "./page-heading.ts";
import { checkout, order, retryParts } from "./parts.ts";
import { ShopRoute } from "./routes/shop.tsx";
import { Shell } from "./shell.tsx";

/** The whole web app. */
export function App({ settings }: { settings: Settings }) {
  return (
    <Owner settings={settings}>
      <ErrorBoundary onRetry={retryParts}>
        <BrowserRouter>
          <Screens />
        </BrowserRouter>
      </ErrorBoundary>
    </Owner>
  );
}

/** The screens and their paths, below a router. */
export function Screens() {
  return (
    <Routes>
      <Route element={<Shell />}>
        <Route index element={<ShopRoute />} />
        <Route path="checkout" element={<checkout.Component />} />
        <Route path="order" element={<order.Component />} />
        <Route path="*" element={<Navigate to="/" replace />} />
      </Route>
    </Routes>
  );
}

interface OwnerProps {
  readonly settings: Settings;
  readonly children: ReactNode;
}

/** Owns what outlives the screens, also where one of them fails. */
export function Owner({ settings, children }: OwnerProps) {
  const [{ queries, toasts, checkoutSession, payments, visit }] = useState(() => ({
    queries: createQueryClient(),
    toasts: createToasts(() => performance.now()),
    checkoutSession: createCheckoutSession(),
    payments: new Payments(),
    visit: { hasShownScreen: false },
  }));
  return (
    <SettingsContext value={settings}>
      <CSPProvider disableStyleElements>
        <QueryClientProvider client={queries}>
          <ToastsContext value={toasts}>
            <CheckoutSessionContext value={checkoutSession}>
              <PaymentsContext value={payments}>
                <VisitContext value={visit}>{children}</VisitContext>
              </PaymentsContext>
            </CheckoutSessionContext>
          </ToastsContext>
        </QueryClientProvider>
      </CSPProvider>
    </SettingsContext>
  );
}
