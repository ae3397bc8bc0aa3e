import { createHmac, createSecretKey, randomBytes, timingSafeEqual } from "node:crypto";
import type { Database, Queries } from "../db/database.ts";
import { readFact } from "../db/facts.ts";

/**
 * Makes and checks OrderKeys. A key opens its order to whoever presents it, so it is never logged and stored nowhere:
 * it is derived from the order's id each time.
 */
export interface OrderKeys {
  /** The key of an order: 22 characters of base64url. */
  keyOf(orderId: string): string;
  /** Whether `key` is the order's, compared in constant time. */
  isKeyOf(orderId: string, key: string): boolean;
}

const FACT = "order-key-secret";
const SECRET_BYTES = 32;
const KEY_BYTES = 16;

/** Keys under a secret: the first 128 bits of HMAC-SHA-256 of the order's id. */
export function createOrderKeys(secret: Buffer): OrderKeys {
  const hmacKey = createSecretKey(secret);
  const keyOf: OrderKeys["keyOf"] = (orderId) =>
    createHmac("sha256", hmacKey).update(orderId).digest().toString("base64url", 0, KEY_BYTES);
  return {
    keyOf,
    isKeyOf(orderId, key) {
      const given = Buffer.from(key);
      const right = Buffer.from(keyOf(orderId));
      return given.length === right.length && timingSafeEqual(given, right);
    },
  };
}

/**
 * The keys of this shop, under the secret in its database. The first start makes it; processes that start together on
 * an empty database get the same one.
 */
export async function openOrderKeys(database: Pick<Database, "db" | "inTransaction">): Promise<OrderKeys> {
  const secret =
    (await readFact(database.db, FACT)) ?? (await database.inTransaction(({ db }) => makeSecret(db)));
  return createOrderKeys(Buffer.from(secret, "base64url"));
}

/** Waits for a transaction that is storing a secret at the same time, and then takes that one's. */
async function makeSecret(db: Queries): Promise<string> {
  const value = randomBytes(SECRET_BYTES).toString("base64url");
  await db
    .insertInto("facts")
    .values({ name: FACT, value })
    .onConflict((conflict) => conflict.doNothing())
    .execute();
  const stored = await readFact(db, FACT);
  if (stored === undefined) throw new Error("the secret of the order keys is not in the database");
  return stored;
}
