import { createHmac, createSecretKey, randomBytes, timingSafeEqual } from "node:crypto";
import type { Database, Queries } from "../db/database.ts";
import { readFact, writeFact } from "../db/facts.ts";

/**
 * Derives and checks the keys of orders. Whoever has an order's key may see the whole order, so keys are neither logged
 * nor stored: they are derived from the order's id each time.
 */
export interface OrderKeys {
  /** The key of an order: 22 characters of base64url. */
  keyOf(orderId: string): string;
  /** Whether `key` is the key of the order. Compares in constant time. */
  isKeyOf(orderId: string, key: string): boolean;
}

const FACT = "order-key-secret";
const SECRET_BYTES = 32;
const KEY_BYTES = 16;

/** Creates the keys under a secret: the first 128 bits of HMAC-SHA-256 of the order's id. */
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

/** Creates the keys under the secret in the shop's database. */
export async function openOrderKeys(database: Pick<Database, "db" | "inTransaction">): Promise<OrderKeys> {
  return createOrderKeys(await readSecret(database));
}

/**
 * Reads the secret in the shop's database. The first start creates it; processes that start at the same time on an empty
 * database get the same one.
 */
export async function readSecret(database: Pick<Database, "db" | "inTransaction">): Promise<Buffer> {
  const secret =
    (await readFact(database.db, FACT)) ?? (await database.inTransaction(({ db }) => makeSecret(db)));
  return Buffer.from(secret, "base64url");
}

/** Replaces the secret: all keys under the former one are void. */
export async function storeNewSecret(db: Queries): Promise<void> {
  await writeFact(db, FACT, newSecret());
}

function newSecret(): string {
  return randomBytes(SECRET_BYTES).toString("base64url");
}

/** Stores a first secret, or waits for a concurrent transaction that stores one, and reads the stored secret. */
async function makeSecret(db: Queries): Promise<string> {
  await db
    .insertInto("facts")
    .values({ name: FACT, value: newSecret() })
    .onConflict((conflict) => conflict.doNothing())
    .execute();
  const stored = await readFact(db, FACT);
  if (stored === undefined) throw new Error("the secret of the order keys is not in the database");
  return stored;
}
