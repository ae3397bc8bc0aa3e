import { randomUUID } from "node:crypto";
import { balancesOf, type OrderStatus } from "@keepsats/domain";
import { beforeEach, describe, expect, test } from "vitest";
import { createAmendOrder } from "../../apps/server/src/modules/orders/changing/amend-order.ts";
import { createCorrections } from "../../apps/server/src/modules/orders/changing/correct-order.ts";
import { createAddNote } from "../../apps/server/src/modules/orders/changing/notes.ts";
import { findOrder, listEvents } from "../../apps/server/src/modules/orders/order-repository.ts";
import { insertOrders } from "../../apps/server/src/modules/orders/placing/place-order.ts";
import { createDecideIssue } from "../../apps/server/src/modules/payments/issues/decide-issue.ts";
import { idOfIssue } from "../../apps/server/src/modules/payments/issues/issue-repository.ts";
import { readOrderAccount } from "../../apps/server/src/modules/payments/journal/journal-repository.ts";
import {
  createEraseOldOrders,
  eraseTimes,
} from "../../apps/server/src/modules/privacy/erase-old-orders.ts";
import { createEraseOrder } from "../../apps/server/src/modules/privacy/erase-order.ts";
import type { Database } from "../../apps/server/src/platform/database/database.ts";
import type { JobTimes } from "../../apps/server/src/platform/database/leased-batch-job.ts";
import { createInProcessBus } from "../../apps/server/src/platform/events/bus.ts";
import type { DomainEvent } from "../../apps/server/src/platform/outbox/emit-events.ts";
import { Refusal } from "../../apps/server/src/platform/refusal.ts";
import { DAY } from "../../apps/server/src/platform/scheduling/clock.ts";
import { anAddress, aPaidLoan, aStoredOrder, noEvents } from "../harness/builders.ts";
import { type DatabaseKind, databaseKinds, readWhole, useDatabase } from "../harness/databases.ts";
import { aChannel, aWorker, emitEventsOn } from "../harness/outbox.ts";
import { useCasesOn } from "../harness/use-cases.ts";

const staff = { kind: "staff", name: "till" } as const;

/** Every text of the person who ordered has this word. */
const WORD = "Zyxomma";
const person = {
  customer_name: `${WORD} Lovelace`,
  customer_email: `${WORD}@example.org`,
  shipping_address: anAddress({ street: `1 ${WORD} Road` }),
  billing_address: anAddress({ city: `${WORD}ham` }),
  client_hash: WORD,
};

/** The tables that have no column for what people write about an order. */
const withoutPeople = [
  "idempotency_keys",
  "items",
  "categories",
  "order_lines",
  "loans",
  "settled_loans",
  "payment_checks",
  "refund_lines",
  "issued_receipts",
  "call_budget",
  "receipts",
  "webhooks",
  "tokens",
  "shop_settings",
  "leases",
  "key_values",
  "web_assets",
  "pictures",
  "picture_files",
  "staff",
  "sign_in_links",
  "passkeys",
  "passkey_challenges",
  "staff_sessions",
];

/** The text columns without personal data of the customer, of all tables about orders. */
const impersonalColumns: Readonly<Record<string, readonly string[]>> = {
  orders: ["id", "status"],
  order_lines: ["order_id", "item_id", "name"],
  order_events: ["order_id", "from_status", "to_status", "kind", "by", "by_name"],
  idempotency_keys: ["key", "body_hash", "order_id"],
  loans: [
    "id",
    "order_id",
    "named_order_id",
    "provider_status",
    "state",
    "currency",
    "amount_text",
    "refusal",
  ],
  settled_loans: ["loan_id", "report"],
  payment_checks: ["loan_id", "order_id", "outcome"],
  payment_issues: ["id", "loan_id", "order_id", "kind", "detail", "resolution", "resolved_by"],
  issued_receipts: ["order_id", "refund_id", "content"],
  receipts: ["loan_id", "order_id", "currency", "provider_amount"],
  journal: [
    "id",
    "order_id",
    "loan_id",
    "kind",
    "currency",
    "by_name",
    "issue_id",
    "refund_id",
    "grant_kind",
  ],
  outbox: ["id", "channel", "target", "type", "subject", "data", "state"],
  order_returns: ["id", "order_id", "state", "lines", "by", "by_name", "refund_id"],
  unpaid_emails: ["delivery_id"],
};

