import type { Basket, FieldError } from "@keepsats/domain";
import { idempotencyHeader, type PlacedOrder, paths, placedOrderSchema } from "@keepsats/protocol";
import { useMutation, useQueryClient } from "@tanstack/react-query";
import { useEffect, useRef, useState } from "react";
import { call, isApiError, retryWhileUnavailable } from "../../lib/api.ts";
import { useCheckoutSession } from "./checkout-session.ts";
import type { Draft } from "./draft.ts";
import { type OrderRequest, orderRequestFor } from "./order-request.ts";

interface AbortableRequest extends OrderRequest {
  /** Aborted when the shopper leaves the form. */
  readonly signal: AbortSignal;
}

function sendOrder({ body, key, signal }: AbortableRequest): Promise<PlacedOrder> {
  return call({
    path: paths.orders,
    method: "POST",
    body,
    headers: { [idempotencyHeader]: key },
    answer: placedOrderSchema,
    signal,
  });
}

/** The state of placing an order. `errors` are the server's errors of single fields; often there are none. */
export type Placing =
  | { readonly kind: "idle" }
  | { readonly kind: "sending" }
  | { readonly kind: "failed"; readonly errors: readonly FieldError[] };

interface PlaceOrder {
  readonly placing: Placing;
  /** Does nothing while an order is being placed. */
  place(draft: Draft, basket: Basket): Promise<void>;
  /** Forgets the last failure, because the form is submitted again. */
  clearFailure(): void;
}

/**
 * Places an order: `POST /api/orders`. While the server is unavailable the request is retried with the same idempotency key.
 * When the shopper leaves the form, the request is aborted and not retried. If the server has stored the order by then, the
 * next request with the same body gets that order, because it has the same key.
 */
export function usePlaceOrder(onPlaced: (order: PlacedOrder) => void): PlaceOrder {
  const session = useCheckoutSession();
  const queries = useQueryClient();
  const abortOnLeave = useRef<AbortController>(undefined);
  useEffect(() => () => abortOnLeave.current?.abort(), []);
  // A ref, because two submits may come before the next render.
  const isSending = useRef(false);
  const [placing, setPlacing] = useState<Placing>({ kind: "idle" });
  const { mutateAsync } = useMutation({ mutationFn: sendOrder, ...retryWhileUnavailable });

  async function place(draft: Draft, basket: Basket): Promise<void> {
    if (isSending.current) return;
    isSending.current = true;
    abortOnLeave.current = new AbortController();
    const { signal } = abortOnLeave.current;
    setPlacing({ kind: "sending" });
    try {
      session.lastRequest = orderRequestFor({ draft, basket }, session.lastRequest, () =>
        crypto.randomUUID(),
      );
      const order = await mutateAsync({ ...session.lastRequest, signal });
      if (signal.aborted) return;
      session.lastRequest = undefined;
      setPlacing({ kind: "idle" });
      onPlaced(order);
    } catch (error) {
      if (signal.aborted) return;
      console.error("Failed to create the order", error);
      const errors = isApiError(error) ? (error.problem?.errors ?? []) : [];
      setPlacing({ kind: "failed", errors });
      // An item may be hidden by now: fetch the items again, so that the shop page does not offer it.
      if (errors.some(({ path }) => path.startsWith("items")))
        void queries.invalidateQueries({ queryKey: [paths.items] });
    } finally {
      isSending.current = false;
    }
  }

  function clearFailure(): void {
    setPlacing((now) => (now.kind === "failed" ? { kind: "idle" } : now));
  }

  return { placing, place, clearFailure };
}
