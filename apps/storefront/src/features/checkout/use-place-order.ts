import { call, retryWhileUnavailable } from "@keepsats/client";
import type { FieldError } from "@keepsats/domain";
import {
  type PlacedOrder,
  type Problem,
  type ProblemCode,
  placedOrderSchema,
  shopPaths,
} from "@keepsats/protocol";
import { useMutation, useQueryClient } from "@tanstack/react-query";
import { useEffect, useRef, useState } from "react";
import { problemOf } from "../../lib/order-failure.ts";
import { useSavedOrders } from "../../lib/saved-orders.ts";
import { type ChangedOrder, changedOrderOf } from "./changed-order.ts";
import { useCheckoutSession } from "./checkout-session.ts";
import { type OrderRequest, orderRequestFor, type WantedOrder } from "./order-request.ts";
import { findReplaceable, type ReplaceableOrder } from "./replaceable-order.ts";

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
      readonly changed: ChangedOrder | undefined;
      /** The saved order that can be replaced, and the resulting changed order. */
      readonly replacement: Replacement | undefined;
      readonly notReplaced: NotReplaced | undefined;
    };

export interface Replacement {
  readonly order: ReplaceableOrder;
  readonly changed: ChangedOrder;
}

export interface NotReplaced {
  readonly orderId: string;
  readonly problem: ProblemCode | undefined;
}

/**
 * Places an order: `POST /api/orders`. While the server is unavailable, the request is retried with
 * the same idempotency key. When the customer leaves the form, the request is aborted. If the
 * server has stored the order by then, the next request with the same body returns it, because it
 * has the same key.
 */
export function usePlaceOrder(onPlaced: (order: PlacedOrder) => void) {
  const session = useCheckoutSession();
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
        session.orders.endPurchase(wanted.replaced.id);
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
      const changed = changedOrderOf(problem, wanted.cart, wanted.total);
      const replacement = changed && (await findReplacement(changed, problem, wanted));
      if (signal.aborted) return;
      const notReplaced =
        wanted.replaced && changed === undefined
          ? { orderId: wanted.replaced.id, problem: problem?.code }
          : undefined;
      setPlacing({ kind: "failed", errors, changed, replacement, notReplaced });
      // Then the shop page has the new prices and stock, without hidden items.
      if (changed !== undefined) void queries.invalidateQueries({ queryKey: [shopPaths.items] });
    } finally {
      isSending.current = false;
    }
  }

  async function findReplacement(
    changed: ChangedOrder,
    problem: Problem | undefined,
    { cart, total }: WantedOrder,
  ): Promise<Replacement | undefined> {
    const order = await findReplaceable(savedOrders.store.getState().orders, changed);
    const changedThen = order && changedOrderOf(problem, cart, total, order.items);
    return changedThen && { order, changed: changedThen };
  }

  function clearFailure(): void {
    setPlacing((now) => (now.kind === "failed" ? { kind: "idle" } : now));
  }

  return { placing, place, clearFailure };
}
