import { stockFilters } from "@keepsats/protocol";
import { type Command, command } from "./command.ts";
import {
  deleteItem,
  editItem,
  fieldOptions,
  moveItem,
  newItem,
  setPrice,
  setStock,
} from "./commands/edit-items.ts";
import { exportItems, importItems } from "./commands/exchange.ts";
import { listItems, setHidden } from "./commands/items.ts";
import { uploadItemPicture, uploadPicture } from "./commands/upload-picture.ts";

/** The commands about the catalogue. */
export const itemCommands: readonly Command[] = [
  command({
    name: "items list",
    args: [],
    options: ["stock"],
    values: { stock: stockFilters.join("|") },
    summary: "the catalogue, or what on sale is low in stock or sold out",
    example: "--stock low",
    run: listItems,
  }),
  command({
    name: "items new",
    args: ["ID"],
    options: fieldOptions,
    required: ["name", "price", "picture"],
    summary: "adds one; of several --picture the first is the one of the card",
    example:
      'tin-cup --name "Tin Cup" --price 9.50 --description "For tea." --picture /pictures/enamel-mug.svg --stock 20',
    run: newItem,
  }),
  command({
    name: "items edit",
    args: ["ID"],
    options: fieldOptions,
    summary: "changes the given fields; --picture replaces all pictures",
    example: "enamel-mug --price 19.50 --stock none",
    run: editItem,
  }),
  command({
    name: "items picture",
    args: ["ID", "FILE"],
    options: [],
    summary: "uploads a picture (PNG, JPEG, WebP, AVIF, GIF) as its first one",
    example: "enamel-mug docs/images/shop.png",
    run: uploadItemPicture,
  }),
  command({
    name: "pictures upload",
    args: ["FILE"],
    options: [],
    summary: "uploads a picture and prints its address, for items and the logo",
    example: "docs/images/shop.png",
    run: uploadPicture,
  }),
  command({
    name: "items set-price",
    args: ["ID", "PRICE"],
    options: [],
    summary: "changes the price of new orders",
    example: "moka-pot 49.50",
    run: setPrice,
  }),
  command({
    name: "items stock",
    args: ["ID", "COUNT|none"],
    options: [],
    summary: "how many pieces are left; none: it is not counted",
    example: "moka-pot 12",
    run: setStock,
  }),
  command({
    name: "items hide",
    args: ["ID …"],
    options: [],
    summary: "takes items off the shop's page, all or none",
    example: "enamel-mug moka-pot",
    run: (call) => setHidden(call, true),
  }),
  command({
    name: "items show",
    args: ["ID …"],
    options: [],
    summary: "puts hidden items on sale again, all or none",
    example: "enamel-mug moka-pot",
    run: (call) => setHidden(call, false),
  }),
  command({
    name: "items move",
    args: ["ID"],
    options: ["first", "last", "before", "after"],
    summary: "to an end of the catalogue, or beside another item",
    example: "moka-pot --before enamel-mug",
    run: moveItem,
  }),
  command({
    name: "items delete",
    args: ["ID"],
    options: ["yes"],
    summary: "asks first; orders keep their lines of it",
    example: "enamel-mug",
    run: deleteItem,
  }),
  command({
    name: "items import",
    args: ["FILE"],
    options: ["dry-run"],
    summary: "adds and changes items from JSON or CSV; --dry-run only lists the changes",
    example: "catalogue/items.json --dry-run",
    run: importItems,
  }),
  command({
    name: "items export",
    args: ["[FILE]"],
    options: ["with-stock"],
    summary:
      "the catalogue, to edit and import again; FILE.csv for a spreadsheet; --with-stock: with the counts of pieces",
    example: "now.json",
    run: exportItems,
  }),
];
