import { createHash, randomUUID } from "node:crypto";
import { createServer } from "node:http";
import BetterSqlite3 from "better-sqlite3";
import pg from "pg";
import type { OrderBody } from "../../test/harness/builders.ts";

/**
 * The raw limit of placing orders: node:http, `JSON.parse`, prices read, and the shop's rows in one
 * commit for all orders that arrived since the last one. No framework, validation, limits, security
 * headers or order keys. Its database has the shop's tables.
 */
const tables = ["orders", "order_lines", "order_events", "idempotency_keys"] as const;
type Table = (typeof tables)[number];

/** The rows of one order; columns that are `NULL` are left out. */
type Rows = Readonly<Record<Table, Readonly<Record<string, string | number>>>>;

interface Item {
  readonly id: string;
  readonly name: string;
  /** In cents. */
  readonly price: number;
}

interface Waiting {
  readonly body: OrderBody;
  readonly bodyHash: string;
  readonly key: string;
  readonly answer: (json: string) => unknown;
}

/** Reads items and stores the rows of `rowsOf` in one commit. */
interface Store {
  /** The number of concurrent commits. */
  readonly writers: number;
  commit(ids: string[], rowsOf: (items: readonly Item[]) => Rows[]): Promise<void>;
}

const url = process.env.DATABASE_URL ?? "";
const store = url.startsWith("file:") ? sqlite(url.replace("file:", "")) : postgres();
const waiting: Waiting[] = [];
let running = 0;

async function storeAll(): Promise<void> {
  while (waiting.length > 0) {
    const group = waiting.splice(0, waiting.length);
    const ids = new Set(group.flatMap(({ body }) => body.items.map(({ item_id }) => item_id)));
    let answers: string[] = [];
    await store.commit([...ids], (items) => {
      const placed = group.map((one) => placedWith(one, items));
      answers = placed.map(({ answer }) => JSON.stringify(answer));
      return placed.map(({ rows }) => rows);
    });
    for (const [index, { answer }] of group.entries()) answer(answers[index] ?? "");
  }
  running -= 1;
}

/** The rows and the answer of one order. */
function placedWith({ body, key, bodyHash }: Waiting, items: readonly Item[]) {
  const { items: lines, ...form } = body;
  const [line] = lines;
  const item = items.find(({ id }) => id === line?.item_id);
  if (line === undefined || item === undefined) throw new Error("the bench orders one known item");
  const { id: item_id, name, price } = item;
  const [id, at, total] = [randomUUID(), Date.now(), price * line.quantity];
  const common = { order_id: id, version: 1 };
  const rows: Rows = {
    orders: {
      id,
      status: "Pending",
      version: 1,
      attempt_failed: 0,
      customer_name: form.customer_name,
      customer_email: form.customer_email,
      shipping_address: JSON.stringify(form.shipping_address),
      billing_address: JSON.stringify(form.billing_address),
      total,
      created_at: at,
      updated_at: at,
      words: ` ${form.customer_name} ${form.customer_email} ${item.name} ${item.id}`
        .toLowerCase()
        .replaceAll(/[^a-z0-9]+/g, " "),
    },
    order_lines: {
      order_id: id,
      position: 0,
      item_id,
      name,
      price,
      quantity: line.quantity,
      taken: 0,
    },
    order_events: { ...common, kind: "placed", to_status: "Pending", by: "customer", at },
    idempotency_keys: { key, body_hash: bodyHash, order_id: id, created_at: at },
  };
  const answer = {
    id,
    status: "Pending",
    ...form,
    items: [{ id: item_id, name, price: price / 100, quantity: line.quantity }],
    total_price: total / 100,
    created_at: new Date(at).toISOString(),
  };
  return { rows, answer };
}

function sqlite(file: string): Store {
  const database = new BetterSqlite3(file);
  database.pragma("journal_mode = WAL");
  database.pragma("synchronous = FULL");
  database.pragma("foreign_keys = ON");
  database.pragma("wal_autocheckpoint = 4000");
  const read = database.prepare<[string], Item>(
    "SELECT id, name, price FROM items WHERE id = ? AND hidden = 0",
  );
  const inserts = new Map<Table, BetterSqlite3.Statement>();
  const prepare = (table: Table, columns: string[]) => {
    const values = columns.map(() => "?");
    return database.prepare(`INSERT INTO ${table} (${columns}) VALUES (${values})`);
  };
  const commit = database.transaction((...[ids, rowsOf]: Parameters<Store["commit"]>) => {
    for (const rows of rowsOf(ids.flatMap((id) => read.all(id)))) {
      for (const table of tables) {
        const insert = inserts.get(table) ?? prepare(table, Object.keys(rows[table]));
        inserts.set(table, insert);
        insert.run(...Object.values(rows[table]));
      }
    }
  });
  return { writers: 1, commit: async (ids, rowsOf) => commit.immediate(ids, rowsOf) };
}

function postgres(): Store {
  const writers = 2;
  const pool = new pg.Pool({ connectionString: url, max: writers });
  return {
    writers,
    async commit(ids, rowsOf) {
      const { rows: items } = await pool.query<Item>({
        name: "items",
        text: "SELECT id, name, price FROM items WHERE id = ANY($1) AND hidden = 0",
        values: [ids],
      });
      const all = rowsOf(items);
      const values: (string | number)[] = [];
      const inserts = tables.map((table) => {
        const columns = Object.keys(all[0]?.[table] ?? {});
        const tuples = all.map((rows) => {
          const parameters = Object.values(rows[table]).map((value) => `$${values.push(value)}`);
          return `(${parameters})`;
        });
        return `${table}_stored AS (INSERT INTO ${table} (${columns}) VALUES ${tuples})`;
      });
      const sql = `WITH ${inserts.join(",\n")} SELECT 1`;
      await pool.query({ name: `store ${all.length}`, text: sql, values });
    },
  };
}

function receive(json: string, key: string, answer: Waiting["answer"]): void {
  const bodyHash = createHash("sha256").update(json).digest("base64url");
  waiting.push({ body: JSON.parse(json), bodyHash, key, answer });
  if (running >= store.writers) return;
  running += 1;
  setImmediate(storeAll);
}

createServer((request, response) => {
  const type = { "Content-Type": "application/json; charset=utf-8" };
  const answer = (json: string) =>
    response.writeHead(201, { ...type, "Content-Length": Buffer.byteLength(json) }).end(json);
  let json = "";
  request.setEncoding("utf8");
  request.on("data", (part) => {
    json += part;
  });
  request.on("end", () => receive(json, String(request.headers["idempotency-key"]), answer));
}).listen(Number(process.env.PORT), "127.0.0.1", () => console.log("open"));
