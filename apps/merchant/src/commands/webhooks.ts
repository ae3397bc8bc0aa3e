import {
  paths,
  type Webhook,
  webhookEventTypes,
  webhookSchema,
  webhooksSchema,
  webhookWithSecretSchema,
  withId,
} from "@keepsats/protocol";
import * as z from "zod/mini";
import type { Client } from "../client.ts";
import type { Call } from "../command.ts";
import { CommandFailed, exitCodes, usageError } from "../exit.ts";
import { type Column, formatTime, json, printable, shortened, table } from "../output.ts";
import { readText } from "../read-text.ts";

const columns: readonly Column[] = [
  { head: "ID" },
  { head: "URL", fill: true },
  { head: "EVENTS", most: 30 },
  { head: "STATE", most: 50 },
  { head: "MADE (UTC)" },
  { head: "BY", most: 20 },
];
const SHOWN_URL = 80;

/** `webhooks list`: the webhooks without their secrets. */
export async function listWebhooks({ client, output }: Call): Promise<void> {
  const webhooks = await readWebhooks(client);
  if (output.json) return output.line(json(z.encode(webhooksSchema, { webhooks }).webhooks));
  if (webhooks.length === 0) return output.line("No webhooks.");
  const rows = webhooks.map((webhook) => [
    webhook.id.slice(0, 8),
    webhook.url,
    webhook.events?.join(" ") ?? "all",
    stateOf(webhook),
    formatTime(webhook.created_at),
    webhook.created_by,
  ]);
  output.line(table(columns, rows, output.width).join("\n"));
}

function stateOf({ enabled, off_reason, failing_since }: Webhook): string {
  if (!enabled) return off_reason === null ? "off" : `off: ${off_reason}`;
  return failing_since === null ? "on" : `on, failing since ${formatTime(failing_since)}`;
}

/** `webhooks add URL [--events TYPES]`: adds a webhook and prints its secret. */
export async function addWebhook(call: Call<"events" | "secret-file">): Promise<void> {
  const { client, output, args, options } = call;
  const body = { url: args[0], events: typesIn(options.events), secret: await readSecret(call) };
  const path = paths.merchant.webhooks;
  const webhook = await client.call({
    method: "POST",
    path,
    body,
    answer: webhookWithSecretSchema,
  });
  if (output.json) return output.line(json(z.encode(webhookWithSecretSchema, webhook)));
  output.line(
    `${webhook.secret}\nKeep it now: it is not shown again. ${named(webhook)} is told from now on.`,
  );
}

/** `webhooks edit ID`: changes the address or the events, or switches it off or on. */
export async function editWebhook({
  client,
  output,
  args: [id = ""],
  options: { url, events, on = false, off = false },
}: Call<"url" | "events" | "on" | "off">): Promise<void> {
  if (on && off) throw usageError("Give one of --on and --off.");
  const body = { url, events: typesIn(events), enabled: on || off ? on : undefined };
  if (Object.values(body).every((value) => value === undefined))
    throw usageError("Give at least one of --url, --events, --on and --off.");
  const path = withId(paths.merchant.webhook, (await webhookNamed(client, id)).id);
  const webhook = await client.call({ method: "PATCH", path, body, answer: webhookSchema });
  if (output.json) return output.line(json(z.encode(webhookSchema, webhook)));
  const told = webhook.events?.join(", ") ?? "all events";
  output.line(`${named(webhook)} is ${stateOf(webhook)}, told of ${printable(told)}.`);
}

/** `webhooks remove ID`: what waits for it is skipped. */
export async function removeWebhook({ client, output, args: [id = ""] }: Call): Promise<void> {
  const path = withId(paths.merchant.webhook, (await webhookNamed(client, id)).id);
  const webhook = await client.call({ method: "DELETE", path, answer: webhookSchema });
  if (output.json) return output.line(json(z.encode(webhookSchema, webhook)));
  output.line(`${named(webhook)} is removed.`);
}

/** `webhooks secret ID`: gives it a new secret and prints it. */
export async function changeSecret(call: Call<"secret-file">): Promise<void> {
  const { client, output, args } = call;
  const path = withId(paths.merchant.webhookSecret, (await webhookNamed(client, args[0] ?? "")).id);
  const body = { secret: await readSecret(call) };
  const webhook = await client.call({
    method: "POST",
    path,
    body,
    answer: webhookWithSecretSchema,
  });
  if (output.json) return output.line(json(z.encode(webhookWithSecretSchema, webhook)));
  const { secret, old_secret_until: until } = webhook;
  const previous =
    until === null ? "" : ` The previous secret signs too until ${formatTime(until)} UTC.`;
  output.line(`${secret}\nKeep it now: it is not shown again.${previous}`);
}

/** Finds a webhook by its id, the beginning of its id, or its address. */
export async function webhookNamed(client: Client, named: string): Promise<Webhook> {
  const address = URL.parse(named)?.href;
  const found = (await readWebhooks(client)).filter(
    ({ id, url }) => named !== "" && (id.startsWith(named) || url === address),
  );
  const [webhook, another] = found;
  if (webhook !== undefined && another === undefined) return webhook;
  const why = another === undefined ? "No webhook has" : "Several webhooks have";
  throw new CommandFailed(
    exitCodes.notFound,
    `${why} the id or address ${shortened(named, SHOWN_URL)}.`,
  );
}

async function readWebhooks(client: Client): Promise<Webhook[]> {
  const { webhooks } = await client.call({ path: paths.merchant.webhooks, answer: webhooksSchema });
  return webhooks;
}

function named({ url }: Webhook): string {
  return `The webhook ${shortened(url, SHOWN_URL)}`;
}

/**
 * The types in a list such as `order.paid,order.shipped`; `null` for `all`, `undefined` if nothing
 * was given.
 */
function typesIn(list: string | undefined): string[] | null | undefined {
  if (list === undefined) return undefined;
  if (list === "all") return null;
  const types = list.split(",").map((type) => type.trim());
  const unknown = types.find((type) => !webhookEventTypes.some((known) => known === type));
  if (unknown === undefined) return types;
  throw usageError(
    `--events: got "${printable(unknown)}", takes all, or some of ${webhookEventTypes.join(", ")}`,
  );
}

/** The secret in the file that `--secret-file` names. */
async function readSecret({ options, fileOf }: Call<"secret-file">): Promise<string | undefined> {
  const file = options["secret-file"];
  return file === undefined ? undefined : (await readText(fileOf(file))).trim();
}
