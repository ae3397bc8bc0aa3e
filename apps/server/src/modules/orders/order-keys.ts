import { createHmac, createSecretKey, timingSafeEqual } from "node:crypto";
import { orderKeysAnswerSchema, paths } from "@keepsats/protocol";
import type { FastifyInstance } from "fastify";
import type { Database } from "../../platform/database/database.ts";
import { readSharedSecret, replaceSharedSecret } from "../../platform/database/key-values.ts";
import { createCachedValue, type RefreshOptions } from "../../platform/events/cached-value.ts";
import { noFields, type Operation } from "../../platform/http/operation.ts";
import { route } from "../../platform/http/route.ts";
import type { Clock } from "../../platform/scheduling/clock.ts";
import { principalOf } from "../staff/index.ts";
import { refuseRepeats } from "./place-order.ts";

/**
 * Derives and checks order keys. An order key gives access to the whole order, so keys are neither
 * logged nor stored: each is derived from the order's id when it is needed.
 */
export interface OrderKeys {
  /** The key of an order: 22 characters of base64url. */
  keyOf(orderId: string): string;
  /** Whether `key` is the key of the order. Compares in constant time. */
  isKeyOf(orderId: string, key: string): boolean;
}

const KEY_BYTES = 16;

/** A key is the first 128 bits of HMAC-SHA-256 of the order's id. */
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

/** The name of the secret in the key-value table. */
const SECRET = "order-key-secret";

/** Order keys under the current secret, which can be replaced while the shop is open. */
export interface CurrentOrderKeys extends OrderKeys {
  /**
   * Replaces the secret, which revokes all earlier keys, in every process within a second. Requests
   * that repeat an earlier one are refused from now on: the answer would contain a new key, and a
   * copy of the database is enough to repeat them.
   */
  replace(): Promise<void>;
  /** Calls `listener` whenever this process has begun to use another secret. */
  onReplaced(listener: () => void): void;
  close(): void;
}

interface Dependencies extends RefreshOptions {
  readonly database: Database;
}

export async function createCurrentOrderKeys({
  database,
  ...source
}: Dependencies): Promise<CurrentOrderKeys> {
  const listeners: (() => void)[] = [];
  const cached = await createCachedValue<{ readonly secret: Buffer; readonly keys: OrderKeys }>({
    ...source,
    topic: "order-keys",
    async read(before) {
      const secret = await readSharedSecret(database.db, SECRET);
      return before?.secret.equals(secret) === true
        ? before
        : { secret, keys: createOrderKeys(secret) };
    },
    onChanged() {
      for (const listener of listeners) listener();
    },
  });
  return {
    keyOf: (orderId) => cached.current().keys.keyOf(orderId),
    isKeyOf: (orderId, key) => cached.current().keys.isKeyOf(orderId, key),
    async replace() {
      await database.inTransaction(async (unit) => {
        await replaceSharedSecret(unit.db, SECRET);
        await refuseRepeats(unit.db);
        unit.afterCommit(() => source.bus.publish({ topic: "order-keys" }));
      });
      await cached.refresh();
    },
    onReplaced: (listener) => void listeners.push(listener),
    close: cached.close,
  };
}

const operation = {
  operationId: "replaceOrderKeys",
  summary: "Revoke all order links by replacing the secret of the order keys",
  permission: "order-links:revoke",
  takes: noFields,
  answers: { 201: orderKeysAnswerSchema },
} satisfies Operation;

interface RouteDependencies {
  readonly keys: Pick<CurrentOrderKeys, "replace">;
  readonly now: Clock;
}

export function replaceOrderKeysRoute(
  app: FastifyInstance,
  { keys, now }: RouteDependencies,
): void {
  route(app, { method: "POST", path: paths.admin.orderKeys }, operation, async (_input, reply) => {
    await keys.replace();
    const { name } = principalOf(reply.request);
    reply.log.warn({ by: name }, "the secret of the order keys was replaced: links are revoked");
    return { replaced_at: now() };
  });
}
