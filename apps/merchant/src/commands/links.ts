import { orderKeysAnswerSchema, paths } from "@keepsats/protocol";
import * as z from "zod/mini";
import type { Call } from "../command.ts";
import { json } from "../output.ts";

/** `links void`: makes every link to an order void that was given out before; asks first. */
export async function voidLinks({ client, output, confirm }: Call<"yes">): Promise<void> {
  const what =
    "Every link to an order that customers have, in mails too, will be void; this cannot be undone. " +
    "Customers with a loan that has paid still see their orders by it";
  await confirm(what, "Make all links void");
  const answer = await client.call({
    method: "POST",
    path: paths.merchant.orderKeys,
    answer: orderKeysAnswerSchema,
  });
  if (output.json) return output.line(json(z.encode(orderKeysAnswerSchema, answer)));
  output.line("All earlier links to orders are void. New mails and orders have new ones.");
}
