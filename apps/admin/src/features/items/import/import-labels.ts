import { formatGroupedMoney, formatVatRate } from "@keepsats/domain";
import type { ChangedField, ImportAnswer } from "@keepsats/protocol";
import { counted } from "../../../lib/format.ts";

/**
 * Summarizes an import before or after it is made, such as "1 new item, 2 changed items, 10
 * unchanged items."
 */
export function importSummary({ added, changed, unchanged, reordered }: ImportAnswer): string {
  if (added + changed === 0 && !reordered)
    return "No changes: the catalogue already matches this file.";
  const parts = [
    ...(added > 0 ? [counted(added, "new item")] : []),
    ...(changed > 0 ? [counted(changed, "changed item")] : []),
    ...(unchanged > 0 ? [counted(unchanged, "unchanged item")] : []),
    ...(reordered ? ["another order of the items"] : []),
  ];
  return `${parts.join(", ")}.`;
}

/** Shown after an import without an answer. */
export const LOST_IMPORT =
  "No response from the shop. Either the whole file was imported, or nothing was. Choose it again: changes that were not imported are listed.";

/** The label of a field with its old and its new value. */
export function differenceOf(changed: ChangedField) {
  switch (changed.field) {
    case "price":
      return difference("Price", changed, formatGroupedMoney);
    case "stock":
      return difference("Stock", changed, stockText);
    case "hidden":
      return difference("Shown in shop", changed, (isHidden) => (isHidden ? "no" : "yes"));
    case "category":
      return difference("Category", changed, textOrNone);
    case "variant_of":
      return difference("Variant of", changed, textOrNone);
    case "variant_name":
      return difference("Variant name", changed, textOrNone);
    case "vat_rate":
      return difference("VAT rate", changed, (rate) =>
        rate === null ? "rate of the shop" : formatVatRate(rate),
      );
    case "image_urls":
      return difference("Further pictures", changed, (urls) => urls.join(" ") || "none");
    case "name":
      return difference("Name", changed, String);
    case "description":
      return difference("Description", changed, String);
    case "image_url":
      return difference("Picture", changed, String);
  }
}

function difference<Value>(
  field: string,
  { from, to }: { readonly from: Value; readonly to: Value },
  textOf: (value: Value) => string,
) {
  return { field, from: textOf(from), to: textOf(to) };
}

const textOrNone = (text: string | null) => text ?? "none";

export function stockText(stock: number | null): string {
  return stock === null ? "not counted" : String(stock);
}
