import type { Database } from "../../platform/database/database.ts";
import { HOUR } from "../../platform/scheduling/clock.ts";
import { sha256Text } from "../../platform/secrets.ts";

interface UnpaidEmail {
  readonly deliveryId: string;
  /** See `recipientOf`. */
  readonly to: string;
  /** The hash of the network that placed the order; `null` if unknown. */
  readonly clientHash: string | null;
}

/** The maximum number of emails about unpaid orders within {@link WINDOW}. */
const MAX_EMAILS = {
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
const WINDOW = HOUR;
const MAX_ROWS_PER_DELETION = 100;

/**
 * Resolves to whether an email about an unpaid order may be sent, and counts it. Anyone can place
 * orders with any address, so these emails are limited by address. They are limited by network too,
 * so that a stranger's orders do not block the owner's emails. The counts are in the database,
 * shared by all processes. Each delivery counts once.
 */
export async function admitUnpaid(
  database: Database,
  { deliveryId, to, clientHash }: UnpaidEmail,
): Promise<boolean> {
  const addressHash = sha256Text(mailboxOf(to));
  return database.inTransaction(async ({ db, lock }) => {
    await lock(`unpaid emails ${addressHash}`, `unpaid emails by ${clientHash}`);
    const now = database.now();
    const old = db
      .selectFrom("unpaid_emails")
      .select("delivery_id")
      .where("at", "<=", now - WINDOW)
      .limit(MAX_ROWS_PER_DELETION);
    await db.deleteFrom("unpaid_emails").where("delivery_id", "in", old).execute();
    const sent = await db
      .selectFrom("unpaid_emails")
      .select(["delivery_id", "address_hash", "client_hash"])
      .where((eb) =>
        eb.or([eb("address_hash", "=", addressHash), eb("client_hash", "=", clientHash)]),
      )
      .where("at", ">", now - WINDOW)
      .execute();
    if (sent.some(({ delivery_id }) => delivery_id === deliveryId)) return true;
    const toAddress = sent.filter(({ address_hash }) => address_hash === addressHash);
    const toAddressByClient = toAddress.filter(({ client_hash }) => client_hash === clientHash);
    const byClient = sent.filter(
      ({ client_hash }) => client_hash !== null && client_hash === clientHash,
    );
    const isFirst = toAddressByClient.length === 0;
    if (
      toAddressByClient.length >= MAX_EMAILS.toAddressByClient ||
      byClient.length >= MAX_EMAILS.byClient
    )
      return false;
    if (toAddress.length >= MAX_EMAILS.toAddress && !isFirst) return false;
    await db
      .insertInto("unpaid_emails")
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
}

/** Addresses of one mailbox count together: `Ada+1@example.org` as `ada@example.org`. */
function mailboxOf(address: string): string {
  return address.toLowerCase().replace(/\+[^@]*@/, "@");
}
