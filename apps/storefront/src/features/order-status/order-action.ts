import { call } from "@keepsats/client";
import { orderKeyHeader, subscribedOrderSchema, withId } from "@keepsats/protocol";
import { useToasts } from "@keepsats/ui/toasts.ts";
import { useState } from "react";
import type { KeyedLink } from "../../lib/order-link.ts";

interface OrderChange {
  /** `:id` stands for the order's id. */
  readonly path: string;
  readonly body?: object;
}

/** @throws {ApiError} */
export async function changeOrder(
  { orderId, key }: KeyedLink,
  { path, body = {} }: OrderChange,
): Promise<void> {
  await call({
    path: withId(path, orderId),
    method: "POST",
    headers: { [orderKeyHeader]: key },
    body,
    answer: subscribedOrderSchema,
  });
}

/** Lets a customer change an order, one change at a time. `textOf`: explains a failure. */
export function useOrderAction(link: KeyedLink, textOf: (error: unknown) => string) {
  const toasts = useToasts();
  const [isSending, setIsSending] = useState(false);
  const [failure, setFailure] = useState<string>();

  /**
   * Shows a toast after a success.
   *
   * @returns whether the order is changed
   */
  async function send(change: OrderChange, title: string, description = ""): Promise<boolean> {
    if (isSending) return false;
    setIsSending(true);
    setFailure(undefined);
    try {
      await changeOrder(link, change);
      toasts.success(title, description);
      return true;
    } catch (error) {
      console.error("Failed to change the order", error);
      setFailure(textOf(error));
      return false;
    } finally {
      setIsSending(false);
    }
  }
  return { isSending, failure, setFailure, send };
}
