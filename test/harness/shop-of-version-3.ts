import { canMove, type OrderStatus, orderStatuses } from "@keepsats/domain";
import type { DatabaseKind, DatabasePlace } from "./databases.ts";

const ORDERS = 600;

/** The version of the database that {@link fillShopOfVersion3} fills. */
const VERSION = 3;

/**
 * Creates a database of version 3 and fills all its tables: orders in every status, each with one
 * to three lines, its events, a contract, a check, a mismatch and an idempotency key.
 */
export async function fillShopOfVersion3(kind: DatabaseKind, place: DatabasePlace): Promise<void> {
  await place.migrate(kind.migrations.slice(0, VERSION));
  const blob = kind.name === "SQLite" ? "x'00ff7b'" : "'\\x00ff7b'";
  const numbers = Array.from({ length: ORDERS }, (_, n) => n);
  const insert = (into: string, rows: string[]) =>
    place.run(`INSERT INTO ${into} VALUES ${rows.join(", ")}`);

  await insert("items (id, name, description, price, image_url, hidden)", [
    "('moka-pot', 'Moka Pot', 'For the stove.', 4500, '/pictures/moka-pot.svg', 0)",
    "('mug', 'Mug 😀 \"''--', '', 0, '', 1)",
  ]);
  await insert("orders", numbers.map(orderRow));
  await insert("order_lines", numbers.flatMap(lineRows));
  await insert("order_events", numbers.flatMap(eventRows));
  await insert(
    "idempotency_keys",
    numbers.map((n) => `('key-${n}', 'hash', '{"id":"${idOf(n)}"}', ${n})`),
  );
  await insert(
    "contracts (id, order_id, status, meaning, bound_at, updated_at, cents, extends)",
    numbers.map(
      (n) => `('c-${n}', '${idOf(n)}', 'Approved', 'processing', ${n}, ${n}, 4500, NULL)`,
    ),
  );
  await insert(
    "payment_checks",
    numbers.map((n) => `('c-${n}', '${idOf(n)}', 'bound', ${n % 3}, 1, ${n}, 0, 1)`),
  );
  await insert(
    "mismatches",
    numbers.map((n) => `('c-${n}', '${idOf(n)}', 'second', 'Ask the provider.', ${n})`),
  );
  await insert("settled_contracts", ["('c-1', 'PrincipalGiven')"]);
  await insert("call_budget", ["('provider', 4.5, 0.25, 1000000.125, 0)"]);
  await insert("leases", ["('sweep', 1790000000000)"]);
  await insert("facts", ["('order-key', 'secret')"]);
  await insert("web_assets", [`('app.js', ${blob}, 1, 5)`]);
}

/** The id of the nth order. */
export function idOf(n: number): string {
  return `${String(n).padStart(8, "0")}-0000-4000-8000-000000000000`;
}

/** The statuses that the nth order has had, the present one last. */
function pathOf(n: number): OrderStatus[] {
  const end = orderStatuses[n % orderStatuses.length] ?? "Pending";
  const path = [end];
  for (let first = end; first !== "Pending"; path.unshift(first))
    first = orderStatuses.find((from) => canMove(from, first)) ?? "Pending";
  return path;
}

function orderRow(n: number): string {
  const path = pathOf(n);
  const address = `{"street":"${"Long Lane ".repeat(9)}${n}","city":"O''Ham","state":"","postal_code":"1","country":"UK"}`;
  return `('${idOf(n)}', '${path.at(-1)}', ${path.length}, ${n % 2}, 'Ada ${n}', 'ada@example.org', '${address}', '${address}', ${4500 + n}, ${1_790_000_000_000 + n})`;
}

function lineRows(n: number): string[] {
  return [0, 1, 2]
    .slice(0, 1 + (n % 3))
    .map(
      (position) => `('${idOf(n)}', ${position}, 'moka-pot', 'Moka Pot', 4500, ${1 + position})`,
    );
}

function eventRows(n: number): string[] {
  return pathOf(n).map((status, index, path) => {
    const from = index === 0 ? "NULL" : `'${path[index - 1]}'`;
    return `('${idOf(n)}', ${index + 1}, ${from}, '${status}', 'shopper', NULL, ${index})`;
  });
}
