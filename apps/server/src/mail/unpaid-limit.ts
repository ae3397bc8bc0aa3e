import { createHash } from "node:crypto";
import type { Database } from "../db/database.ts";

/** An email about an unpaid order. */
interface UnpaidLetter {
  readonly deliveryId: string;
  /** See `recipientOf`. */
  readonly to: string;
  /** The hash of the network that placed the order; `null` if unknown. */
  readonly clientHash: string | null;
}

/**
 * Returns whether an email about an unpaid order may be sent now, and if so counts it. Each
 * delivery counts once.
 */
export type AdmitUnpaid = (letter: UnpaidLetter) => Promise<boolean>;

/** The maximum number of emails about unpaid orders within {@link WITHIN}. */
const MOST = {
  /** To one address, for orders from one network. */
  toAddressByClient: 5,
  /**
   * To one address. The first one from each network is always sent, because the address's owner may
   * have placed that order.
   */
  toAddress: 20,
  /** For orders from one network. */
  byClient: 30,
} as const;
const WITHIN = 60 * 60_000;
/** The most old entries that one call deletes. */
const DELETED_AT_ONCE = 100;

/**
 * Creates {@link AdmitUnpaid}. Anyone can place free orders with any address, so their emails are
 * limited by address. They are limited by network too, so that a stranger's orders do not block the
 * owner's emails. The counts are in the database, shared by all processes.
 */
export function createAdmitUnpaid(database: Database): AdmitUnpaid {
  return ({ deliveryId, to, clientHash }) => {
    const addressHash = createHash("sha256").update(countedAs(to)).digest("base64url");
    return database.inTransaction(async ({ db, lock }) => {
      await lock(`unpaid letters ${addressHash}`, `unpaid letters by ${clientHash}`);
      const now = database.now();
      const old = db
        .selectFrom("unpaid_letters")
        .select("delivery_id")
        .where("at", "<=", now - WITHIN)
        .limit(DELETED_AT_ONCE);
      await db.deleteFrom("unpaid_letters").where("delivery_id", "in", old).execute();
      const sent = await db
        .selectFrom("unpaid_letters")
        .select(["delivery_id", "address_hash", "client_hash"])
        .where((eb) =>
          eb.or([eb("address_hash", "=", addressHash), eb("client_hash", "=", clientHash)]),
        )
        .where("at", ">", now - WITHIN)
        .execute();
      if (sent.some(({ delivery_id }) => delivery_id === deliveryId)) return true;
      const toAddress = sent.filter(({ address_hash }) => address_hash === addressHash);
      const toAddressByClient = toAddress.filter(({ client_hash }) => client_hash === clientHash);
      const byClient = sent.filter(
        ({ client_hash }) => client_hash !== null && client_hash === clientHash,
      );
      const isFirst = toAddressByClient.length === 0;
      if (toAddressByClient.length >= MOST.toAddressByClient || byClient.length >= MOST.byClient)
        return false;
      if (toAddress.length >= MOST.toAddress && !isFirst) return false;
      await db
        .insertInto("unpaid_letters")
        .values({
          delivery_id: deliveryId,
          address_hash: addressHash,
          client_hash: clientHash,
          at: now,
        })
        .onConflict((conflict) => conflict.column("delivery_id").doUpdateSet({ at: now }))
        .execute();
      return true;
    });
  };
}

/** The mailbox that an address counts as: `ada@example.org` for `Ada+1@example.org`. */
function countedAs(address: string): string {
  return address.toLowerCase().replace(/\+[^@]*@/, "@");
}
