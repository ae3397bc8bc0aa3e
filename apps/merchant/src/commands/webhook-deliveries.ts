import { setTimeout as pause } from "node:timers/promises";
import {
  type DeliveryAnswer,
  deliveriesSchema,
  deliverySchema,
  deliveryStates,
  paths,
  withId,
} from "@keepsats/protocol";
import * as z from "zod/mini";
import type { Client } from "../client.ts";
import type { Call } from "../command.ts";
import { CommandFailed, exitCodes } from "../exit.ts";
import { oneOf } from "../one-of.ts";
import { type Column, formatTime, json, printable, table } from "../output.ts";
import { pagesOf } from "../pages.ts";
import { repeatEach } from "./repeat-each.ts";
import { webhookNamed } from "./webhooks.ts";

const columns: readonly Column[] = [
  { head: "ID" },
  { head: "EVENT", most: 24 },
  { head: "ABOUT", most: 8 },
  { head: "STATE" },
  { head: "ATTEMPTS", right: true },
  { head: "AT (UTC)" },
  { head: "ANSWER", fill: true },
];
/**
 * How long `webhooks test` waits for the answer, in milliseconds, and the time between two
 * questions.
 */
const TEST = { wait: 20_000, poll: 300 };

/** `webhooks deliveries ID [--status STATE] [--all]`: the deliveries of a webhook, newest first. */
export async function listWebhookDeliveries({
  client,
  output,
  args: [id = ""],
  options: { status, all = false },
}: Call<"status" | "all">): Promise<void> {
  const wanted = { state: oneOf(deliveryStates, status, "status"), all };
  const webhook = await webhookNamed(client, id);
  const { deliveries, isMore } = await readDeliveries(client, webhook.id, wanted);
  if (output.json) return output.line(json(deliveries.map((one) => z.encode(deliverySchema, one))));
  if (deliveries.length === 0) return output.line("No deliveries.");
  const rows = deliveries.map((one) => [
    one.id,
    one.type,
    one.subject,
    one.state,
    String(one.attempts),
    formatTime(one.ended_at ?? one.created_at),
    one.answer ?? "",
  ]);
  output.line(table(columns, rows, output.width).join("\n"));
  if (isMore) output.line("There are more; --all lists them.");
}

/** `webhooks repeat ID`: sends again what was given up for a webhook, oldest first. */
export async function repeatGivenUp(call: Call): Promise<void> {
  const { client, args } = call;
  const [id = ""] = args;
  const webhook = await webhookNamed(client, id);
  const { deliveries } = await readDeliveries(client, webhook.id, { state: "given-up", all: true });
  const ids = deliveries.toReversed().map((one) => one.id);
  await repeatEach(call, ids, ({ length }) => [
    `${length} ${length === 1 ? "delivery is" : "deliveries are"} made again.`,
  ]);
}

/**
 * `webhooks test ID`: sends a test and waits for the answer. @throws {CommandFailed} if it was not
 * delivered
 */
export async function testWebhook({ client, output, args: [id = ""] }: Call): Promise<void> {
  const webhook = await webhookNamed(client, id);
  const path = withId(paths.merchant.webhookTest, webhook.id);
  const sent = await client.call({ method: "POST", path, answer: deliverySchema });
  const end = Date.now() + TEST.wait;
  let delivery = sent;
  while (delivery.answer === null && Date.now() < end) {
    await pause(TEST.poll);
    const { deliveries } = await readDeliveries(client, webhook.id, {
      state: undefined,
      all: false,
    });
    delivery = deliveries.find((one) => one.id === sent.id) ?? delivery;
  }
  const answer = printable(delivery.answer ?? "It has not answered yet.");
  if (delivery.state !== "delivered")
    throw new CommandFailed(exitCodes.refused, `The test was not delivered: ${answer}`);
  output.line(
    output.json ? json(z.encode(deliverySchema, delivery)) : `The test was delivered: ${answer}`,
  );
}

interface Wanted {
  readonly state: string | undefined;
  /** Whether to read all pages instead of the first one. */
  readonly all: boolean;
}

async function readDeliveries(client: Client, webhook: string, { state, all }: Wanted) {
  const path = withId(paths.merchant.webhookDeliveries, webhook);
  const deliveries: DeliveryAnswer[] = [];
  const pages = pagesOf((cursor) =>
    client.call({ path, query: { state, cursor }, answer: deliveriesSchema }),
  );
  for await (const page of pages) {
    deliveries.push(...page.deliveries);
    if (!all) return { deliveries, isMore: page.next_cursor !== null };
  }
  return { deliveries, isMore: false };
}
