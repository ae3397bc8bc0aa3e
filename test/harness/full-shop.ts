import { canMove, type OrderStatus, orderStatuses } from "@keepsats/domain";
import type { DatabaseKind, DatabasePlace } from "./databases.ts";

/** The columns of one row. */
type Row = Readonly<Record<string, string | number | null>>;

const ORDERS = 600;

/** The id of the nth order. */
export function idOf(n: number): string {
  return `${String(n).padStart(8, "0")}-0000-4000-8000-000000000000`;
}

/**
 * Creates a database with rows in every table: orders in every status, each with one to three
 * lines, its events, a contract, a check, a mismatch and an idempotency key; and
 * {@link specialRows}.
 */
export async function fillEveryTable(kind: DatabaseKind, place: DatabasePlace): Promise<void> {
  await place.migrate(kind.migrations);
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
    contracts: numbers.map((n) => ({
      id: `c-${n}`,
      order_id: idOf(n),
      status: "Approved",
      meaning: "processing",
      bound_at: n,
      updated_at: n,
      cents: 4_500,
      was_extended: 0,
    })),
    payment_checks: numbers.map((n) => ({
      contract_id: `c-${n}`,
      order_id: idOf(n),
      outcome: "bound",
      failures: n % 3,
      with_key: n % 2,
      not_before: 1,
      next_at: n,
      created_at: 1,
    })),
    mismatches: numbers.map((n) => ({
      contract_id: `c-${n}`,
      order_id: idOf(n),
      kind: "second",
      detail: "Ask the provider.",
      seen_at: n,
    })),
  };
  for (const rows of [tables, specialRows(idOf(0))])
    for (const [table, all] of Object.entries(rows)) await insert(place, table, all);
  const blob = kind.name === "SQLite" ? "x'00ff7b'" : "'\\x00ff7b'";
  await place.run("INSERT INTO pictures VALUES ('picture', 800, 600, 7)");
  await place.run(`INSERT INTO picture_files VALUES ('picture', 800, 'webp', ${blob})`);
  await place.run(`INSERT INTO web_assets VALUES ('app.js', ${blob}, 1, 5)`);
}

/** Inserts rows; rows with the same columns are inserted together. */
async function insert(place: DatabasePlace, table: string, rows: readonly Row[]): Promise<void> {
  const byColumns = Object.groupBy(rows, (row) => Object.keys(row).join(", "));
  for (const [columns, group = []] of Object.entries(byColumns)) {
    const values = group.map((row) => `(${Object.values(row).map(literal).join(", ")})`);
    await place.run(`INSERT INTO ${table} (${columns}) VALUES ${values.join(", ")}`);
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
  const street = `${"Long Lane ".repeat(9)}${n}`;
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
    by: "shopper",
    at: index,
  }));
}

