import { formatMoney } from "@keepsats/domain";
import {
  type ChangedField,
  type ImportAnswer,
  type ItemChange,
  importAnswerSchema,
  merchantItemsSchema,
  paths,
} from "@keepsats/protocol";
import * as z from "zod/mini";
import { usageError } from "./exit.ts";
import { readText, saveFile } from "./files.ts";
import { difference, json, printable, shortened } from "./output.ts";
import type { Session } from "./session.ts";

/** The most changes shown; `--json` writes them all. */
const SHOWN_CHANGES = 1_000;
/** Imports a file. The shop checks all of it before it changes anything. */
export async function importFile(session: Session, name: string, dryRun: boolean): Promise<void> {
  const file = session.fileOf(name);
  const text = await readText(file);
  if (isCsv(file)) return importItems(session, { csv: text }, dryRun);
  const content = parseJson(file, text);
  const items: unknown = Array.isArray(content) ? content : Reflect.get(Object(content), "items");
  return importItems(session, { body: { items } }, dryRun);
}

/** Imports items as the API takes them, or a table of them, and shows the changes. */
export async function importItems(
  { client, progress, show }: Session,
  content: { readonly body: { readonly items: unknown } } | { readonly csv: string },
  dryRun: boolean,
): Promise<void> {
  const items = "body" in content ? content.body.items : undefined;
  progress("Importing …");
  const answer = await client.call({
    method: "POST",
    path: paths.merchant.import,
    query: { dry_run: dryRun ? "1" : undefined },
    ...content,
    answer: importAnswerSchema,
    placeOf: (path) => placeIn(items, path.split(".")),
  });
  show(z.encode(importAnswerSchema, answer), describe(answer, dryRun));
}

function describe({ changes, reordered, ...counts }: ImportAnswer, dryRun: boolean): string {
  const lines = changes.flatMap(linesOf);
  const more = lines.length - SHOWN_CHANGES;
  return [
    ...lines.slice(0, SHOWN_CHANGES),
    ...(more > 0 ? [`… and ${more} more: --json lists them all`] : []),
    ...(reordered ? ["The items now have the order of the file."] : []),
    `${counts.added} added, ${counts.changed} changed, ${counts.unchanged} unchanged.`,
    ...(dryRun ? ["This was a dry run: nothing was changed."] : []),
  ].join("\n");
}

/** The lines about a changed item: one for each field, with the value before and after. */
function linesOf(change: ItemChange): string[] {
  const id = shortened(change.id);
  if (change.kind === "added") return [`added    ${id}: ${shortened(change.name)}`];
  return change.fields.map(({ field, from, to }) => {
    const [before, after] = difference(valueText(field, from), valueText(field, to));
    return `changed  ${id}: ${field} ${before} → ${after}`;
  });
}

function valueText(field: ChangedField["field"], value: ChangedField["from"]): string {
  if (value === null) return "not counted";
  if (typeof value === "object") return value.join(" ") || "none";
  return field === "price" && typeof value === "number" ? formatMoney(value) : String(value);
}

/**
 * Describes the place of an error for a person, counting from 1.
 *
 * @param items the list of items
 * @param path such as `["items", "2", "price"]`, or of a table `["lines", "17", "price"]`
 * @returns such as `item 3 (mug), price` or `line 17, price`
 */
function placeIn(items: unknown, path: readonly string[]): string {
  const [list, index = "", ...field] = path;
  if (list === "lines" && index !== "") return printable([`line ${index}`, ...field].join(", "));
  if (list !== "items" || !/^\d+$/.test(index)) return printable(path.join(".")) || "the file";
  const id: unknown = Array.isArray(items)
    ? Reflect.get(Object(items[Number(index)]), "id")
    : undefined;
  const name = typeof id === "string" ? ` (${shortened(id)})` : "";
  return `item ${Number(index) + 1}${name}${field.length > 0 ? `, ${printable(field.join("."))}` : ""}`;
}

function parseJson(file: string, text: string): unknown {
  try {
    return JSON.parse(text);
  } catch (error) {
    const why = error instanceof Error ? error.message : error;
    throw usageError(printable(`${file} is not JSON: ${why}`));
  }
}

/**
 * Writes the catalogue for `items import`. The counts of pieces are left out unless asked for:
 * orders go on while a file is edited, and an import would put sold pieces back.
 */
export async function exportItems(
  session: Session,
  name: string | undefined,
  withStock: boolean,
): Promise<void> {
  const { client, fileOf, progress, show } = session;
  const file = name === undefined ? undefined : fileOf(name);
  if (file !== undefined && isCsv(file)) {
    const query = { stock: withStock ? "1" : undefined };
    const parts = client.download({ path: paths.merchant.itemsCsv, query });
    const bytes = await saveFile(file, parts, (sofar) =>
      progress(`${Math.round(sofar / 1024)} KB written …`),
    );
    return show({ file, bytes }, `${printable(file)} is written.`);
  }
  const answer = await client.call({ path: paths.merchant.items, answer: merchantItemsSchema });
  const items = z
    .encode(merchantItemsSchema, answer)
    .items.map((item) => writtenItem(item, withStock));
  if (file === undefined) return show({ items }, json({ items }, 2));
  const bytes = await saveFile(file, [Buffer.from(`${JSON.stringify({ items }, null, 2)}\n`)]);
  show({ file, bytes }, `${items.length} items written.`);
}

type WrittenItem = z.input<typeof merchantItemsSchema>["items"][number];

/** Leaves out fields that have the value which an import gives a new item, and unwanted counts. */
function writtenItem(
  { hidden, image_urls, stock, ...item }: WrittenItem,
  withStock: boolean,
): Partial<WrittenItem> {
  return {
    ...item,
    ...(image_urls.length > 0 ? { image_urls } : {}),
    ...(withStock && stock !== null ? { stock } : {}),
    ...(hidden ? { hidden } : {}),
  };
}

/** Whether a file is a table, by its name. */
function isCsv(file: string): boolean {
  return /\.(?:csv|tsv|txt)$/i.test(file);
}
