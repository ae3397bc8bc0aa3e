import type { CommandUnknownOpts } from "@commander-js/extra-typings";
import { formatGroupedMoney, formatVatRate, itemTitle } from "@keepsats/domain";
import {
  type AdminItem,
  adminItemsSchema,
  type ChangedField,
  type ImportAnswer,
  type ItemChange,
  importAnswerSchema,
  paths,
  stockFilters,
} from "@keepsats/protocol";
import * as z from "zod/mini";
import { collect, example, oneOf, parseAmount, parseNumberOrNone } from "./arguments.ts";
import { messageOf, usageError } from "./errors.ts";
import { readText, saveFile } from "./files.ts";
import { type Column, difference, json, printable, shortened, table } from "./output.ts";
import type { Session } from "./session.ts";

export function addItemCommands(items: CommandUnknownOpts, session: Session): void {
  items
    .command("list")
    .description("List the catalogue, with hidden items")
    .option("--stock <stock>", "low: low in stock; none: sold out", oneOf(stockFilters))
    .addHelpText(...example("items list --stock low"))
    .action(async ({ stock }) => {
      const call = { path: paths.admin.items, query: { stock }, answer: adminItemsSchema };
      const answer = await session.client.call(call);
      const text = table(columns, answer.items, session.width) || "No items.";
      session.show(z.encode(adminItemsSchema, answer).items, text);
    });
  items
    .command("set <id>")
    .description("Change the given fields of an item, or add it")
    .option("--name <name>", "the name of the item")
    .option("--price <price>", "in dollars, such as 12.50", parseAmount)
    .option("--description <text>", "the description of the item")
    .option("--picture <url>", "repeat it for more; the first one is on the card", collect)
    .option("--stock <count>", "pieces that are left; none: not counted", parseNumberOrNone)
    .option("--vat-rate <percent>", "such as 7.5; none: the rate of the shop", parseNumberOrNone)
    .option("--category <name>", "name or id of its category; none: it has none")
    .option("--hidden", "hide it in the shop")
    .option("--no-hidden", "show it in the shop")
    .addHelpText(...example("items set enamel-mug --price 19.50 --stock none"))
    .action(async (id, options) => {
      if (Object.keys(options).length === 0) throw usageError("Give at least one field to change.");
      const { picture, vatRate, stock, category, ...fields } = options;
      const [image_url, ...image_urls] = picture ?? [];
      const pictures = image_url === undefined ? {} : { image_url, image_urls };
      const clearable = {
        stock: stock === "none" ? null : stock,
        vat_rate: vatRate === "none" ? null : vatRate,
        category: category === "none" ? null : category,
      };
      // An import, because its answer lists the changes.
      await importItems(session, { items: [{ id, ...fields, ...pictures, ...clearable }] });
    });
  items
    .command("import <file>")
    .description("Add and change items from JSON or CSV, all or none")
    .option("--dry-run", "only list the changes")
    .addHelpText(...example("items import catalogue/items.json --dry-run"))
    .action((file, { dryRun = false }) => importFile(session, file, dryRun));
  items
    .command("export [file]")
    .description("Export the catalogue, to edit and import again; FILE.csv for a spreadsheet")
    .option("--with-stock", "with the counts of pieces")
    .addHelpText(...example("items export now.json"))
    .action((file, { withStock = false }) => exportItems(session, file, withStock));
}

const columns: readonly Column<AdminItem>[] = [
  { head: "ITEM", cell: ({ id }) => id },
  { head: "PRICE", right: true, cell: ({ price }) => formatGroupedMoney(price) },
  { head: "STOCK", right: true, cell: ({ stock }) => (stock === null ? "" : String(stock)) },
  { head: "", cell: ({ hidden }) => (hidden ? "hidden" : "") },
  { head: "NAME", fill: true, cell: itemTitle },
];

async function importFile(session: Session, name: string, dryRun: boolean): Promise<void> {
  const file = session.fileOf(name);
  const text = await readText(file);
  if (isCsv(file)) return importItems(session, text, dryRun);
  let content: unknown;
  try {
    content = JSON.parse(text);
  } catch (error) {
    throw usageError(printable(`${file} is not JSON: ${messageOf(error)}`));
  }
  const items: unknown = Array.isArray(content) ? content : Reflect.get(Object(content), "items");
  return importItems(session, { items }, dryRun);
}

