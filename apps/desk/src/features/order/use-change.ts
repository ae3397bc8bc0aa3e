import { isApiError } from "@keepsats/client";
import type { MerchantOrder } from "@keepsats/protocol";
import { useToasts } from "@keepsats/ui/toasts.ts";
import { useMutation, useQueryClient } from "@tanstack/react-query";
import { failureText } from "../../lib/api.ts";
import { orderQuery } from "../../lib/queries.ts";
import { lateText } from "../../ui/late-text.ts";

/** The problems that say that the order is not what it was. */
const overtaken = ["status_changed", "transition_refused", "correction_refused", "not_erasable"];

interface Change {
  readonly order: MerchantOrder;
  /** What is told afterwards, such as "Shipped". */
  readonly done: string;
  readonly onDone: () => void;
}

/**
 * A change of an order. Its form stays open with what was typed until the change is made: `failure`
 * says why it was not, and what the order has become if somebody else was faster.
 */
export function useChange<Input = void>(
  { order, done, onDone }: Change,
  change: (input: Input) => Promise<{ readonly changed?: boolean } | object>,
) {
  const client = useQueryClient();
  const toasts = useToasts();
  const reread = () => client.fetchQuery({ ...orderQuery(order.id), staleTime: 0 });
  const { mutate, isPending, error, reset } = useMutation({
    async mutationFn(input: Input) {
      try {
        const answer = await change(input);
        // The order had this status already: what was typed is not stored.
        if ("changed" in answer && answer.changed === false)
          throw new Error(await whatItIs(reread));
      } catch (cause) {
        // Refetches the order so that the form shows its current values.
        if (isApiError(cause) && cause.problem?.code === "order_changed")
          await reread().catch(() => {});
        const isLate = isApiError(cause) && overtaken.includes(cause.problem?.code ?? "");
        if (isLate) throw new Error(`${await whatItIs(reread)}. ${failureText(cause)}`, { cause });
        throw isApiError(cause) ? new Error(failureText(cause), { cause }) : cause;
      }
    },
    onSuccess() {
      void client.invalidateQueries({ queryKey: orderQuery(order.id).queryKey });
      toasts.show({ kind: "success", title: done, description: "" });
      onDone();
    },
  });
  return { mutate, isPending, failure: error?.message, reset };
}

async function whatItIs(reread: () => Promise<MerchantOrder>): Promise<string> {
  try {
    return lateText(await reread(), Date.now());
  } catch {
    return "The order has changed meanwhile";
  }
}