const columnQueries: Readonly<Record<DatabaseKind["name"], string>> = {
  SQLite: `SELECT tables.name || '.' || columns.name AS name
    FROM sqlite_schema AS tables, pragma_table_info(tables.name) AS columns
    WHERE tables.type = 'table' AND columns.type = 'TEXT'`,
  PostgreSQL: `SELECT table_name || '.' || column_name AS name FROM information_schema.columns
    WHERE table_schema = 'public' AND data_type = 'text'`,
};

function useCases(database: Database) {
  const emitted: DomainEvent[] = [];
  const bus = createInProcessBus();
  const published: unknown[] = [];
  bus.subscribe((change) => published.push(change));
  const now = () => database.now();
  const emitEvents = async (_: unknown, events: readonly DomainEvent[]) =>
    void emitted.push(...events);
  const common = { database, amendOrder: createAmendOrder({ bus, now, emitEvents: noEvents }) };
  const moneyRecords = useCasesOn(database);
  const { changeStatuses, settle, issues } = moneyRecords;
  return {
    emitted,
    published,
    settle,
    updateIssues: issues.update,
    changeStatuses,
    eraseOrder: createEraseOrder({
      database,
      amendOrder: createAmendOrder({ bus, now, emitEvents }),
    }),
    noteOrder: createAddNote(common),
    correctAddress: createCorrections(common).correctAddress,
    decideIssue: createDecideIssue({ ...moneyRecords, database }),
  };
}

