import { type Cents, formatGroupedMoney, isPrice, MAX_PRICE } from "@keepsats/domain";
import type { AdminItem } from "@keepsats/protocol";
import * as z from "zod/mini";
import { emptyAs, parsedText } from "../../../lib/forms/form-schema.ts";
import { stockText } from "../import/import-labels.ts";
import { itemForm } from "../item-form.ts";

export type BulkEdit = "show" | "hide" | "price" | "stock" | "category";

type Patch = Partial<Pick<AdminItem, "hidden" | "price" | "stock" | "category">>;

/** The change of one item; `undefined` if its new price would be out of range. */
type PatchOf = (item: AdminItem) => Patch | undefined;

interface EditDeclaration {
  /** Whether the edit can change the item; by default it can. */
  readonly isFor?: (item: AdminItem) => boolean;
  readonly title: (items: string) => string;
  /** The text of the button that opens the dialog, and of the one that saves. */
  readonly action: string;
  /** The verb of the report, such as "hidden". */
  readonly done: string;
  /** Of the field for the new value; without a label there is none. */
  readonly label?: string;
  readonly hint?: string;
  /** Parses the field. */
  readonly schema: z.ZodMiniType<PatchOf, string>;
  /** Shows the value that the edit changes. */
  readonly textOf: (item: AdminItem) => string;
}

const visibilityText = ({ hidden }: AdminItem) => (hidden ? "not shown" : "shown");

/** A schema for the patch of all items, from the schema of a value. */
function sameForAll<Value>(
  value: z.ZodMiniType<Value, string>,
  patchOf: (value: Value) => Patch,
): EditDeclaration["schema"] {
  return z.pipe(
    value,
    z.transform((parsed: Value) => () => patchOf(parsed)),
  );
}

export const bulkEdits: Readonly<Record<BulkEdit, EditDeclaration>> = {
  show: {
    isFor: ({ hidden }) => hidden,
    title: (items) => `Show ${items} in the shop?`,
    action: "Show",
    done: "shown",
    schema: sameForAll(z.string(), () => ({ hidden: false })),
    textOf: visibilityText,
  },
  hide: {
    isFor: ({ hidden }) => !hidden,
    title: (items) => `Hide ${items} from the shop?`,
    action: "Hide",
    done: "hidden",
    schema: sameForAll(z.string(), () => ({ hidden: true })),
    textOf: visibilityText,
  },
  price: {
    title: (items) => `Change the price of ${items}`,
    action: "Change prices",
    done: "changed",
    label: "Change in percent",
    hint: "Such as 10, or -12.5 for a lower price.",
    schema: z.pipe(
      parsedText("Enter a percentage such as 10 or -12.5.", parsePercent),
      z.transform((percent: number) => (item: AdminItem) => {
        const price = priceAfter(item.price, percent);
        return price === undefined ? undefined : { price };
      }),
    ),
    textOf: ({ price }) => formatGroupedMoney(price),
  },
  stock: {
    title: (items) => `Set the stock of ${items}`,
    action: "Set stock",
    done: "changed",
    label: "Stock of each item",
    hint: "Empty: not counted.",
    schema: sameForAll(itemForm.schema.shape.stock, (stock = null) => ({ stock })),
    textOf: ({ stock }) => stockText(stock),
  },
  category: {
    title: (items) => `Set the category of ${items}`,
    action: "Set category",
    done: "changed",
    label: "Category",
    schema: sameForAll(emptyAs(null, z.nullable(z.string())), (category) => ({ category })),
    textOf: ({ category }) => category ?? "without a category",
  },
};

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

/** The preview of one item. One that stays the same is left out; with a `reason` it is refused. */
export type Preview =
  | { readonly patch: Patch; readonly from: string; readonly to: string }
  | { readonly patch?: undefined; readonly from: string; readonly reason?: string };

const NOT_A_PRICE = `not a price from $0.01 to ${formatGroupedMoney(MAX_PRICE)}`;

export function previewOf(edit: BulkEdit, item: AdminItem, patchOf: PatchOf): Preview {
  const { textOf } = bulkEdits[edit];
  const from = textOf(item);
  const patch = patchOf(item);
  if (patch === undefined) return { from, reason: NOT_A_PRICE };
  const to = textOf({ ...item, ...patch });
  return from === to ? { from } : { patch, from, to };
}

/** An edit of one item that is not made yet. */
export interface PlannedEdit {
  readonly id: string;
  readonly seen: AdminItem;
  readonly patch: Patch;
}

/**
 * The edits of the items that would change.
 *
 * @param patchOf `undefined` for an invalid input
 */
export function plannedEdits(
  edit: BulkEdit,
  patchOf: PatchOf | undefined,
  items: readonly AdminItem[],
): readonly PlannedEdit[] {
  if (patchOf === undefined) return [];
  return items.flatMap((seen) => {
    const { patch } = previewOf(edit, seen, patchOf);
    return patch === undefined ? [] : [{ id: seen.id, seen, patch }];
  });
}
