import { heldChangeOf, isDecision, journalKinds, shopCurrency } from "@keepsats/domain";
import { sql } from "kysely";
import type { Queries } from "../../platform/database/database.ts";

/** Without `transferred`, which moves money between accounts of the shop. */
const kinds = journalKinds.filter((kind) => !isDecision(kind) && kind !== "transferred");
const outgoing = kinds.filter((kind) => heldChangeOf({ kind, amount: 1 }) < 0);

/** Selects the sum of the money received less the money refunded, in the shop's currency. */
export function selectMoney(db: Queries) {
  const signed = sql`CASE WHEN kind IN (${sql.join(outgoing)}) THEN -amount ELSE amount END`;
  return db
    .selectFrom("journal")
    .select(sql<number | string | null>`sum(${signed})`.as("amount"))
    .where("kind", "in", kinds)
    .where("currency", "=", shopCurrency.code);
}
