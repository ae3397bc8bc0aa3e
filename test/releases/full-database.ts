import type { DatabaseKind, TestDatabase } from "../harness/databases.ts";
import { restoreRelease } from "./stored-release.ts";

const RELEASE = "1.0.0";
const ANY_ORDER = "(SELECT min(id) FROM orders)";

/** Fills the tables and columns that migrations have added since {@link RELEASE}. */
const statements = [
  "INSERT INTO categories (id, name, name_key, position) VALUES ('kitchen', 'Küche 😀', 'küche 😀', 1)",
  `UPDATE items SET category_id = 'kitchen', variant_of = 'enamel-mug', variant_name = 'Small, blue 😀',
    vat_rate = 700 WHERE id = 'moka-pot'`,
  `INSERT INTO order_returns (id, order_id, state, lines, reason, message, by, by_name, refund_id, opened_at, changed_at)
    VALUES ('return', ${ANY_ORDER}, 'refunded', '[{"item_id":"moka-pot","quantity":1}]', 'too small "''\\ \\u0000 {} $1',
      'two\nlines', 'staff', 'till', 'refund', 1, 2)`,
  `INSERT INTO refund_lines (order_id, refund_id, position, quantity, restocked)
    VALUES (${ANY_ORDER}, 'refund', 0, 1, 1)`,
  `INSERT INTO journal (id, order_id, kind, amount, unknown, currency, at, by_name, refund_id, grant_kind)
    VALUES ('refund', ${ANY_ORDER}, 'refunded', 1, 0, 'USD', 1, 'till', 'refund', 'return')`,
  `INSERT INTO issued_receipts (order_id, sequence, refund_id, issued_at, content)
    VALUES (${ANY_ORDER}, 1, 'refund', 1, '{"seller":{"name":"Zoë 😀"}}')`,
  "UPDATE staff_sessions SET hash = 'restricted ' || hash",
  "UPDATE staff SET restricted_role = 'packer'",
  "UPDATE tokens SET restricted_role = 'packer'",
  // The release had no value here.
  "UPDATE orders SET tracking_url = 'https://dhl.example/17' WHERE tracking_number IS NOT NULL",
  "UPDATE loans SET presumed_extension_at = 1 WHERE id = (SELECT min(id) FROM loans)",
];

/**
 * The stored database of {@link RELEASE}, migrated to the present schema: it has orders in each
 * status, rows in every table, a value in every column, and difficult texts.
 */
export async function restoreFullDatabase(kind: DatabaseKind): Promise<TestDatabase> {
  const testDatabase = await restoreRelease(RELEASE, kind);
  await testDatabase.migrate(kind.migrations);
  for (const sql of statements) await testDatabase.run(sql);
  // A backup of PostgreSQL has no assets: each server stores its own.
  if (kind.name === "PostgreSQL")
    await testDatabase.run("INSERT INTO web_assets VALUES ('app.js', '\\x00ff7b', 1, 5)");
  return testDatabase;
}
