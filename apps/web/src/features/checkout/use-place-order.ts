import type { Basket, FieldError } from "@keepsats/domain";
import { idempotencyHeader, type PlacedOrder, paths, placedOrderSchema } from "@keepsats/protocol";
import { useMutation, useQueryClient } from "@tanstack/react-query";
import { call, isApiError, retryWhileUnavailable } from "../../lib/api.ts";
import type { Draft } from "./draft.ts";

interface Attempt {
  readonly body: string;
  readonly key: string;
}

let lastAttempt: Attempt | undefined;

/** The same payload is sent with the same key, however often it takes; another payload gets another. */
function attemptFor(body: string): Attempt {
  if (lastAttempt?.body !== body) lastAttempt = { body, key: crypto.randomUUID() };
  return lastAttempt;
}

async function placeOrder({ draft, basket }: { draft: Draft; basket: Basket }): Promise<PlacedOrder> {
  const { sameBilling, ...form } = draft;
  const { body, key } = attemptFor(
    JSON.stringify({
      items: basket.map(({ id, quantity }) => ({ item_id: id, quantity })),
      ...form,
      billing_address: sameBilling ? form.shipping_address : form.billing_address,
    }),
  );
  const order = await call({
    path: paths.orders,
    method: "POST",
    body,
    headers: { [idempotencyHeader]: key },
    answer: placedOrderSchema,
  });
  lastAttempt = undefined;
  return order;
}

/** `POST /api/orders`; while the shop cannot take the order it is sent again by itself, under the same key. */
export function usePlaceOrder(onPlaced: (order: PlacedOrder) => void) {
  const queries = useQueryClient();
  return useMutation({
    mutationFn: placeOrder,
    ...retryWhileUnavailable,
    onSuccess: onPlaced,
    onError: (error) => {
      console.error("Failed to create the order", error);
      // An item may be gone: the shop page is not to offer it again.
      if (fieldErrors(error).some(({ path }) => path.startsWith("items")))
        void queries.invalidateQueries({ queryKey: [paths.items] });
    },
  });
}

/** What the server found wrong with the fields of an order. */
export function fieldErrors(error: unknown): readonly FieldError[] {
  return isApiError(error) ? (error.problem?.errors ?? []) : [];
}
