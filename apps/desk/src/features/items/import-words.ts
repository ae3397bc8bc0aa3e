import { formatGroupedMoney } from "@keepsats/domain";
import type { ChangedField, ImportAnswer } from "@keepsats/protocol";

/** A field before and after, as texts. */
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
    return "Nothing is different: the catalogue is like this file already.";
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

/** What is told when the answer of an import has not arrived. */
export const lostImport =
  "The answer of the shop did not arrive. Either the whole file is imported or nothing of it: compare it again, and only what is not imported is different.";

/**
 * How much of a file is sent, such as "Sending the file: 2.1 of 8.1 MB". @param total in bytes, as
 * `sent`
 */
export function sentWords({
  sent,
  total,
}: {
  readonly sent: number;
  readonly total: number;
}): string {
  const megabytes = (bytes: number) => (bytes / 1024 / 1024).toFixed(1);
  return `Sending the file: ${megabytes(sent)} of ${megabytes(total)} MB`;
}

/** A changed field for people. */
export function differenceOf(changed: ChangedField): Difference {
  switch (changed.field) {
    case "price":
      return {
        field: "Price",
        from: formatGroupedMoney(changed.from),
        to: formatGroupedMoney(changed.to),
      };
    case "stock":
      return { field: "Stock", from: countText(changed.from), to: countText(changed.to) };
    case "hidden":
      return { field: "Shown in shop", from: shownText(changed.from), to: shownText(changed.to) };
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

/** A count of pieces for people. */
export function countText(stock: number | null): string {
  return stock === null ? "not counted" : String(stock);
}
