import { amountFromCents } from "@keepsats/domain";
import type { MerchantItem } from "@keepsats/protocol";
import { itemFields } from "../catalogue/item.ts";
import { textCell, unsafeCell } from "./formula-cells.ts";

/** The columns of a CSV file of items, named after the fields of an item. */
export const itemColumns = ["id", ...itemFields] as const;
export type ItemColumn = (typeof itemColumns)[number];

/** How a file of items is written. Cells with a single line feed need quotes too. */
export const csvShape = { record_delimiter: "windows", quoted_match: /[\r\n]/ } as const;

const numbers: ReadonlySet<ItemColumn> = new Set(["price", "stock"]);

/** The cells of an item, in the order of the columns. */
export function cellsOf(item: MerchantItem, columns: readonly ItemColumn[]): string[] {
  const cells: Readonly<Record<ItemColumn, string>> = {
    ...item,
    price: amountFromCents(item.price).toFixed(2),
    image_urls: item.image_urls.join(" "),
    stock: item.stock === null ? "" : String(item.stock),
    hidden: item.hidden ? "true" : "false",
  };
  return columns.map((column) => (numbers.has(column) ? cells[column] : textCell(cells[column])));
}

/** Columns whose empty cells leave the field unchanged; an empty id is made from the name. */
const neverEmpty: ReadonlySet<ItemColumn> = new Set([
  "id",
  "name",
  "description",
  "price",
  "image_url",
]);

/**
 * A field of an item from its cell, as JSON has it; the schema of an item checks it. An empty cell
 * of an optional column stands for no further pictures, an item that is not counted, and one that
 * is not hidden. That of another column is `undefined`: the field stays as it is.
 *
 * @param decimalComma whether `12,50` is a price, as in files with semicolons
 */
export function fieldOf(column: ItemColumn, cell: string, decimalComma: boolean): unknown {
  const text = unsafeCell(cell);
  const trimmed = text.trim();
  if (trimmed === "" && neverEmpty.has(column)) return undefined;
  switch (column) {
    case "price":
      return numberOf(decimalComma ? trimmed.replace(",", ".") : trimmed);
    case "stock":
      return trimmed === "" ? null : numberOf(trimmed);
    case "hidden":
      return flagOf(trimmed.toLowerCase());
    case "image_urls":
      return trimmed === "" ? [] : trimmed.split(/\s+/);
    case "id":
    case "image_url":
      return trimmed;
    case "name":
    case "description":
      return text;
  }
}

/**
 * The number of a text like `12.50`; any other text as it is, which no schema of a number takes.
 */
function numberOf(text: string): number | string {
  return /^-?\d{1,12}(?:\.\d{1,12})?$/.test(text) ? Number(text) : text;
}

function flagOf(text: string): boolean | string {
  if (["true", "yes", "1"].includes(text)) return true;
  return ["", "false", "no", "0"].includes(text) ? false : text;
}
