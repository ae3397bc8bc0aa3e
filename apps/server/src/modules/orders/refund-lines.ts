import type { RefundLine } from "@keepsats/protocol";
import type { Queries } from "../../platform/database/database.ts";
import { padded } from "../../platform/database/in-clause.ts";

interface StoredRefundLine extends RefundLine {
  readonly order_id: string;
  readonly refund_id: string;
}

/** Reads the lines of all granted refunds, also of those that did not arrive, by order id. */
export async function findRefundLines(
  db: Queries,
  orderIds: readonly string[],
): Promise<Map<string, StoredRefundLine[]>> {
  const rows = await db
    .selectFrom("refund_lines as refunded")
    .innerJoin("order_lines as line", (join) =>
      join
        .onRef("line.order_id", "=", "refunded.order_id")
        .onRef("line.position", "=", "refunded.position"),
    )
    .select([
      "refunded.order_id",
      "refunded.refund_id",
      "line.item_id",
      "refunded.quantity",
      "refunded.restocked",
    ])
    .where("refunded.order_id", "in", padded(orderIds))
    .orderBy("refunded.refund_id")
    .orderBy("refunded.position")
    .execute();
  return Map.groupBy(rows, ({ order_id }) => order_id);
}