describe.each(databaseKinds)("erasing an order on $name", (kind) => {
  const shop = useDatabase(kind);
  const wordIn = async () => {
    const { rows } = await readWhole(kind, shop.testDatabase);
    return Object.entries(rows).flatMap(([table, some]) =>
      some.some((row) => row.toLowerCase().includes(WORD.toLowerCase())) ? [table] : [],
    );
  };
  /** The columns of the tables about orders that have the word, as `table.column`. */
  const columnsWithWord = async () => {
    const { rows } = await readWhole(kind, shop.testDatabase);
    const found = Object.keys(impersonalColumns).flatMap((table) =>
      (rows[table] ?? []).flatMap((row) =>
        Object.entries(JSON.parse(row)).flatMap(([column, value]) =>
          String(value).toLowerCase().includes(WORD.toLowerCase()) ? [`${table}.${column}`] : [],
        ),
      ),
    );
    return [...new Set(found)];
  };
  /** The text columns of the tables about orders, as `table.column`. */
  const textColumns = async () => {
    const columns = await shop.testDatabase.run(columnQueries[kind.name]);
    return columns
      .map((column) => String(Reflect.get(Object(column), "name")))
      .filter((column) => Object.hasOwn(impersonalColumns, column.split(".")[0] ?? ""));
  };
  const move = (id: string, to: OrderStatus, further = {}) =>
    shop.within((unit) =>
      useCases(shop.database).changeStatuses(unit, [{ orderId: id, to, by: staff, ...further }]),
    );

  const accountOf = async (id: string) => {
    const account = await readOrderAccount(shop.database.db, id);
    if (account === undefined) throw new Error(`there is no order ${id}`);
    return account;
  };
  const balancesAt = async (id: string) => balancesOf(await accountOf(id));
  /** All of an order's account but what people have written. */
  const booksOf = async (id: string) => {
    const { loans, entries } = await accountOf(id);
    const written = { reason: "", method: "", reference: "" };
    return { loans, entries: entries.map((entry) => ({ ...entry, ...written })) };
  };

  test("removes the person's data from every column of every table, and keeps what accounting needs", async () => {
    const { eraseOrder, noteOrder, correctAddress, settle, decideIssue, emitted, published } =
      useCases(shop.database);
    const order = aStoredOrder({ ...person, created_at: shop.database.now() });
    const { id } = order;
    const placed = [{ order, idempotency: { key: "key", bodyHash: "hash" } }];
    await shop.within((unit) => insertOrders(unit, placed));
    await settle(aPaidLoan(id, { id: "paying" }));
    await settle(aPaidLoan(id, { id: "second", cents: 4_600 }));
    const accepted = await decideIssue({
      issueId: idOfIssue({ loanId: "second", orderId: id, kind: "duplicate" }),
      resolution: "accepted",
      note: `${WORD} wants a second one`,
      by: staff,
    });
    expect(accepted).toMatchObject({ issue: { resolution: "accepted" } });
    await noteOrder({ orderId: id, by: staff, text: `${WORD} called` });
    const address = anAddress({ street: `2 ${WORD} Road` });
    await correctAddress({ orderId: id, by: { kind: "customer" }, address });
    const shipment = {
      carrier: WORD,
      tracking_number: WORD,
      tracking_url: `https://post.example/${WORD}`,
    };
    await move(id, "Shipped", { reason: `${WORD} agreed`, shipment });
    await move(id, "Delivered");
    await emitEventsOn(shop.database, [aChannel()], [{ type: "order.delivered", subject: id }]);
    await shop.testDatabase.run(
      `INSERT INTO unpaid_emails (delivery_id, address_hash, client_hash, at)
        SELECT id, '${WORD}', '${WORD}', 1 FROM outbox`,
    );
    await shop.testDatabase.run(
      `UPDATE outbox SET answer = '550 <${WORD}@example.org> is unknown'`,
    );
    await shop.testDatabase.run(
      `UPDATE orders SET merchant_message = 'Dear ${WORD}' WHERE id = '${id}'`,
    );
    await shop.testDatabase.run(
      `UPDATE journal SET method = '${WORD}', reference = '${WORD}' WHERE by_name = 'till'`,
    );
    await shop.testDatabase.run(
      `INSERT INTO order_returns (id, order_id, state, lines, reason, message, by, opened_at, changed_at)
        VALUES ('return', '${id}', 'declined', '[]', '${WORD}', '${WORD}', 'customer', 1, 1)`,
    );
    const before = await readWhole(kind, shop.testDatabase);
    // The tables in which FTS5 keeps its index have no texts that could be read here.
    const tables = Object.keys(before.rows).filter((name) => !/^order_search_(?!index)/.test(name));
    expect([...(await wordIn()), ...withoutPeople].sort()).toEqual(tables.sort());
    const impersonal = Object.entries(impersonalColumns).flatMap(([table, columns]) =>
      columns.map((column) => `${table}.${column}`),
    );
    expect([...(await columnsWithWord()), ...impersonal].sort()).toEqual(
      (await textColumns()).sort(),
    );

    const books = await booksOf(id);
    const erased = await eraseOrder(id, staff);
    expect(erased).toEqual({ kind: "erased", at: expect.any(Number) });
    expect(await wordIn()).toEqual([]);
    expect(await findOrder(shop.database.db, id)).toMatchObject({
      status: "Delivered",
      items: order.items,
      total_price: order.total_price,
      customer_name: "",
      shipping_address: { street: "", city: "" },
      erased_at: expect.any(Number),
    });
    expect(await booksOf(id)).toEqual(books);
    expect((await listEvents(shop.database.db, id)).at(-1)).toMatchObject({
      kind: "erased",
      by_name: "till",
    });
    expect(emitted).toEqual([{ type: "order.erased", subject: id }]);
    await expect
      .poll(() => published)
      .toContainEqual(expect.objectContaining({ topic: "order", id }));
    // The key stays: a repeated request places no second order.
    expect(
      await shop.testDatabase.run("SELECT key, body_hash, order_id FROM idempotency_keys"),
    ).toEqual([{ key: "key", body_hash: "", order_id: id }]);

    await noteOrder({ orderId: id, by: staff, text: `${WORD} called again` });
    const { version } = (await findOrder(shop.database.db, id)) ?? {};
    expect(await eraseOrder(id, staff)).toEqual(erased);
    expect(await wordIn()).toEqual([]);
    expect(await findOrder(shop.database.db, id)).toMatchObject({ version });
    expect(emitted).toHaveLength(1);
  });

  test("changes no other order, not even of the same person and moment", async () => {
    const { eraseOrder } = useCases(shop.database);
    const [one, other] = [
      await shop.stored({ ...person, status: "Cancelled" }),
      await shop.stored(person),
    ];
    await emitEventsOn(shop.database, [aChannel()], [{ type: "order.placed", subject: other.id }]);
    await eraseOrder(one.id, staff);
    expect(await findOrder(shop.database.db, other.id)).toEqual(other);
    await shop.testDatabase.run(`DELETE FROM outbox WHERE subject = '${other.id}'`);
  });

  test.each<OrderStatus>(["Pending", "PaymentProcessing", "PaymentProcessed", "Shipped"])(
    "is refused while the order is %s",
    async (status) => {
      const order = await shop.stored({ ...person, status });
      const { eraseOrder, emitted } = useCases(shop.database);
      expect(await eraseOrder(order.id, staff)).toEqual(
        new Refusal("not_erasable", {
          detail: `The order is ${status}: it can be erased once it is delivered or cancelled.`,
          current_status: status,
        }),
      );
      expect(await findOrder(shop.database.db, order.id)).toEqual(order);
      expect(emitted).toEqual([]);
    },
  );

  test("of an unknown order is not found", async () => {
    const { eraseOrder } = useCases(shop.database);
    expect(await eraseOrder(randomUUID(), staff)).toBeUndefined();
  });

  test("is refused while a refund is due", async () => {
    const { eraseOrder, settle, changeStatuses, updateIssues } = useCases(shop.database);
    const order = await shop.stored(person);
    await settle(aPaidLoan(order.id));
    await shop.within(async (unit) => {
      await changeStatuses(unit, [{ orderId: order.id, to: "Cancelled", by: staff }]);
      await updateIssues(unit, { orderId: order.id }, staff);
    });
    expect(await eraseOrder(order.id, staff)).toMatchObject({
      code: "not_erasable",
      details: { current_status: "Cancelled", refund_due: order.total_price },
    });
    expect((await balancesAt(order.id)).shop).toMatchObject({ refundDue: order.total_price });
    expect(await findOrder(shop.database.db, order.id)).toMatchObject({
      customer_name: person.customer_name,
      erased_at: null,
    });
  });

  test("and a late payment at the same moment: it is refused, or the payment opens a payment issue", async () => {
    const { eraseOrder } = useCases(shop.database);
    const { settle } = useCases(shop.secondConnection);
    for (let round = 0; round < 20; round += 1) {
      const { id, total_price } = await shop.stored({ ...person, status: "Cancelled" });
      const [outcome] = await Promise.all([eraseOrder(id, staff), settle(aPaidLoan(id))]);
      const order = await findOrder(shop.database.db, id);
      const balances = await balancesAt(id);
      expect(balances.shop).toMatchObject({ refundDue: total_price });
      if (outcome?.kind === "erased")
        expect(order).toMatchObject({ customer_name: "", erased_at: outcome.at });
      else {
        expect(outcome).toMatchObject({
          code: "not_erasable",
          details: { current_status: "Cancelled", refund_due: total_price },
        });
        expect(order).toMatchObject({ customer_name: person.customer_name, erased_at: null });
      }
    }
  });

  test("drops the answer to a delivery in progress, and the delivery is attempted again", async () => {
    const { id } = await shop.stored({ ...person, status: "Cancelled" });
    const held = Promise.withResolvers<void>();
    let attempts = 0;
    const channel = aChannel({
      name: "slow",
      async deliver() {
        attempts += 1;
        if (attempts > 1) return { kind: "skipped", answer: "erased" };
        await held.promise;
        return { kind: "delivered", answer: `answered ${WORD}` };
      },
    });
    await emitEventsOn(shop.database, [channel], [{ type: "order.cancelled", subject: id }]);
    const worker = aWorker(shop.database, [channel]);
    worker.start();
    await expect.poll(() => attempts).toBe(1);
    await useCases(shop.secondConnection).eraseOrder(id, staff);
    held.resolve();
    const rows = () =>
      shop.testDatabase.run(`SELECT state, answer FROM outbox WHERE subject = '${id}'`);
    await expect.poll(rows).toEqual([{ state: "skipped", answer: "erased" }]);
    await worker.stop();
    expect(worker.errors).toEqual([]);
  });
});

