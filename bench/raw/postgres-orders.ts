import pg from "pg";
import { readSettings } from "../settings.ts";
import { insertStatement, orderRows } from "./order-rows.ts";

/**
 * Orders a second that PostgreSQL alone stores: one statement an order, over ten connections.
 * Prints one number. Each connection stores at least one order, however short the time. `notify`:
 * "inside" sends a NOTIFY in each order's own statement, "batched" sends them on a separate
 * connection.
 */
const {
  url,
  connections = 10,
  seconds,
  notify,
} = readSettings<{
  url: string;
  connections?: number;
  seconds: number;
  notify?: string;
}>();
let before = 0;
const inserts = Object.entries(orderRows()).map(([table, row]) => {
  const first = before;
  before += Object.keys(row).length;
  const insert = insertStatement(table, Object.keys(row), (n) => `$${first + n}`);
  return `${table}_stored AS (${insert})`;
});
if (notify === "inside") inserts.push("said AS (SELECT pg_notify('bench', $1))");
// What nothing reads is not run, unless it changes rows.
const text = `WITH ${inserts.join(",\n")} SELECT ${notify === "inside" ? "(SELECT count(*) FROM said)" : "1"}`;
const clients = await Promise.all(
  Array.from({ length: connections }, async () => {
    const client = new pg.Client({ connectionString: url });
    await client.connect();
    return client;
  }),
);
const speaker = new pg.Client({ connectionString: url });
await speaker.connect();
let waiting: string[] = [];
let stored = 0;
const begun = performance.now();
const isOver = () => performance.now() - begun >= seconds * 1000;

async function announceAll(): Promise<void> {
  while (!isOver()) {
    const batch = waiting.splice(0, 100);
    if (batch.length > 0) await speaker.query("SELECT pg_notify('bench', $1)", [batch.join()]);
    await new Promise(setImmediate);
  }
}

const speaking = notify === "batched" ? announceAll() : undefined;
await Promise.all(
  clients.map(async (client) => {
    do {
      const rows = orderRows();
      const values = Object.values(rows).flatMap((row) => Object.values(row));
      await client.query({ name: "store", text, values });
      if (notify === "batched") waiting.push(rows.orders.id);
      stored += 1;
    } while (!isOver());
  }),
);
const perSecond = stored / ((performance.now() - begun) / 1000);
waiting = [];
await speaking;
await Promise.all([...clients, speaker].map((client) => client.end()));
console.log(JSON.stringify({ perSecond }));
