import { CSPProvider } from "@base-ui/react/csp-provider";
import type { PageConfig } from "@keepsats/protocol";
import { QueryClient, QueryClientProvider } from "@tanstack/react-query";
import { useState } from "react";
import { BrowserRouter, Navigate, Route, Routes } from "react-router";
import { retryWhileUnavailable } from "../lib/api.ts";
import { PageConfigContext } from "./page-config.ts";
import { checkout, order } from "./parts.ts";
import { ShopRoute } from "./routes/shop.tsx";
import { Shell } from "./shell.tsx";

/** The whole web app. */
export function App({ config }: { config: PageConfig }) {
  const [queries] = useState(
    () =>
      new QueryClient({
        defaultOptions: {
          queries: {
            ...retryWhileUnavailable,
            staleTime: Number.POSITIVE_INFINITY,
            refetchOnWindowFocus: false,
          },
        },
      }),
  );
  return (
    <PageConfigContext value={config}>
      <CSPProvider disableStyleElements>
        <QueryClientProvider client={queries}>
          <BrowserRouter>
            <Routes>
              <Route element={<Shell />}>
                <Route index element={<ShopRoute />} />
                <Route path="checkout" element={<checkout.Component />} />
                <Route path="order" element={<order.Component />} />
                <Route path="*" element={<Navigate to="/" replace />} />
              </Route>
            </Routes>
          </BrowserRouter>
        </QueryClientProvider>
      </CSPProvider>
    </PageConfigContext>
  );
}