type Needs = Pick<Parameters<typeof createEraseOldOrders>[0], "eraseOrder" | "clockAhead">;

describe.each(databaseKinds)("erasing old orders on $name", (kind) => {
  const shop = useDatabase(kind);
  /** Stores an order that came to its end so many days ago; it was placed ten days before that. */
  async function ended(days: number, status: OrderStatus) {
    const at = shop.database.now() - days * DAY;
    const { id } = await shop.stored({ ...person, created_at: at - 10 * DAY, status });
    const event = {
      order_id: id,
      from_status: status,
      to_status: status,
      by: "staff",
      reason: null,
      at,
    };
    await shop.database.db
      .insertInto("order_events")
      .values([
        { ...event, version: 2, kind: "moved", from_status: "Pending" },
        { ...event, version: 3, kind: "noted", at: at + DAY },
      ])
      .execute();
    await shop.database.db.updateTable("orders").set({ version: 3 }).where("id", "=", id).execute();
    return id;
  }
  function eraser(
    on: Database,
    times: Partial<JobTimes> = {},
    { eraseOrder, clockAhead = () => 0 }: Partial<Needs> & Pick<Needs, "eraseOrder"> = useCases(on),
  ) {
    const passes: number[] = [];
    const errors: unknown[] = [];
    const loop = createEraseOldOrders({
      database: on,
      retainDays: 30,
      eraseOrder,
      times: { ...eraseTimes, checkInterval: 20, taskDelay: 0, ...times },
      clockAhead,
      onErased: (orders) => passes.push(orders),
      onError: (error) => errors.push(error),
    });
    return { ...loop, passes, errors };
  }
  const erasedAmong = async (ids: readonly string[]) => {
    const orders = await Promise.all(ids.map((id) => findOrder(shop.database.db, id)));
    return orders.filter((order) => order?.erased_at !== null).map((order) => order?.id);
  };

  beforeEach(async () => {
    await shop.testDatabase.run("DELETE FROM leases");
    // No order of another test is due.
    await shop.testDatabase.run("UPDATE orders SET status = 'Pending'");
  });

  test("erases those that ended long enough ago, in batches, in one of several processes", async () => {
    const due = await Promise.all(
      Array.from({ length: 120 }, (_, n) => ended(31 + n, n % 2 === 0 ? "Delivered" : "Cancelled")),
    );
    const early = [await ended(28, "Delivered"), await ended(1, "Cancelled")];
    const open = [await ended(90, "Shipped"), await ended(90, "Pending")];
    const owing = await ended(200, "Cancelled");
    await useCases(shop.database).settle(aPaidLoan(owing));
    const erasers = [eraser(shop.database), eraser(shop.secondConnection)];
    for (const one of erasers) one.start();
    await expect.poll(() => erasers.flatMap(({ passes }) => passes)).not.toEqual([]);
    await Promise.all(erasers.map((one) => one.stop()));

    expect(erasers.flatMap(({ passes }) => passes)).toEqual([due.length]);
    expect(erasers.flatMap(({ errors }) => errors)).toEqual([]);
    expect(await erasedAmong(due)).toEqual(due);
    expect(await erasedAmong([...early, ...open, owing])).toEqual([]);
    expect((await listEvents(shop.database.db, due[0] ?? "")).at(-1)).toMatchObject({
      kind: "erased",
      by: "shop",
    });
  });

  test("skips an order that cannot be erased, and erases one whose addresses are unreadable", async () => {
    await shop.testDatabase.run("DELETE FROM leases");
    const [failing, unreadable, third] = [
      await ended(500, "Delivered"),
      await ended(499, "Delivered"),
      await ended(498, "Delivered"),
    ];
    await shop.testDatabase.run(
      `UPDATE orders SET shipping_address = 'no JSON' WHERE id = '${unreadable}'`,
    );
    const cases = useCases(shop.database);
    const one = eraser(
      shop.database,
      {},
      {
        ...cases,
        async eraseOrder(id, by) {
          if (id === failing) throw new Error("it cannot be erased");
          return cases.eraseOrder(id, by);
        },
      },
    );
    one.start();
    await expect.poll(() => one.passes).not.toEqual([]);
    await one.stop();
    expect(await erasedAmong([failing, unreadable, third])).toEqual([unreadable, third]);
    expect(one.errors).toHaveLength(1);
    await cases.eraseOrder(failing, staff);
  });

  test("skips many orders that cannot be erased, over several passes", async () => {
    await shop.testDatabase.run("DELETE FROM leases");
    const failing = await Promise.all(
      Array.from({ length: 7 }, (_, n) => ended(600 - n, "Delivered")),
    );
    const last = await ended(400, "Delivered");
    const cases = useCases(shop.database);
    const one = eraser(
      shop.database,
      { runInterval: 300 },
      {
        async eraseOrder(id, by) {
          if (failing.includes(id)) throw new Error("it cannot be erased");
          return cases.eraseOrder(id, by);
        },
      },
    );
    one.start();
    await expect.poll(() => erasedAmong([last]), { timeout: 10_000 }).toEqual([last]);
    await one.stop();
    for (const id of failing) await cases.eraseOrder(id, staff);
  });

  test.each([
    ["is not known to be right", undefined],
    ["is ahead of the provider's", 6 * 60_000],
    ["is behind the provider's", -6 * 60_000],
  ])("erases nothing while the clock %s", async (_, wrong) => {
    await shop.testDatabase.run("DELETE FROM leases");
    const due = await ended(300, "Delivered");
    let ahead: number | undefined = wrong;
    let looks = 0;
    const clockAhead = () => {
      looks += 1;
      return ahead;
    };
    const one = eraser(shop.database, {}, { ...useCases(shop.database), clockAhead });
    one.start();
    await expect.poll(() => looks).toBeGreaterThan(2);
    expect(await erasedAmong([due])).toEqual([]);
    ahead = 0;
    await expect.poll(() => erasedAmong([due])).toEqual([due]);
    await one.stop();
  });

  test("continues in the next pass where a stopped process ended", async () => {
    await shop.testDatabase.run("DELETE FROM leases");
    const due = await Promise.all(Array.from({ length: 5 }, () => ended(300, "Delivered")));
    const soon = { runInterval: 300 };
    const first = eraser(shop.database, { taskDelay: 60_000, ...soon });
    first.start();
    await expect.poll(() => erasedAmong(due)).toHaveLength(1);
    const second = eraser(shop.secondConnection, soon);
    second.start();
    await expect.poll(() => erasedAmong(due)).toEqual(due);
    await Promise.all([first.stop(), second.stop()]);
  });
});
