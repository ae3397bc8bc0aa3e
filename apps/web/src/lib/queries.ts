import { QueryClient } from "@tanstack/react-query";
import { retryWhileUnavailable } from "./api.ts";

/**
 * What is fetched is fetched once and kept while the page is open. Calls are made whatever the browser thinks of its
 * connection: one that cannot be made fails at once and says so, instead of waiting to be made later.
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
