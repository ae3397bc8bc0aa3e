import { canMove, type OrderStatus, orderStatuses } from "@keepsats/domain";
import type { DatabaseKind, TestDatabase } from "./databases.ts";
import { type Row, specialRows } from "./special-rows.ts";

const ORDERS = 200;

/** The id of the nth order. */
function idOf(n: number): string {
  return `${String(n).padStart(8, "0")}-0000-4000-8000-000000000000`;
}

/**
 * Creates a database with rows in every table: orders in every status, each with one to three
 * lines, its events, a loan, a check, a payment issue and an idempotency key; and
 * {@link specialRows}.
 */
export async function fillEveryTable(
  kind: DatabaseKind,
  testDatabase: TestDatabase,
): Promise<void> {
  await testDatabase.migrate(kind.migrations);
  const numbers = Array.from({ length: ORDERS }, (_, n) => n);
  const tables: Readonly<Record<string, Row[]>> = {
    orders: numbers.map(orderRow),
    order_lines: numbers.flatMap(lineRows),
    order_events: numbers.flatMap(eventRows),
    idempotency_keys: numbers.map((n) => ({
      key: `key-${n}`,
      body_hash: "hash",
      order_id: idOf(n),
      created_at: n,
    })),
    loans: numbers.map((n) => ({
      id: `c-${n}`,
      order_id: idOf(n),
      provider_status: "Approved",
      state: "active",
      currency: "USD",
      bound_at: n,
      updated_at: n,
      cents: 4_500,
      was_extended: 0,
    })),
    payment_checks: numbers.map((n) => ({
      loan_id: `c-${n}`,
      order_id: idOf(n),
      outcome: "seen",
      failures: n % 3,
      with_key: n % 2,
      not_before: 1,
      next_at: n,
      created_at: 1,
    })),
    payment_issues: numbers.map((n) => ({
      id: `issue-${n}`,
      loan_id: `c-${n}`,
      order_id: idOf(n),
      kind: "duplicate",
      detail: "Ask the provider.",
      opened_at: n,
    })),
  };
  for (const rows of [tables, specialRows(idOf(0))])
    for (const [table, all] of Object.entries(rows)) await insert(testDatabase, table, all);
  await insertBlobs(kind, testDatabase);
}

/** Inserts {@link specialRows} into the tables that are empty. */
export async function fillEmptyTables(
  kind: DatabaseKind,
  testDatabase: TestDatabase,
): Promise<void> {
  const isEmpty = async (table: string) =>
    (await testDatabase.run(`SELECT 1 FROM ${table} LIMIT 1`)).length === 0;
  const [order] = await testDatabase.run("SELECT id FROM orders ORDER BY position LIMIT 1");
  for (const [table, rows] of Object.entries(specialRows(String(Reflect.get(Object(order), "id")))))
    if (await isEmpty(table)) await insert(testDatabase, table, rows);
  if (await isEmpty("pictures")) await insertBlobs(kind, testDatabase);
}

async function insertBlobs({ name }: DatabaseKind, testDatabase: TestDatabase): Promise<void> {
  const blob = name === "SQLite" ? "x'00ff7b'" : "'\\x00ff7b'";
  await testDatabase.run("INSERT INTO pictures VALUES ('picture', 800, 600, 7)");
  await testDatabase.run(`INSERT INTO picture_files VALUES ('picture', 800, 'webp', ${blob})`);
  await testDatabase.run(`INSERT INTO web_assets VALUES ('app.js', ${blob}, 1, 5)`);
}

/** Inserts rows; rows with the same columns are inserted together. */
async function insert(
  testDatabase: TestDatabase,
  table: string,
  rows: readonly Row[],
): Promise<void> {
  const byColumns = Object.groupBy(rows, (row) => Object.keys(row).join(", "));
  for (const [columns, group = []] of Object.entries(byColumns)) {
    const values = group.map((row) => `(${Object.values(row).map(literal).join(", ")})`);
    await testDatabase.run(`INSERT INTO ${table} (${columns}) VALUES ${values.join(", ")}`);
  }
}

function literal(value: string | number | null): string {
  return typeof value === "string" ? `'${value.replaceAll("'", "''")}'` : String(value);
}

/** The statuses that the nth order has had, the present one last. */
function pathOf(n: number): OrderStatus[] {
  const end = orderStatuses[n % orderStatuses.length] ?? "Pending";
  const path = [end];
  for (let first = end; first !== "Pending"; path.unshift(first))
    first = orderStatuses.find((from) => canMove(from, first)) ?? "Pending";
  return path;
}

function orderRow(n: number): Row {
  const path = pathOf(n);
  const street = `${"Long Partition ".repeat(9)}${n}`;
  const address = JSON.stringify({
    street,
    city: "O'Ham",
    state: "",
    postal_code: "1",
    country: "UK",
  });
  return {
    id: idOf(n),
    status: path.at(-1) ?? "Pending",
    version: path.length,
    customer_name: `Ada ${n}`,
    customer_email: "ada@example.org",
    shipping_address: address,
    billing_address: address,
    total: 4_500 + n,
    updated_at: n,
    paid_at: n,
    words: ` ada lovelace ${n}`,
    created_at: 1_790_000_000_000 + n,
  };
}

function lineRows(n: number): Row[] {
  return [0, 1, 2].slice(0, 1 + (n % 3)).map((position) => ({
    order_id: idOf(n),
    position,
    item_id: "moka-pot",
    name: "Moka Pot",
    price: 4_500,
    quantity: 1 + position,
    taken: 0,
  }));
}

function eventRows(n: number): Row[] {
  return pathOf(n).map((status, index, path) => ({
    order_id: idOf(n),
    version: index + 1,
    kind: index === 0 ? "placed" : "moved",
    from_status: path[index - 1] ?? null,
    to_status: status,
    by: "customer",
    at: index,
  }));
}
