import { amountFromCents, percentFromVatRate } from "@keepsats/domain";
import type { AdminItem } from "@keepsats/protocol";
import { escapeCell, unescapeCell } from "../../../platform/http/csv-injection.ts";
import { itemFields } from "../item.ts";

/** The columns of a CSV file of items, named after the fields of an item. */
export const itemColumns = ["id", ...itemFields] as const;
export type ItemColumn = (typeof itemColumns)[number];

const numbers: ReadonlySet<ItemColumn> = new Set(["price", "stock", "vat_rate"]);

export function cellsOf(item: AdminItem, columns: readonly ItemColumn[]): string[] {
  const cells: Readonly<Record<ItemColumn, string>> = {
    ...item,
    price: amountFromCents(item.price).toFixed(2),
    image_urls: item.image_urls.join(" "),
    stock: item.stock === null ? "" : String(item.stock),
    vat_rate: item.vat_rate === null ? "" : String(percentFromVatRate(item.vat_rate)),
    hidden: item.hidden ? "true" : "false",
    category: item.category ?? "",
    variant_of: item.variant_of ?? "",
    variant_name: item.variant_name ?? "",
  };
  return columns.map((column) => (numbers.has(column) ? cells[column] : escapeCell(cells[column])));
}

/**
 * An empty cell of these columns leaves the field unchanged; an empty id is derived from the name.
 */
const neverEmpty: ReadonlySet<ItemColumn> = new Set([
  "id",
  "name",
  "description",
  "price",
  "image_url",
]);

/**
 * Parses a cell to the field as in JSON, which the schema of an item then validates. An empty cell
 * of an optional column means no further pictures, not counted, not hidden, no category, or not a
 * variant. An empty cell of another column is `undefined`: the field stays as it is.
 *
 * @param decimalComma whether `12,50` is a price, as in files with semicolons
 */
export function fieldOf(column: ItemColumn, cell: string, decimalComma: boolean): unknown {
  const text = unescapeCell(cell);
  const trimmed = text.trim();
  if (trimmed === "" && neverEmpty.has(column)) return undefined;
  switch (column) {
    case "price":
      return numberOf(decimalComma ? trimmed.replace(",", ".") : trimmed);
    case "stock":
      return trimmed === "" ? null : numberOf(trimmed);
    case "vat_rate":
      return trimmed === "" ? null : numberOf(decimalComma ? trimmed.replace(",", ".") : trimmed);
    case "hidden":
      return flagOf(trimmed.toLowerCase());
    case "image_urls":
      return trimmed === "" ? [] : trimmed.split(/\s+/);
    case "category":
    case "variant_of":
    case "variant_name":
      return trimmed === "" ? null : trimmed;
    case "id":
    case "image_url":
      return trimmed;
    case "name":
    case "description":
      return text;
  }
}

/** Returns a text that is not a number unchanged, which the schema refuses. */
function numberOf(text: string): number | string {
  return /^-?\d{1,12}(?:\.\d{1,12})?$/.test(text) ? Number(text) : text;
}

function flagOf(text: string): boolean | string {
  if (["true", "yes", "1"].includes(text)) return true;
  return ["", "false", "no", "0"].includes(text) ? false : text;
}
