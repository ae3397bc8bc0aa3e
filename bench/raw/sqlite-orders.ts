import BetterSqlite3 from "better-sqlite3";
import { readSettings } from "../settings.ts";
import { insertStatement, orderRows } from "./order-rows.ts";

/** Orders a second that SQLite alone stores with durable commits, with a given number of orders per commit. Prints one number.
 * At least one commit, however short the time. */
const { file, group, seconds } = readSettings<{ file: string; group: number; seconds: number }>();
const database = new BetterSqlite3(file);
database.pragma("journal_mode = WAL");
database.pragma("synchronous = FULL");
database.pragma("foreign_keys = ON");
const inserts = Object.entries(orderRows()).map(([table, row]) =>
  database.prepare(insertStatement(table, Object.keys(row), () => "?")),
);
const store = database.transaction(() => {
  for (let index = 0; index < group; index += 1) {
    const rows = Object.values(orderRows());
    for (const [place, insert] of inserts.entries()) insert.run(...Object.values(rows[place] ?? {}));
  }
});
let stored = 0;
const begun = performance.now();
do {
  store.immediate();
  stored += group;
} while (performance.now() - begun < seconds * 1000);
const perSecond = stored / ((performance.now() - begun) / 1000);
database.close();
console.log(JSON.stringify({ perSecond }));
