import BetterSqlite3 from "better-sqlite3";
import { readSettings } from "../settings.ts";
import { orderRows } from "./order-rows.ts";

/** Orders a second that SQLite alone stores with durable commits, with a given number of orders per commit. Prints one number. */
const { file, group, seconds } = readSettings<{ file: string; group: number; seconds: number }>();
const database = new BetterSqlite3(file);
database.pragma("journal_mode = WAL");
database.pragma("synchronous = FULL");
database.pragma("foreign_keys = ON");
const order = database.prepare("INSERT INTO orders VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?)");
const line = database.prepare("INSERT INTO order_lines VALUES (?, ?, ?, ?, ?, ?)");
const event = database.prepare("INSERT INTO order_events VALUES (?, ?, ?, ?, ?, ?, ?)");
const key = database.prepare("INSERT INTO idempotency_keys VALUES (?, ?, ?, ?)");
const store = database.transaction(() => {
  for (let index = 0; index < group; index += 1) {
    const rows = orderRows();
    order.run(...rows.order);
    line.run(...rows.line);
    event.run(...rows.event);
    key.run(...rows.key);
  }
});
let stored = 0;
const begun = performance.now();
while (performance.now() - begun < seconds * 1000) {
  store.immediate();
  stored += group;
}
const perSecond = stored / ((performance.now() - begun) / 1000);
database.close();
console.log(JSON.stringify({ perSecond }));
