import { join } from "node:path";
import BetterSqlite3 from "better-sqlite3";
import type { Shop } from "./shop.ts";

/**
 * Gives an order, and all of its events, a status that this version need not know, as a newer
 * version would: directly in the database, without a message on the bus. The order's version
 * increases by 1.
 */
export function storeStatus({ folder }: Shop, orderId: string, status: string): void {
  const raw = new BetterSqlite3(join(folder, "shop.db"));
  try {
    raw
      .prepare("UPDATE orders SET status = ?, version = version + 1 WHERE id = ?")
      .run(status, orderId);
    raw.prepare("UPDATE order_events SET to_status = ? WHERE order_id = ?").run(status, orderId);
  } finally {
    raw.close();
  }
}
