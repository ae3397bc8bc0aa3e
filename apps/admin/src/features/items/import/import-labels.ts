import { formatGroupedMoney, formatVatRate } from "@keepsats/domain";
import type { ChangedField, ImportAnswer } from "@keepsats/protocol";
import type { UploadProgress } from "../../../lib/api.ts";

export interface Difference {
  readonly field: string;
  readonly from: string;
  readonly to: string;
}

/**
 * Summarizes an import, such as "1 item will be added, 2 items will be changed, 10 items stay as
 * they are."
 *
 * @param isDone uses the past tense: "1 item was added."
 */
export function importSummary(
  { added, changed, unchanged, reordered }: ImportAnswer,
  isDone = false,
): string {
  if (added + changed === 0 && !reordered)
    return "No changes: the catalogue already matches this file.";
  const items = (count: number, verb: string, verbs = verb) =>
    count === 0 ? [] : [count === 1 ? `1 item ${verb}` : `${count} items ${verbs}`];
  const parts = [
    ...(isDone
      ? [
          ...items(added, "was added", "were added"),
          ...items(changed, "was changed", "were changed"),
        ]
      : [...items(added, "will be added"), ...items(changed, "will be changed")]),
    ...items(
      unchanged,
      isDone ? "stayed as it was" : "stays as it is",
      isDone ? "stayed as they were" : "stay as they are",
    ),
    ...(reordered ? [`the order of the items ${isDone ? "has changed" : "will change"}`] : []),
  ];
  return `${parts.join(", ").replace(/^./, (letter) => letter.toUpperCase())}.`;
}

/** Shown after an import without an answer. */
export const LOST_IMPORT =
  "No response from the shop. Either the whole file was imported, or nothing was. Compare it again: changes that were not imported are listed.";

/** Such as "Sending the file: 2.1 of 8.1 MB". */
export function progressText({ sent, total }: UploadProgress): string {
  const megabytes = (bytes: number) => (bytes / 1024 / 1024).toFixed(1);
  return `Sending the file: ${megabytes(sent)} of ${megabytes(total)} MB`;
}

export function differenceOf(changed: ChangedField): Difference {
  switch (changed.field) {
    case "price":
      return {
        field: "Price",
        from: formatGroupedMoney(changed.from),
        to: formatGroupedMoney(changed.to),
      };
    case "stock":
      return { field: "Stock", from: stockText(changed.from), to: stockText(changed.to) };
    case "hidden":
      return { field: "Shown in shop", from: shownText(changed.from), to: shownText(changed.to) };
    case "category":
      return { field: "Category", ...orNone(changed) };
    case "variant_of":
      return { field: "Variant of", ...orNone(changed) };
    case "variant_name":
      return { field: "Variant name", ...orNone(changed) };
    case "vat_rate":
      return { field: "VAT rate", from: vatText(changed.from), to: vatText(changed.to) };
    case "image_urls":
      return {
        field: "Further pictures",
        from: changed.from.join(" ") || "none",
        to: changed.to.join(" ") || "none",
      };
    case "name":
      return { field: "Name", from: changed.from, to: changed.to };
    case "description":
      return { field: "Description", from: changed.from, to: changed.to };
    case "image_url":
      return { field: "Picture", from: changed.from, to: changed.to };
  }
}

function shownText(isHidden: boolean): string {
  return isHidden ? "no" : "yes";
}

function orNone({ from, to }: { readonly from: string | null; readonly to: string | null }) {
  return { from: from ?? "none", to: to ?? "none" };
}

function vatText(rate: number | null): string {
  return rate === null ? "rate of the shop" : formatVatRate(rate);
}

export function stockText(stock: number | null): string {
  return stock === null ? "not counted" : String(stock);
}
