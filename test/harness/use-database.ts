import { randomUUID } from "node:crypto";
import { afterAll, beforeAll } from "vitest";
import { createInProcessBus } from "../../apps/server/src/bus/in-process.ts";
import { createStock } from "../../apps/server/src/catalogue/stock.ts";
import type { Database, UnitOfWork } from "../../apps/server/src/db/database.ts";
import type { StorableOrder } from "../../apps/server/src/orders/order.ts";
import { createPlaceOrder } from "../../apps/server/src/orders/place-order.ts";
import { insertOrders } from "../../apps/server/src/orders/place-order-repository.ts";
import { aStoredOrder, noAnnouncements } from "./builders.ts";
import type { DatabaseKind, DatabasePlace } from "./databases.ts";
import { settlementOn } from "./settlement.ts";

/**
 * The database of one describe block. Read its fields only inside tests and hooks: before that it
 * is not open.
 */
export interface UsedDatabase {
  readonly place: DatabasePlace;
  readonly database: Database;
  /** A second process's connection; on SQLite, which serves one process, the same as `database`. */
  readonly other: Database;
  /** Runs `work` in a transaction of `database`. */
  readonly within: <T>(work: (unit: UnitOfWork) => Promise<T>) => Promise<T>;
  /** Stores an order of {@link aStoredOrder}. */
  readonly stored: (changes?: Partial<StorableOrder>) => Promise<StorableOrder>;
}

/**
 * Opens a new database before the tests of the describe block that calls this, and removes it after
 * them.
 */
export function useDatabase({ name, newPlace }: DatabaseKind): UsedDatabase {
  let opened: Pick<UsedDatabase, "place" | "database" | "other"> | undefined;
  const open = () => {
    if (opened === undefined) throw new Error("the database is open only inside tests and hooks");
    return opened;
  };
  beforeAll(async () => {
    const place = await newPlace();
    const database = await place.open();
    opened = { place, database, other: name === "SQLite" ? database : await place.open() };
  });
  afterAll(async () => {
    const { place, database, other } = open();
    await database.close();
    if (other !== database) await other.close();
    await place.remove();
  });
  const within: UsedDatabase["within"] = (work) => open().database.inTransaction(work);
  return {
    get place() {
      return open().place;
    },
    get database() {
      return open().database;
    },
    get other() {
      return open().other;
    },
    within,
    async stored(changes = {}) {
      const order = aStoredOrder(changes);
      await within((unit) => insertOrders(unit, [{ order, idempotency: undefined }]));
      return order;
    },
  };
}

/**
 * The functions that place, move and settle orders on a database, without subscribers and with a
 * fixed clock.
 */
export function useCasesOn(database: Database) {
  const placeOrder = createPlaceOrder({
    database,
    announce: noAnnouncements,
    items: createStock({ bus: createInProcessBus(), announce: noAnnouncements }),
    now: () => 5,
    newId: randomUUID,
  });
  return { ...settlementOn(database), placeOrder };
}
