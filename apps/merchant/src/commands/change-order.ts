import { randomUUID } from "node:crypto";
import { formatMoney, shortOrderId } from "@keepsats/domain";
import {
  erasureAnswerSchema,
  idempotencyHeader,
  noteAnswerSchema,
  orderPatchAnswerSchema,
  paths,
  refundAnswerSchema,
  withId,
} from "@keepsats/protocol";
import * as z from "zod/mini";
import type { Call } from "../command.ts";
import { CommandFailed, OutcomeUnknown, usageError } from "../exit.ts";
import { formatTime, json, printable } from "../output.ts";
import { orderIdOf, readOrder, shipmentOf, type TravelName } from "./move-order.ts";

/** `orders note ID TEXT`: stores a note that shoppers do not see. */
export async function noteOrder({ client, output, args: [id, ...words] }: Call): Promise<void> {
  const path = withId(paths.merchant.notes, orderIdOf(id));
  const text = words.join(" ");
  const answer = await client.call({
    method: "POST",
    path,
    body: { text },
    answer: noteAnswerSchema,
  });
  output.line(
    output.json ? json(answer) : `The note is stored with order ${shortOrderId(answer.id)}.`,
  );
}

/**
 * `orders correct ID`: the shipping address of an order that has not shipped, or how a shipped one
 * travels. An empty text removes carrier, number or link; the fields of the address that are not
 * given stay as they are.
 */
export async function correctOrder({
  client,
  output,
  args: [id],
  options,
}: Call<"street" | "city" | "state" | "postal-code" | "country" | TravelName>): Promise<void> {
  const { street, city, state, "postal-code": postal_code, country } = options;
  const fields = given({ street, city, state, postal_code, country });
  const travel = given(shipmentOf(options));
  if (Object.keys(fields).length > 0 === Object.keys(travel).length > 0) {
    throw usageError(
      "orders correct takes either fields of the address (--street, --city, --state, --postal-code, --country) or how the order travels (--carrier, --tracking, --link).",
    );
  }
  const order = await readOrder(client, orderIdOf(id));
  const body =
    Object.keys(fields).length > 0
      ? { shipping_address: { ...order.shipping_address, ...fields } }
      : Object.fromEntries(
          Object.entries(travel).map(([name, text]) => [name, text === "" ? null : text]),
        );
  const path = withId(paths.merchant.order, order.id);
  const answer = await client.call({ method: "PATCH", path, body, answer: orderPatchAnswerSchema });
  if (output.json) return output.line(json(answer));
  const name = `Order ${shortOrderId(answer.id)}`;
  output.line(answer.changed ? `${name} is corrected.` : `${name} was like this already.`);
}

function given(fields: object): Record<string, unknown> {
  return Object.fromEntries(Object.entries(fields).filter(([, value]) => value !== undefined));
}

/**
 * `orders refund ID AMOUNT`: records money that was given back. The shop itself pays nothing out. A
 * command that is repeated with the same `--key` records the refund once.
 */
export async function recordRefund({
  client,
  output,
  args: [id, amount = ""],
  options: { method, reference, key = randomUUID() },
}: Call<"method" | "reference" | "key">): Promise<void> {
  if (!/^\d+(?:\.\d+)?$/.test(amount)) {
    throw usageError(
      `AMOUNT: got "${printable(amount)}", takes an amount in dollars such as 12.50`,
    );
  }
  if (method === undefined)
    throw usageError("--method: is not given; it says how, such as bank transfer");
  const answer = await client
    .call({
      method: "POST",
      path: withId(paths.merchant.refunds, orderIdOf(id)),
      headers: { [idempotencyHeader]: key },
      body: { amount: Number(amount), method, reference },
      answer: refundAnswerSchema,
    })
    .catch((error: unknown) => {
      if (!(error instanceof OutcomeUnknown)) throw error;
      const how = `It may be recorded. Repeat it with --key ${printable(key)}, which records it once.`;
      throw new CommandFailed(error.exitCode, `${error.message}\n${how}`);
    });
  if (output.json) return output.line(json(z.encode(refundAnswerSchema, answer)));
  const { owed, given_back } = answer.ledger;
  const rest = owed > 0 ? `${formatMoney(owed)} is still owed` : "nothing more is owed";
  output.line(`The refund is recorded: ${formatMoney(given_back)} given back, ${rest}.`);
}

/** `orders erase ID`: takes out name, e-mail, addresses and texts, for good; asks first. */
export async function eraseOrder({
  client,
  output,
  args: [id],
  confirm,
}: Call<"yes">): Promise<void> {
  const order = await readOrder(client, orderIdOf(id));
  const whose = `order ${shortOrderId(order.id)} of ${printable(order.customer_name)}`;
  await confirm(
    `Name, e-mail, addresses and notes of ${whose} will be gone for good`,
    "Erase them",
  );
  const answer = await client.call({
    method: "POST",
    path: withId(paths.merchant.erasure, order.id),
    answer: erasureAnswerSchema,
  });
  if (output.json) return output.line(json(z.encode(erasureAnswerSchema, answer)));
  output.line(
    `Order ${shortOrderId(answer.id)} was erased at ${formatTime(answer.erased_at)} UTC.`,
  );
}
