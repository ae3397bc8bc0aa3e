import { shortOrderId } from "@keepsats/domain";
import {
  type DeliveryAnswer,
  deliveriesSchema,
  paths,
  testLetterAnswerSchema,
} from "@keepsats/protocol";
import * as z from "zod/mini";
import type { Client } from "../client.ts";
import type { Call } from "../command.ts";
import { CommandFailed, exitCodes, usageError } from "../exit.ts";
import { type Column, formatTime, json, labelled, printable, table } from "../output.ts";
import { pagesOf } from "../pages.ts";
import { repeatEach } from "./repeat-each.ts";

const columns: readonly Column[] = [
  { head: "GIVEN UP (UTC)" },
  { head: "HOW", most: 14 },
  { head: "WHAT", most: 24 },
  { head: "ABOUT", most: 24 },
  { head: "ID", most: 40 },
];
/** The width of a time, to indent the answer of a delivery. */
const INDENT = 18;

/** `deliveries list`: letters and webhook messages that were given up. */
export async function listDeliveries({ client, output }: Call): Promise<void> {
  const deliveries = await readGivenUp(client);
  if (output.json)
    return output.line(
      json(z.encode(deliveriesSchema, { deliveries, next_cursor: null }).deliveries),
    );
  if (deliveries.length === 0) return output.line("Nothing was given up.");
  const rows = deliveries.map(({ ended_at, channel, type, subject, id }) => [
    formatTime(ended_at ?? 0),
    channel,
    type,
    aboutOf(type, subject),
    id,
  ]);
  const [head = "", ...lines] = table(columns, rows, output.width);
  const answers = deliveries.map(({ answer }) =>
    labelled("", answer ?? "", { indent: INDENT, width: output.width }),
  );
  output.line([head, ...lines.flatMap((line, at) => [line, answers[at] ?? ""])].join("\n"));
}

/** `deliveries repeat ID …` and `deliveries repeat --all`: attempts them again, at once. */
export async function repeatDeliveries(call: Call<"all">): Promise<void> {
  const { client, args: ids } = call;
  const { all = false } = call.options;
  if (all === ids.length > 0) throw usageError("deliveries repeat takes either IDs or --all.");
  const wanted = all ? (await readGivenUp(client)).map(({ id }) => id) : ids;
  await repeatEach(call, wanted, (repeated) =>
    repeated.map(
      ({ type, subject, channel }) =>
        `${type} about ${aboutOf(type, subject)} is told again by ${channel}.`,
    ),
  );
}

/** `mail test ADDRESS`: sends a test letter. @throws {CommandFailed} with what went wrong */
export async function sendTestLetter({ client, output, args: [to] }: Call): Promise<void> {
  const path = paths.merchant.testLetter;
  const sent = await client.call({
    method: "POST",
    path,
    body: { to },
    answer: testLetterAnswerSchema,
  });
  if (!sent.accepted)
    throw new CommandFailed(exitCodes.refused, `No letter was sent: ${sent.answer}`);
  if (output.json) return output.line(json(sent));
  output.line(`The mail server has taken the letter: ${printable(sent.answer)}`);
}

function aboutOf(type: string, subject: string): string {
  return type.startsWith("order.") ? shortOrderId(subject) : subject;
}

async function readGivenUp(client: Client): Promise<DeliveryAnswer[]> {
  const path = paths.merchant.deliveries;
  const pages = pagesOf((cursor) =>
    client.call({ path, query: { cursor }, answer: deliveriesSchema }),
  );
  const deliveries: DeliveryAnswer[] = [];
  for await (const page of pages) deliveries.push(...page.deliveries);
  return deliveries;
}
