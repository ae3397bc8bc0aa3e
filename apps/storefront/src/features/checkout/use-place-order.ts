import { call, retryWhileUnavailable } from "@keepsats/client";
import type { FieldError } from "@keepsats/domain";
import {
  type PlacedOrder,
  type ProblemCode,
  placedOrderSchema,
  shopPaths,
} from "@keepsats/protocol";
import { useMutation, useQueryClient } from "@tanstack/react-query";
import { useEffect, useRef, useState } from "react";
import { problemOf } from "../../lib/order-failure.ts";
import { useSavedOrders } from "../../lib/saved-orders.ts";
import { type ChangedOrder, changedOrderOf } from "./changed-order.ts";
import { endPurchase, useCheckoutSession, usePlacedPurchase } from "./checkout-session.ts";
import { heldItems, type ReplaceableOrder, replaceableOrder } from "./open-purchase.ts";
import { type OrderRequest, orderRequestFor, type WantedOrder } from "./order-request.ts";

/** @param signal aborted when the customer leaves the form */
function sendOrder({ body, headers, signal }: OrderRequest & { readonly signal: AbortSignal }) {
  const path = shopPaths.orders;
  return call({ path, method: "POST", body, headers, answer: placedOrderSchema, signal });
}

type Placing =
  | { readonly kind: "idle" }
  | { readonly kind: "sending" }
  | {
      readonly kind: "failed";
      /** The server's errors of single fields. */
      readonly errors: readonly FieldError[];
      /** With the pieces of `replaceable`. */
      readonly changed: ChangedOrder | undefined;
      readonly replaceable: ReplaceableOrder | undefined;
      readonly notReplaced: NotReplaced | undefined;
    };

export interface NotReplaced {
  readonly orderId: string;
  readonly problem: ProblemCode;
}

/**
 * Places an order: `POST /api/orders`. While the server is unavailable, the request is retried with
 * the same idempotency key. When the customer leaves the form, the request is aborted. If the
 * server has stored the order by then, the next request with the same body returns it, because it
 * has the same key.
 */
export function usePlaceOrder(onPlaced: (order: PlacedOrder) => void) {
  const session = useCheckoutSession();
  const placed = usePlacedPurchase();
  const savedOrders = useSavedOrders();
  const queries = useQueryClient();
  const abortOnLeave = useRef<AbortController>(undefined);
  useEffect(() => () => abortOnLeave.current?.abort(), []);
  // A ref, because the form may be submitted twice before the next render.
  const isSending = useRef(false);
  const [placing, setPlacing] = useState<Placing>({ kind: "idle" });
  const { mutateAsync } = useMutation({ mutationFn: sendOrder, ...retryWhileUnavailable });

  /** Does nothing while an order is being placed. */
  async function place(wanted: WantedOrder): Promise<void> {
    if (isSending.current) return;
    isSending.current = true;
    abortOnLeave.current = new AbortController();
    const { signal } = abortOnLeave.current;
    setPlacing({ kind: "sending" });
    try {
      session.lastRequest = orderRequestFor(wanted, session.lastRequest, () => crypto.randomUUID());
      const order = await mutateAsync({ ...session.lastRequest, signal });
      // First of all, because the order can only be found by its link.
      savedOrders.add(order);
      if (wanted.replaced !== undefined) {
        savedOrders.recordStatus(wanted.replaced.id, "Cancelled");
        endPurchase(session, wanted.replaced.id);
      }
      if (signal.aborted) return;
      session.lastRequest = undefined;
      setPlacing({ kind: "idle" });
      onPlaced(order);
    } catch (error) {
      if (signal.aborted) return;
      console.error("Failed to create the order", error);
      const problem = problemOf(error);
      const errors = problem?.errors ?? [];
      const { cart, total } = wanted;
      const changedNow = changedOrderOf(problem, cart, total);
      const replaceable = changedNow && replaceableOrder(placed, changedNow);
      const changed = changedOrderOf(problem, cart, total, heldItems(replaceable && placed));
      const notReplaced =
        wanted.replaced && problem !== undefined && changed === undefined
          ? { orderId: wanted.replaced.id, problem: problem.code }
          : undefined;
      setPlacing({ kind: "failed", errors, changed, replaceable, notReplaced });
      // Then the shop page has the new prices and stock, without hidden items.
      if (changed !== undefined) void queries.invalidateQueries({ queryKey: [shopPaths.items] });
    } finally {
      isSending.current = false;
    }
  }

  function clearFailure(): void {
    setPlacing((now) => (now.kind === "failed" ? { kind: "idle" } : now));
  }

  return { placing, place, clearFailure };
}
