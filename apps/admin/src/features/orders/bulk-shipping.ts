import { shortOrderId } from "@keepsats/domain";
import type { AdminOrder } from "@keepsats/protocol";
import type { Toast } from "@keepsats/ui/toasts.ts";

export interface Shipment {
  /** The order's id. */
  readonly id: string;
  readonly carrier?: string | undefined;
  readonly tracking_number?: string | undefined;
}

/**
 * `unconfirmed`: `text` is a warning that staff must confirm. `overtaken`: a colleague has moved
 * the order, named by `text`. `failed`: `text` is the reason.
 */
export type Outcome =
  | { readonly kind: "shipped" }
  | { readonly kind: "unconfirmed"; readonly text: string }
  | { readonly kind: "overtaken"; readonly text: string }
  | { readonly kind: "failed"; readonly text: string };

/** The outcomes so far, by the order's id. */
export type Outcomes = ReadonlyMap<string, Outcome>;

/**
 * Ships orders one after another. An order that cannot be shipped does not stop the others.
 *
 * @param onOutcome called with all outcomes so far after each order
 */
export async function shipEach(
  shipments: readonly Shipment[],
  ship: (shipment: Shipment) => Promise<Outcome>,
  onOutcome: (outcomes: Outcomes) => void,
): Promise<Outcomes> {
  let outcomes: Outcomes = new Map();
  for (const shipment of shipments) {
    outcomes = new Map(outcomes).set(shipment.id, await ship(shipment));
    onOutcome(outcomes);
  }
  return outcomes;
}

type CurrentOrder = Pick<AdminOrder, "status" | "carrier" | "tracking_number">;

/**
 * The outcome according to the order's current state, after a lost response or a change by a
 * colleague.
 *
 * @param overtakenText names the colleague
 * @returns `undefined` if the order has not shipped
 */
export function outcomeOf(
  { carrier, tracking_number }: Shipment,
  order: CurrentOrder,
  overtakenText: string,
): Outcome | undefined {
  if (order.status === "PaymentProcessed") return undefined;
  const isAsSent =
    order.carrier === (carrier ?? null) && order.tracking_number === (tracking_number ?? null);
  return order.status === "Shipped" && isAsSent
    ? { kind: "shipped" }
    : { kind: "overtaken", text: overtakenText };
}

/** The orders that can still be shipped: without an outcome, unconfirmed or failed. */
export function openIds(ids: readonly string[], outcomes: Outcomes): readonly string[] {
  const open: readonly Outcome["kind"][] = ["failed", "unconfirmed"];
  return ids.filter((id) => open.includes(outcomes.get(id)?.kind ?? "failed"));
}

/** Whether the next attempt confirms a warning: only the one that was shown. */
export function isConfirmed(outcome: Outcome | undefined, warning: string): boolean {
  return outcome?.kind === "unconfirmed" && outcome.text === warning;
}

export function outcomeText(outcome: Outcome): string {
  switch (outcome.kind) {
    case "shipped":
      return "Shipped";
    case "overtaken":
      return outcome.text;
    case "unconfirmed":
      return `Not shipped yet: ${outcome.text}`;
    case "failed":
      return `Not shipped: ${outcome.text}`;
  }
}

/** The number of shipped orders, and the reason for each order that has not shipped. */
export function shipmentReport(outcomes: Outcomes): Toast {
  const rest = [...outcomes].filter(([, { kind }]) => kind !== "shipped");
  const shipped = `${outcomes.size - rest.length} shipped`;
  return {
    kind: rest.length === 0 ? "success" : "error",
    title: rest.length === 0 ? shipped : `${shipped}, ${rest.length} not`,
    description: rest
      .map(([id, outcome]) => `${shortOrderId(id)}: ${outcomeText(outcome).replace(/\.$/, "")}.`)
      .join(" "),
  };
}

/**
 * Distributes a pasted text of several lines over a column of fields, from the field that received
 * it downwards. Surplus lines are dropped.
 *
 * @param index of the field that received the text
 * @returns `undefined` for a single line, which the browser pastes
 */
export function pasteLines(
  values: readonly string[],
  index: number,
  text: string,
): readonly string[] | undefined {
  const lines = text.split(/\r\n|\r|\n/).map((line) => line.trim());
  while (lines.at(-1) === "") lines.pop();
  if (lines.length < 2) return undefined;
  return values.map((value, at) => (at < index ? value : (lines[at - index] ?? value)));
}
