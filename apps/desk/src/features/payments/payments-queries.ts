import { call } from "@keepsats/client";
import {
  type MismatchKind,
  merchantOrderSchema,
  mismatchesSchema,
  mismatchSchema,
  paths,
  type ResolutionRequest,
  withId,
} from "@keepsats/protocol";
import { infiniteQueryOptions, queryOptions } from "@tanstack/react-query";

export type MismatchState = "open" | "resolved";

/** The mismatches of one state, and of one kind if it is given, newest first, page by page. */
export function mismatchesQuery(state: MismatchState, kind: MismatchKind | undefined) {
  return infiniteQueryOptions({
    queryKey: ["mismatches", state, kind],
    meta: { topics: ["mismatches"] },
    initialPageParam: "",
    queryFn: ({ pageParam, signal }) => {
      const parameters = new URLSearchParams({ state });
      if (kind !== undefined) parameters.set("kind", kind);
      if (pageParam !== "") parameters.set("cursor", pageParam);
      return call({
        path: `${paths.merchant.mismatches}?${parameters}`,
        answer: mismatchesSchema,
        signal,
      });
    },
    getNextPageParam: ({ next_cursor }) => next_cursor,
    select: ({ pages }) => pages.flatMap(({ mismatches }) => mismatches),
  });
}

/**
 * One mismatch as it is now, with what is still owed of it; also after somebody has resolved it.
 */
export function mismatchQuery(id: string) {
  return queryOptions({
    queryKey: ["mismatch", id],
    // A refund of its order changes what is still owed.
    meta: { topics: ["mismatches", "orders"] },
    queryFn: ({ signal }) =>
      call({ path: withId(paths.merchant.mismatch, id), answer: mismatchSchema, signal }),
  });
}

/**
 * The money of an order: what was given back, and what is still owed of each of its mismatches,
 * read at the same time.
 */
export function moneyQuery(orderId: string) {
  return queryOptions({
    queryKey: ["money", orderId],
    meta: { topics: ["orders", "mismatches"] },
    queryFn: async ({ signal }) => {
      const path = withId(paths.merchant.order, orderId);
      const { ledger, mismatches } = await call({ path, answer: merchantOrderSchema, signal });
      return { givenBack: ledger.given_back, mismatches };
    },
  });
}

/** Says how a mismatch was resolved. */
export function resolveMismatch(id: string, body: ResolutionRequest) {
  return call({
    path: withId(paths.merchant.resolution, id),
    method: "POST",
    body,
    answer: mismatchSchema,
  });
}
