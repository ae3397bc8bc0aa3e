import { createHmac, timingSafeEqual } from "node:crypto";
import { orderKeysAnswerSchema, paths } from "@keepsats/protocol";
import type { FastifyInstance } from "fastify";
import { readSharedSecret, replaceSharedSecret } from "../../../platform/database/key-values.ts";
import { createCachedValue } from "../../../platform/events/cached-value.ts";
import { noFields, type Operation } from "../../../platform/http/operation.ts";
import { post, route } from "../../../platform/http/route.ts";
import type { Platform } from "../../../platform/platform.ts";
import type { Clock } from "../../../platform/scheduling/clock.ts";
import { principalOf } from "../../staff/index.ts";
import { refuseRepeats } from "../placing/place-order.ts";

const KEY_BYTES = 16;

/**
 * Derives an order key. It gives access to the whole order, so keys are neither logged nor stored:
 * each is derived from the order's id when it is needed. It is the first 128 bits of HMAC-SHA-256 of
 * that id, as 22 characters of base64url.
 */
export function orderKeyOf(secret: Buffer, orderId: string): string {
  return createHmac("sha256", secret).update(orderId).digest().toString("base64url", 0, KEY_BYTES);
}

/** Compares in constant time. */
export function isOrderKey(secret: Buffer, orderId: string, key: string): boolean {
  const given = Buffer.from(key);
  const right = Buffer.from(orderKeyOf(secret, orderId));
  return given.length === right.length && timingSafeEqual(given, right);
}

/** The name of the secret in the key-value table. */
const SECRET = "order-key-secret";

export type OrderKeys = Awaited<ReturnType<typeof createOrderKeys>>;

/** Order keys under the current secret, which can be replaced while the shop is open. */
export async function createOrderKeys({
  database,
  bus,
  onError,
  rereadInterval,
}: Pick<Platform, "database" | "bus" | "onError" | "rereadInterval">) {
  const listeners: (() => void)[] = [];
  const secret = await createCachedValue<Buffer>({
    bus,
    onError,
    rereadInterval,
    topic: "order-keys",
    async read(before) {
      const stored = await readSharedSecret(database.db, SECRET);
      return before?.equals(stored) === true ? before : stored;
    },
    onChanged() {
      for (const listener of listeners) listener();
    },
  });
  return {
    keyOf: (orderId: string) => orderKeyOf(secret.current(), orderId),
    isKeyOf: (orderId: string, key: string) => isOrderKey(secret.current(), orderId, key),
    /**
     * Replaces the secret, which revokes all earlier keys, in every process within a second.
     * Requests that repeat an earlier one are refused from now on: the answer would contain a new
     * key, and a copy of the database is enough to repeat them.
     */
    async replace(): Promise<void> {
      await database.inTransaction(async (unit) => {
        await replaceSharedSecret(unit.db, SECRET);
        await refuseRepeats(unit.db);
        unit.afterCommit(() => bus.publish({ topic: "order-keys" }));
      });
      await secret.refresh();
    },
    /** Calls `listener` whenever this process has begun to use another secret. */
    onReplaced: (listener: () => void) => void listeners.push(listener),
    close: secret.close,
  };
}

const operation = {
  operationId: "replaceOrderKeys",
  summary: "Revoke all order links by replacing the secret of the order keys",
  permission: "order-links:revoke",
  takes: noFields,
  answers: { 201: orderKeysAnswerSchema },
} satisfies Operation;

export function replaceOrderKeysRoute(
  app: FastifyInstance,
  keys: Pick<OrderKeys, "replace">,
  now: Clock,
): void {
  route(app, post(paths.admin.orderKeys), operation, async (_input, reply) => {
    await keys.replace();
    const { name } = principalOf(reply.request);
    reply.log.warn({ by: name }, "the secret of the order keys was replaced: links are revoked");
    return { replaced_at: now() };
  });
}
