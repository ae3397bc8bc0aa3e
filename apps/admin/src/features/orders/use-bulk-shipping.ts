import { call } from "@keepsats/client";
import { paths, shipWarnings, transitionAnswerSchema, withId } from "@keepsats/protocol";
import { useToasts } from "@keepsats/ui/toasts.ts";
import { type QueryClient, useQueryClient } from "@tanstack/react-query";
import { useState } from "react";
import { changeErrorText } from "../../lib/api.ts";
import { orderQuery } from "../../lib/queries.ts";
import { statusChangeText } from "../../ui/order-labels.tsx";
import {
  isConfirmed,
  type Outcome,
  type Outcomes,
  outcomeOf,
  type Shipment,
  shipEach,
  shipmentReport,
} from "./bulk-shipping.ts";

/** Ships several orders. `outcomes` has the outcome of each order so far. */
export function useBulkShipping(onAllShipped: () => void) {
  const client = useQueryClient();
  const toasts = useToasts();
  const [outcomes, setOutcomes] = useState<Outcomes>(new Map());
  const add = (added: Outcomes) => setOutcomes((now) => new Map([...now, ...added]));

  /** @throws an error with the number of orders that have not shipped */
  async function ship(shipments: readonly Shipment[]): Promise<void> {
    const shipOne = (shipment: Shipment) => shipOrder(client, shipment, outcomes.get(shipment.id));
    const made = await shipEach(shipments, shipOne, add);
    toasts.show(shipmentReport(made));
    const { kind, title } = shipmentReport(new Map([...outcomes, ...made]));
    if (kind === "error") throw new Error(`${title}. Each order shows its reason.`);
    onAllShipped();
  }
  return { outcomes, ship };
}

/**
 * Ships a paid order, unless there is a warning that staff have not confirmed. If the response is
 * lost or the order has moved, its current state decides the outcome.
 *
 * @param earlier the outcome of the attempt before
 */
async function shipOrder(
  client: QueryClient,
  shipment: Shipment,
  earlier: Outcome | undefined,
): Promise<Outcome> {
  const { id, ...tracking } = shipment;
  const path = withId(paths.admin.transitions, id);
  const read = () => client.fetchQuery({ ...orderQuery(id), staleTime: 0 });
  let failure = "The order has changed";
  try {
    const { texts, hasIssue } = shipWarnings(await read());
    const text = texts.join(" ");
    if (text !== "" && !isConfirmed(earlier, text)) return { kind: "unconfirmed", text };
    const despite = hasIssue ? { despite_issue: true } : {};
    const body = {
      to: "Shipped",
      expected_status: "PaymentProcessed",
      ...tracking,
      ...despite,
    };
    const { changed } = await call({ path, method: "POST", body, answer: transitionAnswerSchema });
    if (changed) return { kind: "shipped" };
  } catch (error) {
    failure = changeErrorText(error);
  }
  try {
    const order = await read();
    return (
      outcomeOf(shipment, order, statusChangeText(order, Date.now())) ?? {
        kind: "failed",
        text: failure,
      }
    );
  } catch {
    return { kind: "failed", text: failure };
  }
}