/**
 * Imports items and shows the changes. The shop checks all of them before it changes anything.
 *
 * @param content items as the API takes them, or CSV
 */
async function importItems(
  session: Session,
  content: string | { readonly items: unknown },
  dryRun = false,
): Promise<void> {
  const call = {
    path: paths.admin.import,
    query: { dry_run: dryRun ? "1" : undefined },
    body: content,
    type: typeof content === "string" ? "text/csv; charset=utf-8" : undefined,
    answer: importAnswerSchema,
    locationOf: (path: string) => locationIn(content, path),
  };
  await session.perform(call, (answer) => describeImport(answer, dryRun));
}

function describeImport({ changes, reordered, ...counts }: ImportAnswer, dryRun: boolean): string {
  return [
    ...changes.flatMap(linesOf),
    ...(reordered ? ["The items now have the order of the file."] : []),
    `${counts.added} added, ${counts.changed} changed, ${counts.unchanged} unchanged.`,
    ...(dryRun ? ["This was a dry run: nothing was changed."] : []),
  ].join("\n");
}

/** A line for each changed field, with the value before and after. */
function linesOf(change: ItemChange): string[] {
  const id = shortened(change.id);
  if (change.kind === "added") return [`added    ${id}: ${shortened(change.name)}`];
  return change.fields.map(({ field, from, to }) => {
    const [before, after] = difference(valueText(field, from), valueText(field, to));
    return `changed  ${id}: ${field} ${before} → ${after}`;
  });
}

const nullTexts: Readonly<Partial<Record<ChangedField["field"], string>>> = {
  stock: "not counted",
  vat_rate: "rate of the shop",
};

function valueText(field: ChangedField["field"], value: ChangedField["from"]): string {
  if (value === null) return nullTexts[field] ?? "none";
  if (typeof value === "object") return value.join(" ") || "none";
  if (typeof value !== "number" || field === "stock") return String(value);
  return field === "vat_rate" ? formatVatRate(value) : formatGroupedMoney(value);
}

/**
 * Names the location of an error for the user, counting from 1.
 *
 * @param path such as `items.2.price`, or for CSV `lines.17.price`
 * @returns such as `item 3 (mug), price` or `line 17, price`
 */
function locationIn(content: unknown, path: string): string {
  const [list, index = "", ...field] = path.split(".");
  if (list === "lines" && index !== "") return printable([`line ${index}`, ...field].join(", "));
  if (list !== "items" || !/^\d+$/.test(index)) return printable(path) || "the file";
  const { items } = Object(content);
  const { id }: { id?: unknown } = Object(Object(items)[index]);
  const name = typeof id === "string" ? ` (${shortened(id)})` : "";
  const location = `item ${Number(index) + 1}${name}`;
  return field.length === 0 ? location : `${location}, ${printable(field.join("."))}`;
}

/**
 * Writes the catalogue for `items import`. The counts of pieces are left out by default: customers
 * buy while a file is edited, and an import would restock the sold pieces.
 */
async function exportItems(
  session: Session,
  name: string | undefined,
  withStock: boolean,
): Promise<void> {
  if (name !== undefined && isCsv(name)) {
    const query = { stock: withStock ? "1" : undefined };
    const chunks = session.client.download({ path: paths.admin.itemsCsv, query });
    return saveFile(session, name, chunks);
  }
  const answer = await session.client.call({ path: paths.admin.items, answer: adminItemsSchema });
  const items = z
    .encode(adminItemsSchema, answer)
    .items.map((item) =>
      Object.fromEntries(
        Object.entries(item).filter(
          ([field, value]) => !isDefault(value) && (withStock || field !== "stock"),
        ),
      ),
    );
  if (name === undefined) return session.show({ items }, json({ items }, 2));
  const content = Buffer.from(`${JSON.stringify({ items }, null, 2)}\n`);
  return saveFile(session, name, content, `${items.length} items written.`);
}

/** Whether an import gives a new item this value if a field is left out. */
function isDefault(value: unknown): boolean {
  return value === null || value === false || (Array.isArray(value) && value.length === 0);
}

function isCsv(file: string): boolean {
  return /\.(?:csv|tsv|txt)$/i.test(file);
}
