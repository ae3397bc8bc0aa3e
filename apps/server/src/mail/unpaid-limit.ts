import { createHash } from "node:crypto";
import type { Database } from "../db/database.ts";

/** A letter about an order that nobody has paid. */
interface UnpaidLetter {
  readonly deliveryId: string;
  /** See `recipientOf`. */
  readonly to: string;
  /** The hash of the network that the order was placed from; `null` if it is not known. */
  readonly clientHash: string | null;
}

/** Whether a letter about an unpaid order may be sent now. It is counted then, each delivery once. */
export type AdmitUnpaid = (letter: UnpaidLetter) => Promise<boolean>;

/** The most letters about unpaid orders within {@link WITHIN}. */
const MOST = {
  /** To one address, for orders from one network. */
  toAddressByClient: 5,
  /** To one address. The first one from a network is sent in any case: it may be that of the person who has the address. */
  toAddress: 20,
  /** For orders from one network. */
  byClient: 30,
} as const;
const WITHIN = 60 * 60_000;
/** The most old entries that one call deletes. */
const DELETED_AT_ONCE = 100;

/**
 * Creates {@link AdmitUnpaid}. Anybody can place an order with any address, at no cost, so their letters are limited: by address
 * and by network, so that orders of a stranger do not keep a person's own letters from being sent. They are counted in the
 * database, for all processes together.
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
        .where((eb) => eb.or([eb("address_hash", "=", addressHash), eb("client_hash", "=", clientHash)]))
        .where("at", ">", now - WITHIN)
        .execute();
      if (sent.some(({ delivery_id }) => delivery_id === deliveryId)) return true;
      const toAddress = sent.filter(({ address_hash }) => address_hash === addressHash);
      const toAddressByClient = toAddress.filter(({ client_hash }) => client_hash === clientHash);
      const byClient = sent.filter(({ client_hash }) => client_hash !== null && client_hash === clientHash);
      const isFirst = toAddressByClient.length === 0;
      if (toAddressByClient.length >= MOST.toAddressByClient || byClient.length >= MOST.byClient)
        return false;
      if (toAddress.length >= MOST.toAddress && !isFirst) return false;
      await db
        .insertInto("unpaid_letters")
        .values({ delivery_id: deliveryId, address_hash: addressHash, client_hash: clientHash, at: now })
        .onConflict((conflict) => conflict.column("delivery_id").doUpdateSet({ at: now }))
        .execute();
      return true;
    });
  };
}

/** The spelling under which an address is counted: `Ada+1@example.org` is the mailbox `ada@example.org`. */
function countedAs(address: string): string {
  return address.toLowerCase().replace(/\+[^@]*@/, "@");
}
