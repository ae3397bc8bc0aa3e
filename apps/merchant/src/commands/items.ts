import { formatMoney } from "@keepsats/domain";
import {
  importAnswerSchema,
  itemImportSchema,
  merchantItemsSchema,
  paths,
  stockFilters,
} from "@keepsats/protocol";
import * as z from "zod/mini";
import type { Call } from "../command.ts";
import { CommandFailed, exitCodes } from "../exit.ts";
import { oneOf } from "../one-of.ts";
import { type Column, json, shortened, table } from "../output.ts";
import { report } from "./edit-items.ts";

const SHOWN_NAME = 60;

const columns: readonly Column[] = [
  { head: "ITEM" },
  { head: "PRICE", right: true },
  { head: "STOCK", right: true },
  { head: "" },
  { head: "NAME", fill: true },
];

/**
 * `items list [--stock low|none]`: the catalogue, including hidden items, or what on sale is low in
 * stock or sold out.
 */
export async function listItems({
  client,
  output,
  options: { stock },
}: Call<"stock">): Promise<void> {
  const wanted = oneOf(stockFilters, stock, "stock");
  const { items } = await client.call({
    path: paths.merchant.items,
    query: { stock: wanted },
    answer: merchantItemsSchema,
  });
  if (output.json) return output.line(json(z.encode(merchantItemsSchema, { items }).items));
  if (items.length === 0) return output.line("No items.");
  const rows = items.map(({ id, name, price, stock, hidden }) => [
    id,
    formatMoney(price),
    stock === null ? "" : String(stock),
    hidden ? "hidden" : "",
    name,
  ]);
  output.line(table(columns, rows, output.width).join("\n"));
}

/** `items hide|show ID…`: changes all of them, or none if one is unknown. */
export async function setHidden(
  { client, output, args: ids }: Call,
  hidden: boolean,
): Promise<void> {
  const { items } = await client.call({ path: paths.merchant.items, answer: merchantItemsSchema });
  const known = new Map(items.map((item) => [item.id, item]));
  const unknown = ids.filter((id) => !known.has(id));
  if (unknown.length > 0) {
    throw new CommandFailed(
      exitCodes.notFound,
      `No item has the id ${unknown.map((id) => shortened(id, SHOWN_NAME)).join(", ")}. Nothing was changed.`,
    );
  }
  // In catalogue order, because an import gives known items the order of its file.
  const mentioned = new Set(ids);
  const changed = items.filter(({ id }) => mentioned.has(id)).map(({ id }) => ({ id, hidden }));
  await client.call({
    method: "POST",
    path: paths.merchant.import,
    body: z.encode(itemImportSchema, { items: changed }),
    answer: importAnswerSchema,
  });
  for (const id of mentioned) {
    const item = known.get(id);
    if (item !== undefined)
      report(output, { ...item, hidden }, hidden ? "is hidden now" : "is on sale now");
  }
}
