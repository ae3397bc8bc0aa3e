import { type Cents, formatGroupedMoney, isPrice, MAX_PRICE } from "@keepsats/domain";
import type { AdminItem, ItemPatch } from "@keepsats/protocol";
import type { Toast } from "@keepsats/ui/toasts.ts";
import { counted } from "../../../lib/format.ts";
import type { Outcomes } from "../../../lib/use-bulk.ts";
import { stockText } from "../import/import-labels.ts";
import { changedItem, parseField } from "../item-form.ts";

export type BulkEdit = "show" | "hide" | "price" | "stock" | "category";

/** The preview of one item. An item without a change, or with a refused one, is left out. */
export type Preview =
  | {
      readonly kind: "change";
      readonly patch: ItemPatch;
      readonly from: string;
      readonly to: string;
    }
  | { readonly kind: "same"; readonly value: string }
  | { readonly kind: "refused"; readonly value: string; readonly reason: string };

type ParsedEdit =
  | { readonly kind: "previews"; readonly of: (item: AdminItem) => Preview }
  | { readonly kind: "invalid"; readonly message: string };

const NOT_A_PRICE = `not a price from $0.01 to ${formatGroupedMoney(MAX_PRICE)}`;

/** The previews of an edit. `text`: the input of staff: a percentage, a stock, or a category. */
export function parseEdit(edit: BulkEdit, text: string): ParsedEdit {
  switch (edit) {
    case "show":
    case "hide":
      return { kind: "previews", of: (item) => previewOf(edit, item, { hidden: edit === "hide" }) };
    case "stock": {
      const parsed = parseField("stock", text);
      if (parsed.kind === "invalid") return parsed;
      return { kind: "previews", of: (item) => previewOf(edit, item, parsed.patch) };
    }
    case "category": {
      const patch = { category: text === "" ? null : text };
      return { kind: "previews", of: (item) => previewOf(edit, item, patch) };
    }
    case "price": {
      const percent = parsePercent(text);
      if (percent === undefined)
        return { kind: "invalid", message: "Enter a percentage such as 10 or -12.5." };
      return {
        kind: "previews",
        of(item) {
          const price = priceAfter(item.price, percent);
          return price === undefined
            ? { kind: "refused", value: valueText(edit, item), reason: NOT_A_PRICE }
            : previewOf(edit, item, { price });
        },
      };
    }
  }
}

/**
 * Parses a change in percent: `10`, `−12.5 %`, `+2,25`.
 *
 * @returns hundredths of a percent, because floating point would round some prices wrongly;
 *   `undefined` for any other text
 */
export function parsePercent(text: string): number | undefined {
  const match = /^([+\-−]?)(\d{1,5})(?:[.,](\d{1,2}))?\s*%?$/.exec(text.trim());
  if (match === null) return undefined;
  const [, sign, whole, fraction = ""] = match;
  const hundredths = Number(whole) * 100 + Number(fraction.padEnd(2, "0"));
  return sign === "-" || sign === "−" ? -hundredths : hundredths;
}

/**
 * A price changed by a percentage, rounded to the cent, half a cent up.
 *
 * @param percent in hundredths of a percent
 * @returns `undefined` if the result is not a price: below a cent, or above the maximum
 */
export function priceAfter(price: Cents, percent: number): Cents | undefined {
  const changed = Math.round((price * (10_000 + percent)) / 10_000);
  return isPrice(changed) ? changed : undefined;
}

function previewOf(edit: BulkEdit, item: AdminItem, patch: ItemPatch): Preview {
  const from = valueText(edit, item);
  const { hidden = item.hidden, category = item.category } = patch;
  const to = valueText(edit, { ...changedItem(item, patch), hidden, category });
  return from === to ? { kind: "same", value: from } : { kind: "change", patch, from, to };
}

function valueText(edit: BulkEdit, { hidden, price, stock, category }: AdminItem): string {
  switch (edit) {
    case "show":
    case "hide":
      return hidden ? "not shown" : "shown";
    case "price":
      return formatGroupedMoney(price);
    case "stock":
      return stockText(stock);
    case "category":
      return category ?? "without a category";
  }
}

/** `conflict`: the item has changed since it was shown, so it was not changed. */
export type Outcome =
  | { readonly kind: "changed"; readonly item: AdminItem }
  | { readonly kind: "conflict" }
  | { readonly kind: "failed"; readonly text: string };

/** An edit of one item that is not made yet. */
export interface PlannedEdit {
  readonly id: string;
  readonly seen: AdminItem;
  readonly patch: ItemPatch;
}

/** The changes that are not made yet: of items without an outcome, or failed. */
export function openChanges(
  edit: BulkEdit,
  text: string,
  items: readonly AdminItem[],
  outcomes: Outcomes<Outcome>,
): readonly PlannedEdit[] {
  const all = parseEdit(edit, text);
  if (all.kind === "invalid") return [];
  return items.flatMap((seen) => {
    if ((outcomes.get(seen.id)?.kind ?? "failed") !== "failed") return [];
    const preview = all.of(seen);
    return preview.kind === "change" ? [{ id: seen.id, seen, patch: preview.patch }] : [];
  });
}

const verbs: Readonly<Record<BulkEdit, string>> = {
  show: "shown",
  hide: "hidden",
  price: "changed",
  stock: "changed",
  category: "changed",
};

/** @param current the item as it is stored now; `undefined` if it is deleted */
export function outcomeText(
  edit: BulkEdit,
  outcome: Outcome,
  current: AdminItem | undefined,
): string {
  switch (outcome.kind) {
    case "changed":
      return `Now ${valueText(edit, outcome.item)}.`;
    case "conflict": {
      const now = current === undefined ? "deleted" : valueText(edit, current);
      return `Not ${verbs[edit]}: someone else has changed it. It is now ${now}.`;
    }
    case "failed":
      return `Not ${verbs[edit]}: ${outcome.text}`;
  }
}

/**
 * The number of changed items, and the reason for each other item.
 *
 * @param items as they are stored now
 */
export function bulkReport(
  edit: BulkEdit,
  outcomes: Outcomes<Outcome>,
  items: readonly AdminItem[],
): Toast {
  const failed = [...outcomes].filter(([, { kind }]) => kind !== "changed");
  const title = `${counted(outcomes.size - failed.length, "item")} ${verbs[edit]}`;
  return {
    kind: failed.length === 0 ? "success" : "error",
    title: failed.length === 0 ? title : `${title}, ${failed.length} not`,
    description: failed
      .map(([id, outcome]) => {
        const current = items.find((item) => item.id === id);
        return `${current?.name ?? id}: ${outcomeText(edit, outcome, current)}`;
      })
      .join(" "),
  };
}
