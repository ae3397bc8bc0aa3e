import { createHmac, createSecretKey, timingSafeEqual } from "node:crypto";
import type { Queries } from "../db/database.ts";
import { readSharedSecret, replaceSharedSecret } from "../db/facts.ts";

/**
 * Derives and checks the keys of orders. Whoever has an order's key may see the whole order, so
 * keys are neither logged nor stored: they are derived from the order's id each time.
 */
export interface OrderKeys {
  /** The key of an order: 22 characters of base64url. */
  keyOf(orderId: string): string;
  /** Whether `key` is the key of the order. Compares in constant time. */
  isKeyOf(orderId: string, key: string): boolean;
}

const FACT = "order-key-secret";
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
export async function openOrderKeys(db: Queries): Promise<OrderKeys> {
  return createOrderKeys(await readSecret(db));
}

/** Reads the secret in the shop's database. The first start creates it. */
export function readSecret(db: Queries): Promise<Buffer> {
  return readSharedSecret(db, FACT);
}

/** Replaces the secret: all keys under the former one are void. */
export async function storeNewSecret(db: Queries): Promise<void> {
  await replaceSharedSecret(db, FACT);
}
