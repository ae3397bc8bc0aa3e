import { type DeliveryAnswer, deliveriesSchema, paths, withId } from "@keepsats/protocol";
import { call, send } from "../../lib/api.ts";

/** Sends a delivery again, at once. */
export function repeatDelivery(id: string): Promise<void> {
  return send({ path: withId(paths.merchant.deliveryRepeat, id), method: "POST" });
}

/**
 * Sends again, one after another and the oldest first, everything of a list that was given up, also what is not shown yet.
 *
 * @param path of the list: one of `paths.merchant.deliveries`, `paths.merchant.webhookDeliveries`
 */
export async function repeatGivenUp(path: string): Promise<void> {
  const givenUp = await allOf(path);
  for (const { id } of givenUp.toReversed()) await repeatDelivery(id);
}

async function allOf(path: string): Promise<DeliveryAnswer[]> {
  const all: DeliveryAnswer[] = [];
  let cursor: string | null = "";
  while (cursor !== null) {
    const query = new URLSearchParams(cursor === "" ? {} : { cursor });
    const page: { deliveries: DeliveryAnswer[]; next_cursor: string | null } = await call({
      path: `${path}?${query}`,
      answer: deliveriesSchema,
    });
    all.push(...page.deliveries.filter(({ state }) => state === "given-up"));
    cursor = page.next_cursor;
  }
  return all;
}
