import { randomUUID } from "node:crypto";
import { anAddress } from "@keepsats/testing";

/** The rows of one order by their tables, as the shop stores them: order, line, first event, and the answer under its key.
 * Columns that are `NULL` are left out. */
export function orderRows() {
  const id = randomUUID();
  const now = Date.now();
  const address = JSON.stringify(anAddress());
  const order = {
    id,
    status: "Pending",
    version: 1,
    attempt_over: 0,
    customer_name: "Ada Lovelace",
    customer_email: "ada@example.org",
    shipping_address: address,
    billing_address: address,
    total: 4500,
    created_at: now,
  };
  const line = {
    order_id: id,
    position: 0,
    item_id: "moka-pot",
    name: "Moka Pot",
    price: 4500,
    quantity: 1,
    taken: 0,
  };
  const event = {
    order_id: id,
    version: 1,
    kind: "placed",
    to_status: "Pending",
    by: "shopper",
    at: now,
  };
  const key = {
    key: randomUUID(),
    body_hash: "9mXk0a1pR4yqk0vC5c0n9mXk0a1pR4yqk0vC5c0n9mX",
    answer: JSON.stringify({ id }),
    created_at: now,
  };
  return { orders: order, order_lines: line, order_events: event, idempotency_keys: key };
}

/**
 * The statement that inserts a row with these columns. @param parameter how the database writes its
 * nth parameter, from 1
 */
export function insertStatement(
  table: string,
  columns: readonly string[],
  parameter: (n: number) => string,
): string {
  const parameters = columns.map((_, index) => parameter(index + 1));
  return `INSERT INTO ${table} (${columns.join(", ")}) VALUES (${parameters.join(", ")})`;
}
