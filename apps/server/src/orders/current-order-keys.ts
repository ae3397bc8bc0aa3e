import type { Bus } from "../bus/bus.ts";
import { type CoalescedRead, readCoalesced } from "../bus/coalesced-read.ts";
import type { Database } from "../db/database.ts";
import { createOrderKeys, type OrderKeys, readSecret, storeNewSecret } from "./order-keys.ts";
import { refuseRepeats } from "./place-order-repository.ts";

/** The keys of orders under the secret of the moment, which can be replaced while the shop is open. */
export interface CurrentOrderKeys extends OrderKeys {
  /**
   * Makes a new secret: every key that was given out before is void, in every process within a second. Requests that repeat an
   * earlier one are refused from now on: their answer would have a new key, and a copy of the database is enough to repeat them.
   */
  replace(): Promise<void>;
  /** Calls `listener` whenever this process has begun to use another secret. */
  onReplaced(listener: () => void): void;
  close(): void;
}

interface Dependencies {
  readonly database: Database;
  readonly bus: Bus;
  readonly onError: (error: unknown) => void;
  /** The interval of periodic re-reads in milliseconds; they find a new secret whose message the bus has lost. */
  readonly reread: number;
}

/** Creates {@link CurrentOrderKeys}. */
export async function createCurrentOrderKeys(dependencies: Dependencies): Promise<CurrentOrderKeys> {
  const { database, bus, onError, reread } = dependencies;
  let secret = await readSecret(database);
  let keys = createOrderKeys(secret);
  const listeners: (() => void)[] = [];
  const state: CoalescedRead = { reading: undefined, stale: false };

  async function read(): Promise<void> {
    const stored = await readSecret(database);
    if (stored.equals(secret)) return;
    secret = stored;
    keys = createOrderKeys(secret);
    for (const listener of listeners) listener();
  }

  function refresh(): void {
    readCoalesced(state, read).catch(onError);
  }

  const endSubscription = bus.subscribe(({ topic }) => {
    if (topic === "order-keys" || topic === "gap") refresh();
  });
  const rereading = setInterval(refresh, reread);
  rereading.unref();
  return {
    keyOf: (orderId) => keys.keyOf(orderId),
    isKeyOf: (orderId, key) => keys.isKeyOf(orderId, key),
    async replace() {
      await database.inTransaction(async (unit) => {
        await storeNewSecret(unit.db);
        await refuseRepeats(unit.db);
        unit.afterCommit(() => bus.publish({ topic: "order-keys" }));
      });
      await readCoalesced(state, read);
    },
    onReplaced: (listener) => void listeners.push(listener),
    close() {
      endSubscription();
      clearInterval(rereading);
    },
  };
}
