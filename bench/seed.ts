import type { BenchDatabase } from "./databases.ts";

/** What is needed of a database to fill it. */
export type Seedable = Pick<BenchDatabase, "name" | "run">;

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
  underWay: {
    orderStatus: "PaymentProcessing",
    contractStatus: SEEDED_STATUS,
    meaning: "processing",
  },
};

/** Stores the orders from number `from` to `to`, each with a line and an event, and with a loan if one is given. A search does not
 * find them. */
export async function seedOrders(
  database: Seedable,
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

/** Where a delivery is to go. */
export interface Lane {
  readonly channel: string;
  readonly target: string;
}

/** The data of a paid order's announcement. */
const MOVE = '{"from":"PaymentProcessing","to":"PaymentProcessed"}';

export const letters: Lane = { channel: "mail-shopper", target: "shopper" };

/** Stores deliveries that are due, one about each of the first seeded orders that have a loan. */
export async function seedDeliveries(
  database: Seedable,
  { channel, target }: Lane,
  count: number,
): Promise<void> {
  const now = Date.now();
  const rows = Array.from(
    { length: count },
    (_, index) =>
      `('${channel}-${index}', '${channel}', '${target}', 'order.paid', '${seededId(index + 1)}', '${MOVE}', 'waiting', ${now}, ${now})`,
  );
  const columns = "id, channel, target, type, subject, data, state, next_at, created_at";
  await database.run(`INSERT INTO outbox (${columns}) VALUES ${rows.join(", ")}`);
}

/**
 * Stores delivered orders that wait for the index of the orders; a fifth is of Ada Lovelace, the
 * others have one of 457,000 names of four letters.
 */
export async function seedNamedOrders(database: Seedable, count: number): Promise<void> {
  await seedOrders(database, { to: count });
  const number = "(created_at / 1000 % 10000000 * 48271 % 2147483647)";
  const letter = (place: number) =>
    `${database.name === "SQLite" ? "char" : "chr"}((97 + ${number} / ${26 ** place} % 26)${database.name === "SQLite" ? "" : "::int"})`;
  const letters = [0, 1, 2, 3].map(letter).join(" || ");
  await database.run(`UPDATE orders SET
      customer_name = CASE WHEN created_at / 1000 % 5 = 0 THEN 'Ada Lovelace' ELSE 'Anna ' || ${letters} END,
      customer_email = ${letters} || '@example.org',
      status = CASE WHEN created_at / 1000 % 2000 = 0 THEN 'Cancelled' ELSE 'Delivered' END,
      total = 1000 + created_at / 1000 * 7919 % 100000;
    DELETE FROM order_changes;
    INSERT INTO order_changes (order_id) SELECT id FROM orders ORDER BY created_at, id;`);
}

/**
 * Stores items behind those of the catalogue, and makes the list that names them for an import,
 * with these prices.
 */
export async function seedItems(database: Seedable, count: number): Promise<void> {
  const rows = numberedItems(count, 45).map(
    ({ id, name, description, image_url }, index) =>
      `('${id}', '${name}', '${description}', 4500, '${image_url}', 0, ${1_000 + index})`,
  );
  const columns = "id, name, description, price, image_url, hidden, position";
  for (let start = 0; start < rows.length; start += 500)
    await database.run(
      `INSERT INTO items (${columns}) VALUES ${rows.slice(start, start + 500).join(", ")}`,
    );
}

/** So many items as an import has them, with this price in dollars. */
export function numberedItems(count: number, price: number) {
  return Array.from({ length: count }, (_, index) => ({
    id: `numbered-${index}`,
    name: `Number ${index}`,
    description: `Item ${index} of a long catalogue, with a description of one line, as most of them have it.`,
    price,
    image_url: "/pictures/moka-pot.svg",
  }));
}
