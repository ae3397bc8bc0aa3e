import { paths, transitionAnswerSchema, withId } from "@keepsats/protocol";
import { useToasts } from "@keepsats/ui/toasts.ts";
import { type QueryClient, useMutation, useQueryClient } from "@tanstack/react-query";
import { useState } from "react";
import { call, failureText, isApiError } from "../../lib/api.ts";
import { orderQuery } from "../../lib/order-query.ts";
import { lateText } from "../../ui/late-text.ts";
import { type Outcome, type Outcomes, type Shipment, shipEach, shipmentReport } from "./ship-several.ts";

/** The problems that say that somebody else has moved the order. */
const overtaken = ["status_changed", "transition_refused"];

/** Ships several orders. @returns what became of each so far, and a function that ships some of them */
export function useShipSeveral(onAllShipped: () => void) {
  const client = useQueryClient();
  const toasts = useToasts();
  const [outcomes, setOutcomes] = useState<Outcomes>(new Map());
  const add = (some: Outcomes) => setOutcomes((now) => new Map([...now, ...some]));
  const { mutate, isPending } = useMutation({
    mutationFn: (shipments: readonly Shipment[]) =>
      shipEach(shipments, (shipment) => shipOrder(client, shipment), add),
    onSuccess(made) {
      toasts.show(shipmentReport(made));
      const all = [...new Map([...outcomes, ...made]).values()];
      if (all.every(({ kind }) => kind === "shipped")) onAllShipped();
    },
  });
  return { outcomes, ship: mutate, isPending };
}

/** Ships an order that is paid and was not moved meanwhile. */
async function shipOrder(client: QueryClient, { id, ...tracking }: Shipment): Promise<Outcome> {
  const path = withId(paths.merchant.transitions, id);
  const body = { to: "Shipped", expected_status: "PaymentProcessed", ...tracking };
  try {
    const { changed } = await call({ path, method: "POST", body, answer: transitionAnswerSchema });
    return changed ? { kind: "shipped" } : { kind: "overtaken", text: await whatItIs(client, id) };
  } catch (error) {
    if (isApiError(error) && overtaken.includes(error.problem?.code ?? ""))
      return { kind: "overtaken", text: await whatItIs(client, id) };
    return { kind: "failed", text: failureText(error) };
  }
}

async function whatItIs(client: QueryClient, id: string): Promise<string> {
  try {
    return lateText(await client.fetchQuery({ ...orderQuery(id), staleTime: 0 }), Date.now());
  } catch {
    return "The order has changed meanwhile";
  }
}
