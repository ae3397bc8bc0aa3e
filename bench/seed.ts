import type { BenchDatabase } from "./databases.ts";

/** The id of the nth seeded order, if ids are derived from the number. */
export function seededId(n: number): string {
  return `${n.toString(16).padStart(8, "0")}-0000-4000-8000-${n.toString(16).padStart(12, "0")}`;
}

/** The contract that is bound to it. */
export const seededContract = (n: number) => `contract-${n}`;

/** The URL path on which its shopper follows it. */
export const followPath = (n: number) =>
  `/api/ws/order-status?order_id=${seededId(n)}&contract_id=${seededContract(n)}`;

/** The provider's answer for a seeded loan in progress. */
export const SEEDED_STATUS = "CollateralSeen";

const BASE_TIME = 1_700_000_000_000;

/** The loan of a seeded order, paid or in progress. */
const loans = {
  paid: { orderStatus: "PaymentProcessed", contractStatus: "PrincipalGiven", meaning: "paid" },
  underWay: { orderStatus: "PaymentProcessing", contractStatus: SEEDED_STATUS, meaning: "processing" },
};

/** Stores the orders from number `from` to `to`, each with a line and an event, and with a loan if one is given. A search does not
 * find them. */
export async function seedOrders(
  database: BenchDatabase,
  { from = 1, to, loan }: { from?: number; to: number; loan?: keyof typeof loans },
): Promise<void> {
  const lent = loan === undefined ? undefined : loans[loan];
  const status = lent?.orderStatus ?? "Delivered";
  const address =
    '{"street":"12 St James Square","city":"London","state":"Greater London","postal_code":"SW1Y 4JH","country":"United Kingdom"}';
  const onSqlite = database.name === "SQLite";
  // Random ids, spread over the whole index, unless the benchmark needs to know them.
  const number = lent
    ? "n"
    : onSqlite
      ? "((n * 2654435761) % 4294967296)"
      : "((n::bigint * 2654435761) % 4294967296)";
  const id = onSqlite
    ? `printf('%08x-0000-4000-8000-%012x', ${number}, n)`
    : `lpad(to_hex(${number}), 8, '0') || '-0000-4000-8000-' || lpad(to_hex(n), 12, '0')`;
  const numbers = onSqlite
    ? `WITH RECURSIVE numbers(n) AS (SELECT ${from} UNION ALL SELECT n + 1 FROM numbers WHERE n < ${to})`
    : `WITH numbers AS (SELECT n FROM generate_series(${from}, ${to}) AS n)`;
  const insert = (table: string, columns: string, values: string) =>
    onSqlite
      ? `INSERT INTO ${table} (${columns}) ${numbers} SELECT ${values} FROM numbers;`
      : `${numbers} INSERT INTO ${table} (${columns}) SELECT ${values} FROM numbers;`;
  await database.run(
    [
      insert(
        "orders",
        "id, status, version, attempt_over, customer_name, customer_email, shipping_address, billing_address, total, created_at",
        `${id}, '${status}', 1, 0, 'Ada Lovelace', 'ada@example.org', '${address}', '${address}', 4500, ${BASE_TIME} + n::bigint * 1000`,
      ),
      insert(
        "order_lines",
        "order_id, position, item_id, name, price, quantity",
        `${id}, 0, 'moka-pot', 'Moka Pot', 4500, 1`,
      ),
      insert(
        "order_events",
        "order_id, version, from_status, to_status, by, reason, at",
        `${id}, 1, NULL, '${status}', 'shopper', NULL, ${BASE_TIME}`,
      ),
      ...(lent
        ? [
            insert(
              "contracts",
              "id, order_id, status, meaning, bound_at, updated_at",
              `'contract-' || n, ${id}, '${lent.contractStatus}', '${lent.meaning}', 1, 1`,
            ),
          ]
        : []),
      // They are not put into the index of the orders while something is measured.
      "DELETE FROM order_changes;",
      "ANALYZE;",
    ]
      .join("\n")
      .replaceAll("n::bigint", onSqlite ? "n" : "n::bigint"),
  );
}
