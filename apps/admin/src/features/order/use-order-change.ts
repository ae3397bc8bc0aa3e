import { isApiError } from "@keepsats/client";
import { useToasts } from "@keepsats/ui/toasts.ts";
import { useQueryClient } from "@tanstack/react-query";
import { type OrderView, orderQuery } from "../../lib/queries.ts";
import { useSession } from "../../lib/session.ts";
import { statusChangeText } from "../../ui/order-labels.tsx";
import { useInvalidateOrder } from "./queries.ts";

export interface OrderFormProps<Order extends OrderView = OrderView> {
  readonly order: Order;
  readonly onDone: () => void;
}

/** How an order's form makes its change. `done`: the notice afterwards, such as "Shipped". */
export function useOrderChange({ order, onDone }: OrderFormProps, done: string) {
  const toasts = useToasts();
  const client = useQueryClient();
  const query = orderQuery(order.id, useSession().staff.role);
  const invalidate = useInvalidateOrder(order);
  const read = () => client.fetchQuery({ ...query, staleTime: 0 });

  /** Refetches the order after a refusal: a colleague's change may be the reason. */
  async function attempt<Answer extends object>(change: () => Promise<Answer>): Promise<Answer> {
    try {
      const answer = await change();
      // The order already had this status, so the form's input is not stored.
      if ("changed" in answer && answer.changed === false)
        throw new Error(statusChangeText(await read(), Date.now()));
      return answer;
    } catch (cause) {
      void invalidate();
      if (isApiError(cause) && cause.problem?.code === "open_issue")
        throw new Error("Not shipped: a payment issue was opened a moment ago.", { cause });
      throw cause;
    }
  }
  function finishWith(description: string): void {
    void invalidate();
    toasts.success(done, description);
    onDone();
  }
  return { attempt, finish: () => finishWith(""), finishWith, read };
}
