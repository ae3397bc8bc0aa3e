import { createHash } from "node:crypto";
import type { Database } from "../db/database.ts";

/**
 * Whether a letter about an unpaid order may be sent to an address (see `recipientOf`) now. It is counted then, each delivery
 * once.
 */
export type AdmitUnpaid = (address: string, deliveryId: string) => Promise<boolean>;

/** The most letters about unpaid orders that one address is sent within {@link WITHIN}. */
const MOST_UNPAID = 5;
const WITHIN = 60 * 60_000;
/** The most old entries that one call deletes. */
const DELETED_AT_ONCE = 100;

/**
 * Creates {@link AdmitUnpaid}. Anybody can place an order with any address, at no cost, so their letters are limited. They are
 * counted in the database, for all processes together, under a hash of the address.
 */
export function createAdmitUnpaid(database: Database): AdmitUnpaid {
  return (address, deliveryId) => {
    const hash = createHash("sha256").update(address.toLowerCase()).digest("base64url");
    return database.inTransaction(async ({ db, lock }) => {
      await lock(`unpaid letters ${hash}`);
      const now = database.now();
      const old = db
        .selectFrom("unpaid_letters")
        .select("delivery_id")
        .where("at", "<=", now - WITHIN)
        .limit(DELETED_AT_ONCE);
      await db.deleteFrom("unpaid_letters").where("delivery_id", "in", old).execute();
      const sent = await db
        .selectFrom("unpaid_letters")
        .select("delivery_id")
        .where("address_hash", "=", hash)
        .where("at", ">", now - WITHIN)
        .limit(MOST_UNPAID)
        .execute();
      if (sent.some(({ delivery_id }) => delivery_id === deliveryId)) return true;
      if (sent.length >= MOST_UNPAID) return false;
      await db
        .insertInto("unpaid_letters")
        .values({ delivery_id: deliveryId, address_hash: hash, at: now })
        .onConflict((conflict) => conflict.column("delivery_id").doUpdateSet({ at: now }))
        .execute();
      return true;
    });
  };
}