/** Rows in the other tables, with a value in every column and with difficult texts. */
function specialRows(orderId: string): Readonly<Record<string, readonly Row[]>> {
  return {
    items: [
      {
        position: 1,
        id: "mug",
        name: "Mug 😀 \"'--",
        description: "",
        price: 0,
        image_url: "",
        hidden: 1,
      },
      {
        position: 2,
        id: "counted",
        name: "Counted",
        description: "",
        price: 1,
        image_url: "",
        stock: 3,
        images: '["/pictures/mug.svg"]',
      },
    ],
    orders: [
      {
        id: "00000000-0000-4000-8000-0000000000aa",
        status: "Delivered",
        version: 3,
        attempt_over: 1,
        customer_name: "Zoë \"'\\ \\u0041 😀 {} $1",
        customer_email: "zoe@example.org",
        shipping_address: '{"street":"a\\nb"}',
        billing_address: "{}",
        total: 4_500,
        created_at: 1_790_000_000_123,
        carrier: "DHL",
        tracking_number: "1",
        tracking_url: "https://dhl.example/1",
        merchant_message: "two\nlines",
        erased_at: 1_790_000_000_124,
        client_hash: "hash",
      },
    ],
    order_lines: [
      {
        order_id: orderId,
        position: 7,
        item_id: "counted",
        name: "Counted",
        price: 1,
        quantity: 2,
        taken: 2,
      },
    ],
    order_events: [
      {
        order_id: orderId,
        version: 99,
        kind: "noted",
        from_status: "Pending",
        to_status: "Pending",
        by: "merchant",
        by_name: "till",
        reason: "asked for",
        data: '{"text":"\\u0000"}',
        at: 1,
      },
    ],
    mismatches: [
      {
        contract_id: "resolved",
        order_id: orderId,
        kind: "second",
        detail: "",
        seen_at: 1,
        cents: 4_500,
        resolution: "explained",
        resolution_note: "kept",
        resolved_by: "till",
        resolved_at: 2,
      },
    ],
    contracts: [
      {
        id: "bound",
        order_id: orderId,
        status: "Rejected",
        meaning: "over",
        cents: 4_500,
        extends: "c-1",
        was_extended: 1,
        bound_at: 1,
        updated_at: 1,
      },
    ],
    refunds: [
      {
        id: "refund",
        order_id: orderId,
        cents: 1,
        method: "bank transfer",
        reference: "1",
        by_name: "till",
        at: 1,
      },
    ],
    outbox: ["waiting", "delivered", "skipped", "given-up"].map((state, n) => ({
      id: state,
      channel: "webhook",
      target: "webhook",
      type: "order.paid",
      subject: orderId,
      data: '{"from":"Pending"}',
      state,
      attempts: n,
      repeats: n,
      next_at: 1_790_000_000_000 + n,
      leased_until: n,
      created_at: n,
      ended_at: 1,
      answer: "200",
    })),
    unpaid_letters: [
      { delivery_id: "waiting", address_hash: "hash", at: 1, client_hash: "network" },
    ],
    webhooks: [
      {
        id: "webhook",
        url: "https://books.example/hook",
        events: '["order.paid"]',
        secret: "whsec_new",
        old_secret: "whsec_old",
        old_secret_until: 1,
        is_on: 0,
        off_reason: "410",
        failing_since: 1,
        created_by: "till",
        created_at: 1,
      },
    ],
    tokens: [
      {
        id: "token",
        name: "till",
        role: "staff",
        hash: "hash",
        created_by: "merchant",
        created_at: 1,
        used_at: 2,
      },
    ],
    staff: [
      {
        id: "staff",
        name: "Ada",
        name_key: "ada",
        email: "ada@shop.example",
        role: "staff",
        created_by: "merchant",
        created_at: 1,
        signed_in_at: 2,
      },
    ],
    sign_in_links: [{ hash: "hash", staff_id: "staff", expires_at: 3 }],
    passkeys: [
      {
        id: "passkey",
        staff_id: "staff",
        credential_id: "credential",
        public_key: "key",
        counter: 4,
        name: "Laptop",
        created_at: 1,
        used_at: 2,
      },
    ],
    passkey_challenges: [
      { id: "challenge", challenge: "signed", staff_id: "staff", expires_at: 3 },
    ],
    desk_sessions: [
      {
        id: "session",
        hash: "hash",
        staff_id: "staff",
        browser: "Firefox",
        created_at: 1,
        used_at: 2,
      },
    ],
    shop_settings: [{ name: "name", value: '"Zoë"', changed_by: "till", changed_at: 1 }],
    call_budget: [
      { name: "provider", calls: 4.5, share: 0.25, filled_at: 1_000_000.125, paused_until: 0 },
    ],
    settled_contracts: [{ contract_id: "c-1", told: "PrincipalGiven" }],
    leases: [{ name: "sweep", until: 1_790_000_000_000 }],
    facts: [{ name: "order-key", value: "secret" }],
  };
}
