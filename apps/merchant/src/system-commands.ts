import { type Command, command } from "./command.ts";
import { listDeliveries, repeatDeliveries, sendTestLetter } from "./commands/deliveries.ts";
import { voidLinks } from "./commands/links.ts";
import { showMachine } from "./commands/machine.ts";
import { getSettings, setSetting } from "./commands/shop-settings.ts";
import { showToday } from "./commands/today.ts";
import { listTokens, newToken, withdrawToken } from "./commands/tokens.ts";
import {
  listWebhookDeliveries,
  repeatGivenUp,
  testWebhook,
} from "./commands/webhook-deliveries.ts";
import {
  addWebhook,
  changeSecret,
  editWebhook,
  listWebhooks,
  removeWebhook,
} from "./commands/webhooks.ts";

/**
 * The commands about the day, the machine, mail, deliveries, tokens, webhooks, links and the shop
 * settings.
 */
export const systemCommands: readonly Command[] = [
  command({
    name: "today",
    args: [],
    options: [],
    summary: "what is to do, and the orders of the last days",
    example: "",
    run: showToday,
  }),
  command({
    name: "machine",
    args: [],
    options: [],
    summary: "the machine's settings without secrets, and its versions",
    example: "",
    run: showMachine,
  }),
  command({
    name: "mail test",
    args: ["ADDRESS"],
    options: [],
    summary: "sends a test letter, and prints what the mail server said",
    example: "you@shop.example",
    run: sendTestLetter,
  }),
  command({
    name: "deliveries list",
    args: [],
    options: [],
    summary: "letters and webhook messages that were given up, and why",
    example: "",
    run: listDeliveries,
  }),
  command({
    name: "deliveries repeat",
    args: ["[ID …]"],
    options: ["all"],
    summary: "tells those again at once, or all with --all",
    example: "--all",
    run: repeatDeliveries,
  }),
  command({
    name: "tokens list",
    args: [],
    options: [],
    summary: "the tokens of the merchant API",
    example: "",
    run: listTokens,
  }),
  command({
    name: "tokens new",
    args: ["NAME"],
    options: ["role"],
    required: ["role"],
    summary: "makes a token and prints it, this once",
    example: "till-2 --role staff",
    run: newToken,
  }),
  command({
    name: "tokens withdraw",
    args: ["NAME"],
    options: [],
    summary: "all servers refuse it within a second",
    example: "till-2",
    run: withdrawToken,
  }),
  command({
    name: "webhooks list",
    args: [],
    options: [],
    summary: "the addresses that are told of orders",
    example: "",
    run: listWebhooks,
  }),
  command({
    name: "webhooks add",
    args: ["URL"],
    options: ["events", "secret-file"],
    summary: "adds one and prints its secret, this once",
    example: "https://books.example/hooks --events order.paid,order.cancelled",
    run: addWebhook,
  }),
  command({
    name: "webhooks edit",
    args: ["ID"],
    options: ["url", "events", "on", "off"],
    summary: "changes its address or events; switches it off or on",
    example: "1a2b3c4d --events all --on",
    run: editWebhook,
  }),
  command({
    name: "webhooks secret",
    args: ["ID"],
    options: ["secret-file"],
    summary: "a new secret; the previous one signs too for a day",
    example: "1a2b3c4d",
    run: changeSecret,
  }),
  command({
    name: "webhooks test",
    args: ["ID"],
    options: [],
    summary: "sends a test and prints what it answered",
    example: "1a2b3c4d",
    run: testWebhook,
  }),
  command({
    name: "webhooks deliveries",
    args: ["ID"],
    options: ["status", "all"],
    summary: "what it was sent, and what it answered",
    example: "1a2b3c4d --status given-up",
    run: listWebhookDeliveries,
  }),
  command({
    name: "webhooks repeat",
    args: ["ID"],
    options: [],
    summary: "sends everything again that was given up",
    example: "1a2b3c4d",
    run: repeatGivenUp,
  }),
  command({
    name: "webhooks remove",
    args: ["ID"],
    options: [],
    summary: "what waits for it is skipped",
    example: "1a2b3c4d",
    run: removeWebhook,
  }),
  command({
    name: "links void",
    args: [],
    options: ["yes"],
    summary: "makes all links to orders void that customers have; asks first",
    example: "",
    run: voidLinks,
  }),
  command({
    name: "settings get",
    args: ["[NAME]"],
    options: [],
    summary: "the shop's name, texts, logo, colour …, or one of them",
    example: "accent",
    run: getSettings,
  }),
  command({
    name: "settings set",
    args: ["NAME", "[VALUE]"],
    options: ["file", "none"],
    summary: "changes one at once; --file takes the text of a file, --none empties it",
    example: 'accent "#3aa6ff"',
    run: setSetting,
  }),
];
