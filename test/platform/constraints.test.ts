import { randomUUID } from "node:crypto";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { databaseKinds, useDatabase } from "../harness/databases.ts";

describe.each(databaseKinds)("a constraint on $name refuses", (kind) => {
  const shop = useDatabase(kind);

  const first = "00000000-0000-4000-8000-000000000001";
  const order = (id: string) =>
    `INSERT INTO orders (id, status, version, attempt_failed, customer_name, customer_email, shipping_address, billing_address, total, created_at) VALUES ('${id}', 'Pending', 1, 0, '', '', '{}', '{}', 0, 0)`;
  const loan = (id: string, orderId: string) =>
    `INSERT INTO loans (id, order_id, provider_status, state, currency, bound_at, updated_at) VALUES ('${id}', '${orderId}', 'x', 'paid-out', 'USD', 1, 1)`;
  const entry = (
    id: string,
    changes: { orderId?: string; kind?: string; unknown?: number; refundId?: string } = {},
  ) => {
    const { orderId, kind, unknown, refundId } = {
      orderId: first,
      kind: "received",
      unknown: 0,
      refundId: id,
      ...changes,
    };
    return `INSERT INTO journal (id, order_id, kind, amount, unknown, currency, at, by_name, refund_id) VALUES ('${id}', '${orderId}', '${kind}', 1, ${unknown}, 'USD', 1, 'x', '${refundId}')`;
  };
  const payoutReport = `INSERT INTO receipts (loan_id, currency, provider_amount, paid_at, seen_at) VALUES ('bound', 'USD', '1', 1, 1)`;
  beforeAll(async () => {
    await shop.testDatabase.run(order(first));
    await shop.testDatabase.run(payoutReport);
    await shop.testDatabase.run(entry("entry", { kind: "refunded", refundId: "refund" }));
    await shop.testDatabase.run(loan("bound", first));
    await shop.testDatabase.run(
      "INSERT INTO idempotency_keys (key, body_hash, created_at) VALUES ('k', 'h', 1)",
    );
    await shop.testDatabase.run(
      "INSERT INTO items (position, id, name, description, price, image_url) VALUES (1, 'one', 'One', '', 1, '')",
    );
  });
  afterAll(async () => {
    // The journal keeps its order.
    for (const table of ["loans", "idempotency_keys", "items"])
      await shop.testDatabase.run(`DELETE FROM ${table}`);
  });

  const line = (changes: string) =>
    `INSERT INTO order_lines (order_id, position, item_id, name, price, quantity) VALUES (${changes})`;
  test.each([
    ["a second order of one id", order(first)],
    ["an order with an id that is none", order("short")],
    ["an order of no version", `UPDATE orders SET version = 0`],
    ["an order that costs less than nothing", `UPDATE orders SET total = -1`],
    ["an attempt that is half over", `UPDATE orders SET attempt_failed = 2`],
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
    ["deleting an order that a loan is bound to", "DELETE FROM orders"],
    ["a loan for a second order", loan("bound", first)],
    ["a loan of no known state", "UPDATE loans SET state = 'maybe'"],
    ["a loan without its order", loan("c", randomUUID())],
    ["a loan that is refused for no known reason", "UPDATE loans SET refusal = 'maybe'"],
    [
      "a payment issue without its order",
      `INSERT INTO payment_issues (id, loan_id, order_id, kind, detail, opened_at) VALUES ('i', 'c', '${randomUUID()}', 'duplicate', '', 1)`,
    ],
    ["a second payout report of one loan", payoutReport],
    ["a second entry of one id", entry("entry")],
    ["a second refund of one id", entry("other", { kind: "refunded", refundId: "refund" })],
    ["an entry without its order", entry("other", { orderId: randomUUID() })],
    ["an entry of no known kind", entry("other", { kind: "maybe" })],
    ["an entry of two unknown amounts", entry("other", { unknown: 2 })],
    [
      "a check without its order",
      `INSERT INTO payment_checks (loan_id, order_id, outcome, not_before, next_at, created_at) VALUES ('c', '${randomUUID()}', 'new', 1, 1, 1)`,
    ],
    [
      "a second answer for one key",
      "INSERT INTO idempotency_keys (key, body_hash, created_at) VALUES ('k', 'h', 1)",
    ],
  ])("%s", async (_, sql) => {
    await expect(shop.testDatabase.run(sql)).rejects.toThrow(/constraint/i);
  });

  test.each([
    ["deleting a payout report", "DELETE FROM receipts"],
    ["a payout report of another amount", "UPDATE receipts SET amount = 2"],
    ["deleting an entry", "DELETE FROM journal"],
    ["an entry of another amount", "UPDATE journal SET amount = 2"],
    ["an entry of another account", "UPDATE journal SET order_id = NULL"],
  ])("%s", async (_, sql) => {
    await expect(shop.testDatabase.run(sql)).rejects.toThrow("is never changed");
  });

  test("only texts written by people can be deleted from the journal", async () => {
    await shop.testDatabase.run(
      "UPDATE journal SET by_name = '', reason = NULL, method = NULL, reference = NULL",
    );
    const [row] = await shop.testDatabase.run("SELECT amount, by_name FROM journal");
    expect(row).toMatchObject({ by_name: "" });
  });
});
