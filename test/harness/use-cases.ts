import { randomUUID } from "node:crypto";
import { createInProcessBus } from "../../apps/server/src/bus/in-process.ts";
import { createStock } from "../../apps/server/src/catalogue/stock.ts";
import type { Database } from "../../apps/server/src/db/database.ts";
import { createPlaceOrder } from "../../apps/server/src/orders/place-order.ts";
import { noAnnouncements } from "./builders.ts";
import { settlementOn } from "./settlement.ts";

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
