import { centsFromAmount, currency, formatMoney, isPrice, MAX_PRICE } from "@keepsats/domain";
import {
  type ItemChange,
  type ItemPatch,
  importAnswerSchema,
  itemIdSchema,
  itemImportSchema,
  itemPatchSchema,
  itemWriteSchema,
  MAX_STOCK,
  type MerchantItem,
  merchantItemSchema,
  merchantItemsSchema,
  paths,
  withId,
} from "@keepsats/protocol";
import * as z from "zod/mini";
import type { Call, OptionName, Options } from "../command.ts";
import { CommandFailed, exitCodes, usageError } from "../exit.ts";
import { json, type Output, printable, shortened } from "../output.ts";
import { readText } from "../read-text.ts";
import { linesOf } from "./item-changes.ts";

const SHOWN_NAME = 60;

/** The options that give an item its fields. */
export const fieldOptions = [
  "name",
  "price",
  "description",
  "description-file",
  "picture",
  "stock",
  "hidden",
] as const satisfies OptionName[];
type FieldName = (typeof fieldOptions)[number];

/** `items new ID …`: refused if there is such an item. */
export async function newItem(call: Call<FieldName>): Promise<void> {
  const checked = itemWriteSchema.safeParse(wireOf(await fieldsOf(call)));
  if (!checked.success) throw usageError(faultsOf(checked.error));
  const item = await call.client.call({
    method: "PUT",
    path: withId(paths.merchant.item, knownForm(call.args[0] ?? "")),
    headers: { "if-none-match": "*" },
    body: z.encode(itemWriteSchema, checked.data),
    answer: merchantItemSchema,
  });
  report(call.output, item, `is ${item.hidden ? "stored, hidden" : "on sale now"}`);
}

/** `items edit ID …`: changes the fields that are given. */
export async function editItem(call: Call<FieldName>): Promise<void> {
  const checked = itemPatchSchema.safeParse(wireOf(await fieldsOf(call)));
  if (!checked.success) throw usageError(faultsOf(checked.error));
  if (Object.keys(checked.data).length === 0)
    throw usageError("Give at least one field to change.");
  // What cannot be read beforehand is not shown; the change itself is refused with the reason.
  const changes = call.output.json ? [] : await changesOf(call, checked.data).catch(() => []);
  const item = await patchItem(call, checked.data);
  report(call.output, item, "is changed");
  const lines = changes.flatMap(linesOf);
  if (lines.length > 0) call.output.line(lines.join("\n"));
}

/** What a patch would change, as the dry run of an import tells it. */
async function changesOf(
  { client, args: [id = ""] }: Call,
  patch: ItemPatch,
): Promise<ItemChange[]> {
  const { changes } = await client.call({
    method: "POST",
    path: paths.merchant.import,
    query: { dry_run: "1" },
    body: z.encode(itemImportSchema, { items: [{ id, ...patch }] }),
    answer: importAnswerSchema,
  });
  return changes;
}

/** `items set-price ID PRICE`. */
export async function setPrice(call: Call): Promise<void> {
  const item = await patchItem(call, { price: centsOf(call.args[1] ?? "") });
  report(call.output, item, `costs ${formatMoney(item.price)} now`);
}

/** `items stock ID COUNT|none`. */
export async function setStock(call: Call): Promise<void> {
  const item = await patchItem(call, { stock: stockOf(call.args[1] ?? "") });
  report(
    call.output,
    item,
    item.stock === null ? "is not counted now" : `has ${item.stock} in stock now`,
  );
}

/** `items delete ID`: asks first. */
export async function deleteItem({
  client,
  output,
  args: [id = ""],
  confirm,
}: Call<"yes">): Promise<void> {
  await confirm(`Deleting ${printable(id)} cannot be taken back; "items hide" can`, "Delete it");
  const answer = z.object({ id: z.string() });
  const deleted = await client.call({
    method: "DELETE",
    path: withId(paths.merchant.item, id),
    answer,
  });
  output.line(output.json ? json(deleted) : `${printable(deleted.id)} is deleted.`);
}

/** Where an item goes: to an end of the catalogue, or beside another item. */
type Place =
  | { readonly kind: "first" | "last" }
  | { readonly kind: "before" | "after"; readonly id: string };

type PlaceName = "first" | "last" | "before" | "after";

