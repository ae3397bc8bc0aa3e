import { indexChanges } from "../../apps/server/src/orders/order-index.ts";
import { type DatabaseKind, type DatabasePlace, insertStatement, type Row } from "./databases.ts";
import { fillShopOfVersion5, readShopOfVersion5 } from "./shop-of-version-5.ts";

/**
 * What the tables and columns since version 5 hold, beside the rows of {@link fillShopOfVersion5}.
 */
function rowsSinceVersion5(orderId: string): Readonly<Record<string, readonly Row[]>> {
  return {
    items: [
      {
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
  };
}

/** Creates a database of the present version with rows in every table. */
export async function fillEveryTable(kind: DatabaseKind, place: DatabasePlace): Promise<void> {
  await fillShopOfVersion5(kind, place);
  await place.migrate(kind.migrations);
  const orderId = readShopOfVersion5().orders.waiting?.answer.id ?? "";
  for (const [table, rows] of Object.entries(rowsSinceVersion5(orderId)))
    for (const row of rows) await place.run(insertStatement(table, row));
  const blob = kind.name === "SQLite" ? "x'00ff7b'" : "'\\x00ff7b'";
  await place.run("INSERT INTO pictures VALUES ('picture', 800, 600, 7)");
  await place.run(`INSERT INTO picture_files VALUES ('picture', 800, 'webp', ${blob})`);
  await place.run(`INSERT INTO web_assets VALUES ('app.js', ${blob}, 1, 5)`);
  const database = await place.open();
  // Some orders are in the index, and the others wait for it.
  await database.inTransaction((unit) => indexChanges(unit, database.now, 5));
  await database.close();
}
