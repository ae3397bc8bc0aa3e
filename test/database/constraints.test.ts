import { randomUUID } from "node:crypto";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { databaseKinds, useDatabase } from "../harness/databases.ts";

describe.each(databaseKinds)("a constraint of $name refuses", (kind) => {
  const shop = useDatabase(kind);

  const first = "00000000-0000-4000-8000-000000000001";
  const order = (id: string) =>
    `INSERT INTO orders (id, status, version, attempt_over, customer_name, customer_email, shipping_address, billing_address, total, created_at) VALUES ('${id}', 'Pending', 1, 0, '', '', '{}', '{}', 0, 0)`;
  beforeAll(async () => {
    await shop.place.run(order(first));
    await shop.place.run(
      `INSERT INTO loans (id, order_id, provider_status, state, bound_at, updated_at) VALUES ('bound', '${first}', 'x', 'paid-out', 1, 1)`,
    );
    await shop.place.run(
      "INSERT INTO idempotency_keys (key, body_hash, created_at) VALUES ('k', 'h', 1)",
    );
    await shop.place.run(
      "INSERT INTO items (position, id, name, description, price, image_url) VALUES (1, 'one', 'One', '', 1, '')",
    );
  });
  afterAll(async () => {
    for (const table of ["loans", "orders", "idempotency_keys", "items"])
      await shop.place.run(`DELETE FROM ${table}`);
  });

  const line = (changes: string) =>
    `INSERT INTO order_lines (order_id, position, item_id, name, price, quantity) VALUES (${changes})`;
  test.each([
    ["a second order of one id", order(first)],
    ["an order with an id that is none", order("short")],
    ["an order of no version", `UPDATE orders SET version = 0`],
    ["an order that costs less than nothing", `UPDATE orders SET total = -1`],
    ["an attempt that is half over", `UPDATE orders SET attempt_over = 2`],
    ["a line without its order", line(`'${randomUUID()}', 0, 'x', 'x', 1, 1`)],
    ["a line of nothing", line(`'${first}', 0, 'x', 'x', 1, 0`)],
    ["a line of too much", line(`'${first}', 0, 'x', 'x', 1, 10000`)],
    ["a line with a negative price", line(`'${first}', 0, 'x', 'x', -1, 1`)],
    [
      "an event without its order",
      `INSERT INTO order_events (order_id, version, kind, to_status, by, at) VALUES ('${randomUUID()}', 1, 'placed', 'Pending', 'x', 1)`,
    ],
    [
      "a second item of one id",
      "INSERT INTO items (position, id, name, description, price, image_url) VALUES (2, 'one', '', '', 1, '')",
    ],
    ["an item with a negative price", "UPDATE items SET price = -1"],
    ["an item that is too dear", "UPDATE items SET price = 100000001"],
    ["an item that is half hidden", "UPDATE items SET hidden = 2"],
    ["an order that goes while a loan is bound to it", "DELETE FROM orders"],
    [
      "a loan for a second order",
      `INSERT INTO loans (id, order_id, provider_status, state, bound_at, updated_at) VALUES ('bound', '${first}', 'x', 'paid-out', 1, 1)`,
    ],
    ["a loan of no known state", "UPDATE loans SET state = 'maybe'"],
    [
      "a loan without its order",
      `INSERT INTO loans (id, order_id, provider_status, state, bound_at, updated_at) VALUES ('c', '${randomUUID()}', 'x', 'paid-out', 1, 1)`,
    ],
    [
      "a check without its order",
      `INSERT INTO payment_checks (loan_id, order_id, outcome, not_before, next_at, created_at) VALUES ('c', '${randomUUID()}', 'new', 1, 1, 1)`,
    ],
    [
      "a second answer for one key",
      "INSERT INTO idempotency_keys (key, body_hash, created_at) VALUES ('k', 'h', 1)",
    ],
  ])("%s", async (_, sql) => {
    await expect(shop.place.run(sql)).rejects.toThrow(/constraint/i);
  });
});
