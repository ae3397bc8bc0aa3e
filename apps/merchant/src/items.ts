import type { CommandUnknownOpts } from "@commander-js/extra-typings";
import { formatMoney } from "@keepsats/domain";
import { type MerchantItem, merchantItemsSchema, paths, stockFilters } from "@keepsats/protocol";
import * as z from "zod/mini";
import { collect, example, oneOf, parseAmount, parseStock } from "./arguments.ts";
import { exportItems, importFile, importItems } from "./exchange-items.ts";
import { usageError } from "./exit.ts";
import { type Column, table } from "./output.ts";
import type { Session } from "./session.ts";

const columns: readonly Column<MerchantItem>[] = [
  { head: "ITEM", cell: ({ id }) => id },
  { head: "PRICE", right: true, cell: ({ price }) => formatMoney(price) },
  { head: "STOCK", right: true, cell: ({ stock }) => (stock === null ? "" : String(stock)) },
  { head: "", cell: ({ hidden }) => (hidden ? "hidden" : "") },
  { head: "NAME", fill: true, cell: ({ name }) => name },
];

export function addItemCommands(items: CommandUnknownOpts, session: Session): void {
  items
    .command("list")
    .description("the catalogue, with hidden items")
    .option("--stock <stock>", "low: few pieces left; none: sold out", oneOf(stockFilters))
    .addHelpText("after", example("items list --stock low"))
    .action((options) => listItems(session, options.stock));
  items
    .command("set <id>")
    .description("changes the given fields of an item, or adds it")
    .option("--name <name>", "its name")
    .option("--price <price>", "in dollars, such as 12.50", parseAmount)
    .option("--description <text>", "its description")
    .option("--picture <url>", "repeat it for more; the first one is on the card", collect)
    .option("--stock <count>", "how many pieces are left; none: it is not counted", parseStock)
    .option("--hidden", "hide it in the shop")
    .option("--no-hidden", "show it in the shop")
    .addHelpText("after", example("items set enamel-mug --price 19.50 --stock none"))
    .action((id, options) => setItem(session, id, options));
  items
    .command("import <file>")
    .description("adds and changes items from JSON or CSV, all or none")
    .option("--dry-run", "only list the changes")
    .addHelpText("after", example("items import catalogue/items.json --dry-run"))
    .action((file, { dryRun = false }) => importFile(session, file, dryRun));
  items
    .command("export [file]")
    .description("the catalogue, to edit and import again; FILE.csv for a spreadsheet")
    .option("--with-stock", "with the counts of pieces")
    .addHelpText("after", example("items export now.json"))
    .action((file, { withStock = false }) => exportItems(session, file, withStock));
}

async function listItems(
  { client, show, width }: Session,
  stock: (typeof stockFilters)[number] | undefined,
): Promise<void> {
  const path = paths.merchant.items;
  const { items } = await client.call({ path, query: { stock }, answer: merchantItemsSchema });
  show(
    z.encode(merchantItemsSchema, { items }).items,
    items.length === 0 ? "No items." : table(columns, items, width),
  );
}

interface Fields {
  readonly name?: string;
  readonly price?: number;
  readonly description?: string;
  readonly picture?: readonly string[];
  readonly stock?: number | "none";
  readonly hidden?: boolean;
}

/** An import of one item: the shop answers with what has changed. */
async function setItem(
  session: Session,
  id: string,
  { picture: [image_url, ...image_urls] = [], stock, ...fields }: Fields,
): Promise<void> {
  const pictures = image_url === undefined ? {} : { image_url, image_urls };
  const counted = stock === undefined ? {} : { stock: stock === "none" ? null : stock };
  const item = { id, ...fields, ...pictures, ...counted };
  if (Object.keys(item).length === 1) throw usageError("Give at least one field to change.");
  return importItems(session, { body: { items: [item] } }, false);
}
