import { createFollowedValue, type Following } from "../bus/followed-value.ts";
import type { Database } from "../db/database.ts";
import { createOrderKeys, type OrderKeys, readSecret, storeNewSecret } from "./order-keys.ts";
import { refuseRepeats } from "./place-order-repository.ts";

/**
 * The keys of orders under the secret of the moment, which can be replaced while the shop is open.
 */
export interface CurrentOrderKeys extends OrderKeys {
  /**
   * Makes a new secret: every key that was given out before is void, in every process within a
   * second. Requests that repeat an earlier one are refused from now on: their answer would have a
   * new key, and a copy of the database is enough to repeat them.
   */
  replace(): Promise<void>;
  /** Calls `listener` whenever this process has begun to use another secret. */
  onReplaced(listener: () => void): void;
  close(): void;
}

interface Dependencies extends Following {
  readonly database: Database;
}

/** Creates {@link CurrentOrderKeys}. */
export async function createCurrentOrderKeys(
  dependencies: Dependencies,
): Promise<CurrentOrderKeys> {
  const { database, ...following } = dependencies;
  const listeners: (() => void)[] = [];
  const followed = await createFollowedValue<{ readonly secret: Buffer; readonly keys: OrderKeys }>(
    {
      ...following,
      topic: "order-keys",
      async read(before) {
        const secret = await readSecret(database.db);
        return before?.secret.equals(secret) === true
          ? before
          : { secret, keys: createOrderKeys(secret) };
      },
      onChanged() {
        for (const listener of listeners) listener();
      },
    },
  );
  return {
    keyOf: (orderId) => followed.current().keys.keyOf(orderId),
    isKeyOf: (orderId, key) => followed.current().keys.isKeyOf(orderId, key),
    async replace() {
      await database.inTransaction(async (unit) => {
        await storeNewSecret(unit.db);
        await refuseRepeats(unit.db);
        unit.afterCommit(() => following.bus.publish({ topic: "order-keys" }));
      });
      await followed.refresh();
    },
    onReplaced: (listener) => void listeners.push(listener),
    close: followed.close,
  };
}
