import { call } from "@keepsats/client";
import { type DeliveryAnswer, deliveriesSchema } from "@keepsats/protocol";
import { repeatDelivery } from "../../lib/deliveries.ts";

/**
 * Sends again, one after another and the oldest first, everything of a list that was given up, also
 * what is not shown yet.
 *
 * @param path of the list: one of `paths.merchant.deliveries`, `paths.merchant.webhookDeliveries`
 * @param key as for {@link repeatDelivery}
 */
export async function repeatGivenUp(path: string, key: string): Promise<void> {
  const givenUp = await allOf(path);
  for (const { id } of givenUp.toReversed()) await repeatDelivery(id, key);
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
