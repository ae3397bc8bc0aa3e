import pg from "pg";
import { readSettings } from "../settings.ts";
import { orderRows } from "./order-rows.ts";

/**
 * Orders a second that PostgreSQL alone stores: one statement an order, over ten connections. Prints one number.
 * `notify`: "inside" sends a NOTIFY in each order's own statement, "batched" sends them on a separate connection.
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
const announce = notify === "inside" ? ", said AS (SELECT pg_notify('bench', $1))" : "";
const text = `WITH o AS (INSERT INTO orders VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10)),
  l AS (INSERT INTO order_lines VALUES ($11, $12, $13, $14, $15, $16)),
  e AS (INSERT INTO order_events VALUES ($17, $18, $19, $20, $21, $22, $23))${announce}
  INSERT INTO idempotency_keys VALUES ($24, $25, $26, $27)${notify === "inside" ? " RETURNING (SELECT count(*) FROM said)" : ""}`;
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
    while (!isOver()) {
      const { order, line, event, key } = orderRows();
      await client.query({ name: "store", text, values: [...order, ...line, ...event, ...key] });
      if (notify === "batched") waiting.push(String(order[0]));
      stored += 1;
    }
  }),
);
const perSecond = stored / ((performance.now() - begun) / 1000);
waiting = [];
await speaking;
await Promise.all([...clients, speaker].map((client) => client.end()));
console.log(JSON.stringify({ perSecond }));
