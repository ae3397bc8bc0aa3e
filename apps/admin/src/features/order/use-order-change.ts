import { isApiError } from "@keepsats/client";
import { useToasts } from "@keepsats/ui/toasts.ts";
import { changeErrorText } from "../../lib/api.ts";
import type { PackingOrderView } from "../../lib/queries.ts";
import { statusChangeText } from "../../ui/order-labels.tsx";
import { useOrderToShip } from "./queries.ts";

/** The problem codes of a change to an order that is no longer what the form shows. */
const OVERTAKEN: readonly (string | undefined)[] = [
  "status_changed",
  "transition_refused",
  "correction_refused",
  "not_erasable",
  "not_returnable",
];

export interface OrderFormProps<Order extends PackingOrderView = PackingOrderView> {
  readonly order: Order;
  readonly onDone: () => void;
}

/** How an order's form makes its change. @param done the notice afterwards, such as "Shipped" */
export function useOrderChange({ order, onDone }: OrderFormProps, done: string) {
  const toasts = useToasts();
  const { read, invalidate } = useOrderToShip(order);

  /** @throws an error with the order's current status if a colleague was faster */
  async function attempt<Answer extends object>(change: () => Promise<Answer>): Promise<Answer> {
    try {
      const answer = await change();
      // The order already had this status, so the form's input is not stored.
      if ("changed" in answer && answer.changed === false) throw new Error(await currentText(read));
      return answer;
    } catch (cause) {
      const code = isApiError(cause) ? cause.problem?.code : undefined;
      if (OVERTAKEN.includes(code))
        throw new Error(`${await currentText(read)}. ${changeErrorText(cause)}`, { cause });
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

async function currentText(read: () => Promise<PackingOrderView>): Promise<string> {
  try {
    return statusChangeText(await read(), Date.now());
  } catch {
    return "The order has changed";
  }
}
