import { centsFromAmount, currency, formatMoney, isPrice, MAX_PRICE } from "@keepsats/domain";
import {
  type ItemPatch,
  importAnswerSchema,
  itemImportSchema,
  itemPatchSchema,
  type MerchantItem,
  merchantItemSchema,
  merchantItemsSchema,
  paths,
  withId,
} from "@keepsats/protocol";
import * as z from "zod/mini";
import type { Client } from "../client.ts";
import { CommandFailed, exitCodes, usageError } from "../exit.ts";
import { type Column, json, type Output, shortened, table } from "../output.ts";

const SHOWN_NAME = 60;

const columns: readonly Column[] = [
  { head: "ITEM" },
  { head: "PRICE", right: true },
  { head: "" },
  { head: "NAME", fill: true },
];

/** `items list`: the whole catalogue, including hidden items. */
export async function listItems(client: Client, output: Output): Promise<void> {
  const { items } = await client.call({ path: paths.merchant.items, answer: merchantItemsSchema });
  if (output.json) return output.line(json(z.encode(merchantItemsSchema, { items }).items));
  if (items.length === 0) return output.line("No items.");
  const rows = items.map(({ id, name, price, hidden }) => [
    id,
    formatMoney(price),
    hidden ? "hidden" : "",
    name,
  ]);
  output.line(table(columns, rows, output.width).join("\n"));
}

/** `items set-price ID PRICE`. */
export async function setPrice(client: Client, output: Output, id: string, typed: string): Promise<void> {
  const cents = centsFromAmount(typed.replace(currency.symbol, ""));
  if (cents === undefined || !isPrice(cents)) {
    throw usageError(
      `PRICE: got "${typed}", takes a price in ${currency.plural} such as 12.50, more than 0 and at most ${formatMoney(MAX_PRICE)}`,
    );
  }
  const item = await patchItem(client, id, { price: cents });
  report(output, item, `costs ${formatMoney(item.price)} now`);
}

/** `items hide|show ID…`: changes all of them, or none if one is unknown. */
export async function setHidden(
  client: Client,
  output: Output,
  ids: readonly string[],
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
    if (item !== undefined) report(output, { ...item, hidden }, hidden ? "is hidden now" : "is on sale now");
  }
}

function patchItem(client: Client, id: string, patch: ItemPatch): Promise<MerchantItem> {
  return client.call({
    method: "PATCH",
    path: withId(paths.merchant.item, id),
    body: z.encode(itemPatchSchema, patch),
    answer: merchantItemSchema,
  });
}

function report(output: Output, item: MerchantItem, what: string): void {
  output.line(
    output.json ? json(z.encode(merchantItemSchema, item)) : `${shortened(item.name, SHOWN_NAME)} ${what}.`,
  );
}
