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
  orders show ID                          one order, its history and contracts
  orders ship ID [--reason TEXT]          it has left the house
  orders deliver ID [--reason TEXT]       it has arrived
  orders cancel ID [--reason TEXT]        it will not be sent; asks first where it was paid
  payments mismatches                     contracts that do not pay their order
  items list                              the catalogue, hidden items too
  items import FILE.json [--dry-run]      add and change items, all or none; tells each change
  items export [FILE.json]                the catalogue, to edit and import again
  items set-price ID PRICE
  items hide ID …
  items show ID …

  An order's ID may be shortened to its first 8 characters.
  --json prints JSON instead of tables.
  --yes cancels a paid order without asking; it is needed where nobody can be asked.
  --dry-run tells what an import would change, and changes nothing.

  SHOP_URL        which shop (http://localhost:$PORT, or 3000)
  MERCHANT_TOKEN  the token (the file merchant-token beside DATABASE_URL's)

  Exit codes: 0 done, 1 fault, 2 wrong use or input, or not confirmed, 3 not found,
              4 refused, 5 shop out of reach or token refused`;

/** The command that gives each of the merchant's statuses to an order: `orders ship ID`. */
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
  /** How many columns the terminal has. */
  readonly columns: number;
  /** Asks the person at the terminal; `undefined` where there is none. */
  readonly ask?: ((question: string) => Promise<string>) | undefined;
}

/**
 * Runs one command.
 *
 * @param args what was typed after the program's name
 * @throws {CommandFailed} with the exit code and what to tell
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
    usageError(`It is used like this: npm run merchant -- ${[group, action, ...names].join(" ")}`);
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
      throw usageError(`There is no command "${`${group} ${action}`.trim()}".`);
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

/** An order's id as a person copies it: the screens write it with a `#`. */
function orderId(text: string): string {
  return text.replace(/^#/, "");
}
