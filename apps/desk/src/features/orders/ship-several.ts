import { shortOrderId } from "@keepsats/domain";
import type { MerchantOrder } from "@keepsats/protocol";
import type { Toast } from "@keepsats/ui/toasts.ts";

/** An order that is shipped with others. */
export interface Shipment {
  readonly id: string;
  readonly carrier?: string | undefined;
  readonly tracking_number?: string | undefined;
}

/**
 * What became of it. `overtaken`: a colleague has moved the order; `text` says who. `asks`:
 * something speaks against shipping it, which `text` names; `failed`: `text` says why.
 */
export type Outcome =
  | { readonly kind: "shipped" }
  | { readonly kind: "asks"; readonly text: string }
  | { readonly kind: "overtaken"; readonly text: string }
  | { readonly kind: "failed"; readonly text: string };

/** The outcomes so far, by the order's id. */
export type Outcomes = ReadonlyMap<string, Outcome>;

/**
 * Ships orders one after another. One that cannot be shipped does not stop the others.
 *
 * @param tell is called with all outcomes after each order
 */
export async function shipEach(
  shipments: readonly Shipment[],
  ship: (shipment: Shipment) => Promise<Outcome>,
  tell: (outcomes: Outcomes) => void,
): Promise<Outcomes> {
  let outcomes: Outcomes = new Map();
  for (const shipment of shipments) {
    outcomes = new Map(outcomes).set(shipment.id, await ship(shipment));
    tell(outcomes);
  }
  return outcomes;
}

type Moved = Pick<MerchantOrder, "status" | "carrier" | "tracking_number">;

/**
 * Determines the outcome from the order's current state, if the response was lost or the order had
 * already moved.
 *
 * @param lateText names who moved it
 */
export function outcomeOf(
  { carrier, tracking_number }: Shipment,
  order: Moved,
  lateText: string,
): Outcome | undefined {
  if (order.status === "PaymentProcessed") return undefined;
  const isAsSent =
    order.carrier === (carrier ?? null) && order.tracking_number === (tracking_number ?? null);
  return order.status === "Shipped" && isAsSent
    ? { kind: "shipped" }
    : { kind: "overtaken", text: lateText };
}

/** The orders that can still be shipped: those that were not tried, that ask, or that have failed. */
export function openIds(ids: readonly string[], outcomes: Outcomes): readonly string[] {
  const open: readonly Outcome["kind"][] = ["failed", "asks"];
  return ids.filter((id) => open.includes(outcomes.get(id)?.kind ?? "failed"));
}

/** Whether shipping an order again ships it despite what spoke against it, and still does. */
export function isConfirmed(outcome: Outcome | undefined, text: string): boolean {
  return outcome?.kind === "asks" && outcome.text === text;
}

/** What an outcome is in words. */
export function outcomeText(outcome: Outcome): string {
  switch (outcome.kind) {
    case "shipped":
      return "Shipped";
    case "overtaken":
      return outcome.text;
    case "asks":
      return `Not shipped yet: ${outcome.text}`;
    case "failed":
      return `Not shipped: ${outcome.text}`;
  }
}

/** Says how many orders have shipped, and which not and why. */
export function shipmentReport(outcomes: Outcomes): Toast {
  const others = [...outcomes].filter(([, { kind }]) => kind !== "shipped");
  const shipped = `${outcomes.size - others.length} shipped`;
  return {
    kind: others.length === 0 ? "success" : "error",
    title: others.length === 0 ? shipped : `${shipped}, ${others.length} not`,
    description: others
      .map(([id, outcome]) => `${shortOrderId(id)}: ${outcomeText(outcome).replace(/\.$/, "")}.`)
      .join(" "),
  };
}

/**
 * Puts a pasted text of several lines into a column of fields: the first line where it was pasted,
 * the others below. Fields further up, and lines that are too many, are left alone.
 *
 * @param values the fields, from above
 * @param place the field into which was pasted
 * @returns `undefined` if the text has one line only, which the browser pastes by itself
 */
export function pasteLines(
  values: readonly string[],
  place: number,
  text: string,
): readonly string[] | undefined {
  const lines = text.split(/\r\n|\r|\n/).map((line) => line.trim());
  while (lines.at(-1) === "") lines.pop();
  if (lines.length < 2) return undefined;
  return values.map((value, at) => (at < place ? value : (lines[at - place] ?? value)));
}
