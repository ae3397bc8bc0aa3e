import { formatGroupedMoney, formatVatRate } from "@keepsats/domain";
import type { ChangedField, ImportAnswer } from "@keepsats/protocol";
import type { UploadProgress } from "../../../lib/api.ts";

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
