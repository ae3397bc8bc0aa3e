import { retryWhileUnavailable } from "@keepsats/client";
import { QueryClient } from "@tanstack/react-query";

/**
 * Queries are fetched once and cached while the page is open. With `networkMode: "always"` a call
 * fails at once while the browser is offline; by default it would be paused and sent later, such as
 * an order that the shopper has cancelled by then.
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
