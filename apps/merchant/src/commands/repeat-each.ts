import { type DeliveryAnswer, deliverySchema, paths, withId } from "@keepsats/protocol";
import * as z from "zod/mini";
import type { Call } from "../command.ts";
import { json } from "../output.ts";

/**
 * Has deliveries made again, one after another, and says so.
 *
 * @param linesOf what is said about those that were repeated, if there are any
 */
export async function repeatEach(
  { client, output }: Pick<Call, "client" | "output">,
  ids: readonly string[],
  linesOf: (repeated: readonly DeliveryAnswer[]) => readonly string[],
): Promise<void> {
  const repeated: DeliveryAnswer[] = [];
  for (const id of ids) {
    const path = withId(paths.merchant.deliveryRepeat, id);
    repeated.push(await client.call({ method: "POST", path, answer: deliverySchema }));
  }
  if (output.json) return output.line(json(repeated.map((one) => z.encode(deliverySchema, one))));
  if (repeated.length === 0) return output.line("Nothing was given up.");
  for (const line of linesOf(repeated)) output.line(line);
}
