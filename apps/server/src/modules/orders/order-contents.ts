import type { Queries } from "../../platform/database/database.ts";
import { padKeys } from "../../platform/database/in-clause.ts";
import { findTitlesAndPictures } from "../catalogue/index.ts";

const MAX_PICTURES = 3;

/**
 * Reads the number of pieces of orders, and the current pictures of their first lines, by the
 * order's id: three queries for any number. A deleted item has no picture.
 */
export async function readContents(
  db: Queries,
  orderIds: readonly string[],
): Promise<ReadonlyMap<string, { readonly item_count: number; readonly pictures: string[] }>> {
  if (orderIds.length === 0) return new Map();
  const lines = db.selectFrom("order_lines").where("order_id", "in", padKeys(orderIds));
  const sums = await lines
    .select(({ fn }) => ["order_id", fn.sum<number>("quantity").as("pieces")])
    .groupBy("order_id")
    .execute();
  const first = await lines
    .select(["order_id", "item_id"])
    .where("position", "<", MAX_PICTURES)
    .orderBy("order_id")
    .orderBy("position")
    .execute();
  const items = await findTitlesAndPictures(db, [...new Set(first.map(({ item_id }) => item_id))]);
  const firstOf = Map.groupBy(first, ({ order_id }) => order_id);
  return new Map(
    sums.map(({ order_id, pieces }) => [
      order_id,
      {
        item_count: Number(pieces),
        pictures: (firstOf.get(order_id) ?? []).flatMap(
          ({ item_id }) => items.get(item_id)?.image_url ?? [],
        ),
      },
    ]),
  );
}