/** `items move ID …`. */
export async function moveItem({
  client,
  output,
  args: [id = ""],
  options,
}: Call<PlaceName>): Promise<void> {
  const place = placeOf(options);
  const { items } = await client.call({ path: paths.merchant.items, answer: merchantItemsSchema });
  const ids = items.map((item) => item.id);
  for (const named of [id, ...("id" in place ? [place.id] : [])]) {
    if (!ids.includes(named))
      throw new CommandFailed(
        exitCodes.notFound,
        `No item has the id ${shortened(named, SHOWN_NAME)}.`,
      );
  }
  // An import gives the items that it mentions the order of its file.
  await client.call({
    method: "POST",
    path: paths.merchant.import,
    body: z.encode(itemImportSchema, { items: moved(ids, id, place).map((one) => ({ id: one })) }),
    answer: importAnswerSchema,
  });
  const item = items.find((one) => one.id === id);
  if (item !== undefined) report(output, item, "is moved");
}

function placeOf({ first, last, before, after }: Options<PlaceName>): Place {
  const places: Place[] = [
    ...(first === true ? [{ kind: "first" } as const] : []),
    ...(last === true ? [{ kind: "last" } as const] : []),
    ...(before === undefined ? [] : [{ kind: "before", id: before } as const]),
    ...(after === undefined ? [] : [{ kind: "after", id: after } as const]),
  ];
  const [place] = places;
  if (place !== undefined && places.length === 1) return place;
  throw usageError("Give one of --first, --last, --before ID and --after ID.");
}

/** The ids after a move. */
function moved(ids: readonly string[], id: string, place: Place): string[] {
  const others = ids.filter((one) => one !== id);
  switch (place.kind) {
    case "first":
      return [id, ...others];
    case "last":
      return [...others, id];
    case "before":
      return others.flatMap((one) => (one === place.id ? [id, one] : one));
    case "after":
      return others.flatMap((one) => (one === place.id ? [one, id] : one));
  }
}

function patchItem({ client, args: [id = ""] }: Call, patch: ItemPatch): Promise<MerchantItem> {
  return client.call({
    method: "PATCH",
    path: withId(paths.merchant.item, id),
    body: z.encode(itemPatchSchema, patch),
    answer: merchantItemSchema,
  });
}

/** Reports what has become of an item. */
export function report(output: Output, item: MerchantItem, what: string): void {
  output.line(
    output.json
      ? json(z.encode(merchantItemSchema, item))
      : `${shortened(item.name, SHOWN_NAME)} ${what}.`,
  );
}

/** An id that the shop takes. */
function knownForm(id: string): string {
  const checked = itemIdSchema.safeParse(id);
  if (checked.success) return checked.data;
  throw usageError(`ID: got "${printable(id)}", ${faultsOf(checked.error)}`);
}

/** The fields that are given; amounts in cents. */
async function fieldsOf(call: Call<FieldName>): Promise<ItemPatch> {
  const { name, price, picture: pictures = [], stock, hidden } = call.options;
  const description = await descriptionOf(call);
  const [image_url, ...image_urls] = pictures;
  return {
    ...(name === undefined ? {} : { name }),
    ...(description === undefined ? {} : { description }),
    ...(price === undefined ? {} : { price: centsOf(price) }),
    ...(image_url === undefined ? {} : { image_url, image_urls }),
    ...(stock === undefined ? {} : { stock: stockOf(stock) }),
    ...(hidden === undefined ? {} : { hidden }),
  };
}

/** The fields as the API has them, unchecked. */
function wireOf({ price, ...fields }: ItemPatch): unknown {
  return { ...fields, ...(price === undefined ? {} : { price: price / 100 }) };
}

async function descriptionOf({ options, fileOf }: Call<FieldName>): Promise<string | undefined> {
  const { description, "description-file": named } = options;
  if (named === undefined) return description;
  if (description !== undefined)
    throw usageError("Give one of --description and --description-file.");
  return readText(fileOf(named));
}

function centsOf(typed: string): number {
  const cents = centsFromAmount(typed.replace(currency.symbol, ""));
  if (cents !== undefined && isPrice(cents)) return cents;
  throw usageError(
    `PRICE: got "${printable(typed)}", takes a price in ${currency.plural} such as 12.50, more than 0 and at most ${formatMoney(MAX_PRICE)}`,
  );
}

function stockOf(typed: string): number | null {
  if (typed === "none") return null;
  const stock = /^\d{1,9}$/.test(typed) ? Number(typed) : Number.NaN;
  if (stock <= MAX_STOCK) return stock;
  throw usageError(
    `STOCK: got "${printable(typed)}", takes a whole number from 0 to ${MAX_STOCK}, or none for an item that is not counted`,
  );
}

/** The options and the fields that they give. */
const optionOf: Readonly<Record<string, string>> = {
  image_url: "--picture",
  image_urls: "--picture",
};

function faultsOf(error: z.core.$ZodError): string {
  return error.issues
    .map(({ path: [field], message }) => {
      if (field === undefined) return message;
      const name = String(field);
      return `${optionOf[name] ?? `--${name}`}: ${message}`;
    })
    .join("\n");
}
