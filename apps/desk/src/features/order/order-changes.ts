import { call, isApiError } from "@keepsats/client";
import {
  erasureAnswerSchema,
  type MerchantOrder,
  type OrderPatch,
  orderPatchAnswerSchema,
  paths,
  type TransitionRequest,
  transitionAnswerSchema,
  withId,
} from "@keepsats/protocol";
import { useToasts } from "@keepsats/ui/toasts.ts";
import { useQueryClient } from "@tanstack/react-query";
import { failureText } from "../../lib/api.ts";
import { orderQuery } from "../../lib/queries.ts";
import { lateText } from "../../ui/order-words.ts";

/** The problems that say that the order is not what it was. */
const overtaken = ["status_changed", "transition_refused", "correction_refused", "not_erasable"];

export interface OrderFormProps {
  readonly order: MerchantOrder;
  readonly onDone: () => void;
}

/** Reads an order again, and refetches it where it is shown. */
export function useOrder({ id }: Pick<MerchantOrder, "id">) {
  const client = useQueryClient();
  const query = orderQuery(id);
  return {
    read: () => client.fetchQuery({ ...query, staleTime: 0 }),
    invalidate: () => void client.invalidateQueries({ queryKey: query.queryKey }),
  };
}

/** How the form of an order makes its change. @param done the notice afterwards, such as "Shipped" */
export function useChange({ order, onDone }: OrderFormProps, done: string) {
  const toasts = useToasts();
  const { read, invalidate } = useOrder(order);

  /** @throws an error that says what the order has become if others were faster */
  async function attempt<Answer extends object>(change: () => Promise<Answer>): Promise<Answer> {
    try {
      const answer = await change();
      // The order had this status already: what was typed is not stored.
      if ("changed" in answer && answer.changed === false) throw new Error(await whatItIs(read));
      return answer;
    } catch (cause) {
      const code = isApiError(cause) ? cause.problem?.code : undefined;
      if (overtaken.some((one) => one === code))
        throw new Error(`${await whatItIs(read)}. ${failureText(cause)}`, { cause });
      if (code === "open_issue") {
        invalidate();
        throw new Error("Not shipped: a payment issue was opened a moment ago.", { cause });
      }
      throw cause;
    }
  }
  function finishWith(description: string): void {
    invalidate();
    toasts.show({ kind: "success", title: done, description });
    onDone();
  }
  return { attempt, finish: () => finishWith(""), finishWith, read };
}

async function whatItIs(read: () => Promise<MerchantOrder>): Promise<string> {
  try {
    return lateText(await read(), Date.now());
  } catch {
    return "The order has changed meanwhile";
  }
}

export function moveOrder(id: string, body: TransitionRequest) {
  const path = withId(paths.merchant.transitions, id);
  return call({ path, method: "POST", body, answer: transitionAnswerSchema });
}

/**
 * Corrects fields of an order if they are still as they were seen.
 *
 * @returns the order with the changes
 * @throws {ApiError} `order_changed` if they are not
 */
export async function correctOrder(
  seen: MerchantOrder,
  changes: OrderPatch,
): Promise<MerchantOrder> {
  const { id, shipping_address, carrier, tracking_number, tracking_url } = seen;
  const expected = { shipping_address, carrier, tracking_number, tracking_url };
  await call({
    path: withId(paths.merchant.order, id),
    method: "PATCH",
    body: { ...changes, expected },
    answer: orderPatchAnswerSchema,
  });
  const corrected = { ...seen, ...changes };
  return {
    ...seen,
    shipping_address: corrected.shipping_address ?? shipping_address,
    carrier: corrected.carrier ?? null,
    tracking_number: corrected.tracking_number ?? null,
    tracking_url: corrected.tracking_url ?? null,
  };
}

export function eraseOrder(id: string) {
  return call({
    path: withId(paths.merchant.erasure, id),
    method: "POST",
    body: {},
    answer: erasureAnswerSchema,
  });
}
