import { formatMoney } from "@keepsats/domain";
import type { ChangedField, ItemChange } from "@keepsats/protocol";
import { difference, shortened } from "../output.ts";

const SHOWN_NAME = 60;

/**
 * The lines that tell of the change of one item: one for each field, with the value before and
 * after.
 */
export function linesOf(change: ItemChange): string[] {
  const id = shortened(change.id, SHOWN_NAME);
  if (change.kind === "added") return [`added    ${id}: ${shortened(change.name, SHOWN_NAME)}`];
  return change.fields.map((changed) => {
    const [before, after] = difference(...wordsFor(changed));
    return `changed  ${id}: ${changed.field} ${before} → ${after}`;
  });
}

function wordsFor(changed: ChangedField): [from: string, to: string] {
  switch (changed.field) {
    case "price":
      return [formatMoney(changed.from), formatMoney(changed.to)];
    case "stock":
      return [stockText(changed.from), stockText(changed.to)];
    case "image_urls":
      return [changed.from.join(" ") || "none", changed.to.join(" ") || "none"];
    case "hidden":
      return [String(changed.from), String(changed.to)];
    case "name":
    case "description":
    case "image_url":
      return [changed.from, changed.to];
  }
}

/** A count of pieces, or that there is none. */
function stockText(stock: number | null): string {
  return stock === null ? "not counted" : String(stock);
}
