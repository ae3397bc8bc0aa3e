import type { Basket, FieldError } from "@keepsats/domain";
import { idempotencyHeader, type PlacedOrder, paths, placedOrderSchema } from "@keepsats/protocol";
import { useMutation, useQueryClient } from "@tanstack/react-query";
import { useEffect, useRef, useState } from "react";
import { call, isApiError, retryWhileUnavailable } from "../../lib/api.ts";
import { useCheckoutSession } from "./checkout-session.ts";
import type { Draft } from "./draft.ts";
import { attemptFor, type OrderAttempt } from "./order-attempts.ts";

interface Request extends OrderAttempt {
  /** Aborted when the shopper takes the order back. */
  readonly signal: AbortSignal;
}

function sendOrder({ body, key, signal }: Request): Promise<PlacedOrder> {
  return call({
    path: paths.orders,
    method: "POST",
    body,
    headers: { [idempotencyHeader]: key },
    answer: placedOrderSchema,
    signal,
  });
}

/** How placing the order stands. `failed` has what the server found wrong with the fields, if it said so. */
export type Placing =
  | { readonly kind: "idle" }
  | { readonly kind: "sending" }
  | { readonly kind: "failed"; readonly errors: readonly FieldError[] };

interface PlaceOrder {
  readonly placing: Placing;
  place(draft: Draft, basket: Basket): Promise<void>;
}

/**
 * `POST /api/orders`. While the shop cannot take the order it is sent again, under the same key. Leaving the form takes it
 * back: the request is aborted and not sent again. If the server had stored the order by then, the next try with the same
 * payload is answered with that order, because it has the same key.
 */
export function usePlaceOrder(onPlaced: (order: PlacedOrder) => void): PlaceOrder {
  const session = useCheckoutSession();
  const queries = useQueryClient();
  const leaving = useRef<AbortController>(undefined);
  useEffect(() => () => leaving.current?.abort(), []);
  const [placing, setPlacing] = useState<Placing>({ kind: "idle" });
  const { mutateAsync } = useMutation({ mutationFn: sendOrder, ...retryWhileUnavailable });

  async function place(draft: Draft, basket: Basket): Promise<void> {
    leaving.current = new AbortController();
    const { signal } = leaving.current;
    setPlacing({ kind: "sending" });
    try {
      session.attempt = attemptFor({ draft, basket }, session.attempt, () => crypto.randomUUID());
      const order = await mutateAsync({ ...session.attempt, signal });
      if (signal.aborted) return;
      session.attempt = undefined;
      setPlacing({ kind: "idle" });
      onPlaced(order);
    } catch (error) {
      if (signal.aborted) return;
      console.error("Failed to create the order", error);
      const errors = isApiError(error) ? (error.problem?.errors ?? []) : [];
      setPlacing({ kind: "failed", errors });
      // An item may be gone: the shop page must not offer it again.
      if (errors.some(({ path }) => path.startsWith("items")))
        void queries.invalidateQueries({ queryKey: [paths.items] });
    }
  }

  return { placing, place };
}
