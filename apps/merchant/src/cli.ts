import { resolve } from "node:path";
import { parseArgs } from "node:util";
import { isMerchantStatus, type MerchantStatus, orderStatuses } from "@keepsats/domain";
import { config as configureSchemas } from "zod/mini";
import en from "zod/v4/locales/en.js";
import { createClient } from "./client.ts";
import { exportItems, importItems } from "./commands/exchange.ts";
import { listItems, setHidden, setPrice } from "./commands/items.ts";
import { moveOrder } from "./commands/move-order.ts";
import { listOrders, showOrder } from "./commands/orders.ts";
import { listMismatches } from "./commands/payments.ts";
import { usageError } from "./exit.ts";
import type { Output } from "./output.ts";
import { readSettings } from "./settings.ts";

configureSchemas(en());

const help = `Usage: npm run merchant -- COMMAND [--json]

  orders list [--status STATUS] [--all]   the newest orders, or all
  orders show ID                          one order with its history and contracts
  orders ship ID [--reason TEXT]          marks it as shipped
  orders deliver ID [--reason TEXT]       marks it as delivered
  orders cancel ID [--reason TEXT]        cancels it; asks first if it was paid
  payments mismatches                     contracts that do not pay their order
  items list                              the catalogue, including hidden items
  items import FILE.json [--dry-run]      adds and changes items, all or none; lists each change
  items export [FILE.json]                the catalogue as a file to edit and import again
  items set-price ID PRICE
  items hide ID …
  items show ID …

  An order's ID may be shortened to its first 8 characters.
  --json prints JSON instead of tables.
  --yes cancels a paid order without asking; required if the command does not run in a terminal.
  --dry-run lists what an import would change, and changes nothing.

  SHOP_URL        the shop's URL (http://localhost:$PORT, or 3000)
  MERCHANT_TOKEN  the token (the file merchant-token beside DATABASE_URL's)

  Exit codes: 0 done, 1 unexpected error, 2 wrong arguments or input, or not confirmed, 3 not found,
              4 refused, 5 shop unreachable or token refused`;

/** The command for each status that the merchant can set, such as `orders ship ID`. */
const moveCommands: Readonly<Record<MerchantStatus, string>> = {
  Shipped: "ship",
  Delivered: "deliver",
  Cancelled: "cancel",
};

function statusOfCommand(action: string): MerchantStatus | undefined {
  return orderStatuses.filter(isMerchantStatus).find((status) => moveCommands[status] === action);
}

interface World {
  readonly env: Readonly<Record<string, string | undefined>>;
  readonly write: (text: string) => void;
  readonly progress: (text: string) => void;
  /** The width of the terminal in columns. */
  readonly columns: number;
  /** Asks the user at the terminal; `undefined` without a terminal. */
  readonly ask?: ((question: string) => Promise<string>) | undefined;
}

/**
 * Runs one command.
 *
 * @param args the arguments after the program's name
 * @throws {CommandFailed} with the exit code and the message
 */
export async function runCommand(args: readonly string[], world: World): Promise<void> {
  const { positionals, values } = parse(args);
  const [group = "help", action = "", ...rest] = positionals;
  if (group === "help" || values.help === true) return world.write(help);
  const output: Output = {
    json: values.json === true,
    width: world.columns,
    line: world.write,
    progress: world.progress,
  };
  const client = () => createClient(readSettings(world.env));
  const wrongUse = (...names: string[]) =>
    usageError(`Usage: npm run merchant -- ${[group, action, ...names].join(" ")}`);
  const only = (...names: string[]) => {
    if (rest.length !== names.length) throw wrongUse(...names);
    return [rest[0] ?? "", rest[1] ?? ""] as const;
  };
  const { status, all, reason, "dry-run": dryRun = false, yes = false } = values;
  const fileOf = (name: string) => resolve(world.env.INIT_CWD ?? ".", name);

  const to = group === "orders" ? statusOfCommand(action) : undefined;
  if (to !== undefined) {
    const move = { id: orderId(only("ID")[0]), to, reason, yes };
    return moveOrder(client(), output, move, world.ask);
  }
  switch (`${group} ${action}`) {
    case "orders list":
      only();
      return listOrders(client(), output, { status, all });
    case "orders show":
      return showOrder(client(), output, orderId(only("ID")[0]));
    case "payments mismatches":
      only();
      return listMismatches(client(), output);
    case "items list":
      only();
      return listItems(client(), output);
    case "items import":
      return importItems(client(), output, { file: fileOf(only("FILE.json")[0]), dryRun });
    case "items export":
      if (rest.length > 1) throw wrongUse("[FILE.json]");
      return exportItems(client(), output, rest[0] === undefined ? undefined : fileOf(rest[0]));
    case "items set-price": {
      const [id, price] = only("ID", "PRICE");
      return setPrice(client(), output, id, price);
    }
    case "items hide":
    case "items show":
      if (rest.length === 0) throw wrongUse("ID …");
      return setHidden(client(), output, rest, action === "hide");
    default:
      throw usageError(`Unknown command "${`${group} ${action}`.trim()}".`);
  }
}

function parse(args: readonly string[]) {
  try {
    return parseArgs({
      args: [...args],
      allowPositionals: true,
      options: {
        json: { type: "boolean" },
        help: { type: "boolean", short: "h" },
        status: { type: "string" },
        all: { type: "boolean" },
        reason: { type: "string" },
        "dry-run": { type: "boolean" },
        yes: { type: "boolean" },
      },
    });
  } catch (error) {
    const [whatIsWrong] = (error instanceof Error ? error.message : String(error)).split(". ");
    throw usageError(`${whatIsWrong}.`);
  }
}

/** Removes the `#` with which the screens show an order's id. */
function orderId(text: string): string {
  return text.replace(/^#/, "");
}
