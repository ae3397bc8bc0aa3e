import { type JournalKind, shopCurrency } from "@keepsats/domain";
import { sql } from "kysely";
import type { Queries } from "../../platform/database/database.ts";

const moneyIn: readonly JournalKind[] = [
  "received",
  "reversed",
  "corrected",
  "extension",
  "refund-reversed",
];

/** Selects the sum of the money received less the money refunded, in the shop's currency. */
export function selectMoney(db: Queries) {
  return db
    .selectFrom("journal")
    .select(
      sql<number | string | null>`sum(CASE kind WHEN 'refunded' THEN -amount ELSE amount END)`.as(
        "amount",
      ),
    )
    .where("kind", "in", [...moneyIn, "refunded"])
    .where("currency", "=", shopCurrency.code);
}
