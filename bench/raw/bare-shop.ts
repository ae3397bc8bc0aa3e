import { createHash, randomUUID } from "node:crypto";
import { createServer, type IncomingMessage } from "node:http";
import type { OrderBody } from "@keepsats/testing";
import BetterSqlite3 from "better-sqlite3";
import pg from "pg";

/**
 * The raw limit of placing orders: node:http, `JSON.parse`, prices read, and the shop's rows in one
 * commit for all orders that arrived meanwhile. No framework, no validation, no limits, no security
 * headers, no keys of orders. Its database has the shop's tables.
 */

/** One row of each table, as the shop stores it; columns that are `NULL` are left out. */
type Rows = Readonly<Record<Table, Readonly<Record<string, string | number>>>>;
const tables = ["orders", "order_lines", "order_events", "idempotency_keys"] as const;
type Table = (typeof tables)[number];

interface ForSale {
  readonly id: string;
  readonly name: string;
  /** In cents. */
  readonly price: number;
}

interface Waiting {
  readonly body: OrderBody;
  readonly bodyHash: string;
  readonly key: string;
  readonly answer: (json: string) => void;
}

/** Reads the prices of items and stores the rows that `rowsOf` makes of them, in one commit. */
type Store = (
  itemIds: readonly string[],
  rowsOf: (items: ReadonlyMap<string, ForSale>) => Rows[],
) => Promise<void>;

const url = process.env.DATABASE_URL ?? "";
const { store, writers } = url.startsWith("file:") ? sqlite(url.replace("file:", "")) : postgres();
const waiting: Waiting[] = [];
let running = 0;

async function storeAll(): Promise<void> {
  while (waiting.length > 0) {
    const group = waiting.splice(0, waiting.length);
    const ids = new Set(group.flatMap(({ body }) => body.items.map(({ item_id }) => item_id)));
    const answers: string[] = [];
    await store([...ids], (items) =>
      group.map((one) => {
        const { rows, answer } = placed(one, items);
        answers.push(answer);
        return rows;
      }),
    );
    for (const [index, { answer }] of group.entries()) answer(answers[index] ?? "");
  }
  running -= 1;
}

function placed({ body, key, bodyHash }: Waiting, items: ReadonlyMap<string, ForSale>) {
  const {
    items: [line],
    ...form
  } = body;
  const item = items.get(line?.item_id ?? "");
  if (line === undefined || item === undefined)
    throw new Error("the bench orders one item that is for sale");
  const { quantity } = line;
  const id = randomUUID();
  const at = Date.now();
  const total = item.price * quantity;
  const rows: Rows = {
    orders: {
      id,
      status: "Pending",
      version: 1,
      attempt_over: 0,
      customer_name: form.customer_name,
      customer_email: form.customer_email,
      shipping_address: JSON.stringify(form.shipping_address),
      billing_address: JSON.stringify(form.billing_address),
      total,
      created_at: at,
    },
    order_lines: {
      order_id: id,
      position: 0,
      item_id: item.id,
      name: item.name,
      price: item.price,
      quantity,
      taken: 0,
    },
    order_events: {
      order_id: id,
      version: 1,
      kind: "placed",
      to_status: "Pending",
      by: "shopper",
      at,
    },
    idempotency_keys: { key, body_hash: bodyHash, answer: JSON.stringify({ id }), created_at: at },
  };
  const shown = { id: item.id, name: item.name, price: item.price / 100, quantity };
  const answer = JSON.stringify({
    id,
    status: "Pending",
    ...form,
    items: [shown],
    total_price: total / 100,
    created_at: new Date(at).toISOString(),
  });
  return { rows, answer };
}

function sqlite(file: string): { store: Store; writers: number } {
  const database = new BetterSqlite3(file);
  database.pragma("journal_mode = WAL");
  database.pragma("synchronous = FULL");
  database.pragma("foreign_keys = ON");
  database.pragma("wal_autocheckpoint = 4000");
  const read = database.prepare<[string], ForSale>(
    "SELECT id, name, price FROM items WHERE id = ? AND hidden = 0",
  );
  const inserts = new Map<Table, BetterSqlite3.Statement>();
  const store = database.transaction((ids: Parameters<Store>[0], rowsOf: Parameters<Store>[1]) => {
    const items = new Map(ids.flatMap((id) => read.all(id).map((item) => [id, item] as const)));
    for (const rows of rowsOf(items)) {
      for (const table of tables) {
        const row = rows[table];
        let insert = inserts.get(table);
        if (insert === undefined) {
          const columns = Object.keys(row);
          insert = database.prepare(
            `INSERT INTO ${table} (${columns.join(", ")}) VALUES (${columns.map(() => "?").join(", ")})`,
          );
          inserts.set(table, insert);
        }
        insert.run(...Object.values(row));
      }
    }
  });
  return { store: async (ids, rowsOf) => store.immediate(ids, rowsOf), writers: 1 };
}

function postgres(): { store: Store; writers: number } {
  const writers = 2;
  const pool = new pg.Pool({ connectionString: url, max: writers });

  async function store(ids: Parameters<Store>[0], rowsOf: Parameters<Store>[1]): Promise<void> {
    const { rows: items } = await pool.query<ForSale>({
      name: "items",
      text: "SELECT id, name, price FROM items WHERE id = ANY($1) AND hidden = 0",
      values: [ids],
    });
    const all = rowsOf(new Map(items.map((item) => [item.id, item])));
    const values: (string | number)[] = [];
    const inserts = tables.map((table) => {
      const columns = Object.keys(all[0]?.[table] ?? {});
      const tuples = all.map(
        (rows) =>
          `(${Object.values(rows[table])
            .map((value) => `$${values.push(value)}`)
            .join(", ")})`,
      );
      return `${table}_stored AS (INSERT INTO ${table} (${columns.join(", ")}) VALUES ${tuples.join(", ")})`;
    });
    await pool.query({
      name: `store ${all.length}`,
      text: `WITH ${inserts.join(",\n")} SELECT 1`,
      values,
    });
  }

  return { store, writers };
}

async function bodyOf(request: IncomingMessage): Promise<string> {
  const parts: Buffer[] = [];
  return new Promise((resolve, reject) => {
    request.on("data", (part: Buffer) => parts.push(part));
    request.on("end", () => resolve(Buffer.concat(parts).toString()));
    request.on("error", reject);
  });
}

createServer(async (request, response) => {
  const text = await bodyOf(request);
  const body: OrderBody = JSON.parse(text);
  waiting.push({
    body,
    bodyHash: createHash("sha256").update(text).digest("base64url"),
    key: String(request.headers["idempotency-key"]),
    answer(json) {
      const head = {
        "Content-Type": "application/json; charset=utf-8",
        "Content-Length": Buffer.byteLength(json),
      };
      response.writeHead(201, head).end(json);
    },
  });
  if (running >= writers) return;
  running += 1;
  setImmediate(storeAll);
}).listen(Number(process.env.PORT), "127.0.0.1", () => console.log("open"));
