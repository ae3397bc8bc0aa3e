import { idempotencyHeader, paths, withId } from "@keepsats/protocol";
import { describe, expect, test } from "vitest";
import * as z from "zod/mini";
import { DAY } from "../../apps/server/src/platform/scheduling/clock.ts";
import { subscribe } from "../harness/customer.ts";
import { databaseKinds, sqlite } from "../harness/databases.ts";
import {
  type MoneyShop,
  type PaidOrder,
  type PlacedOrder,
  useMoneyShop,
} from "../harness/money-shop.ts";
import { okay } from "../harness/money-staff.ts";
import { startReceiver } from "../harness/receiver.ts";
import { callAdminApi } from "../harness/staff.ts";
import { waitFor } from "../harness/wait-for.ts";

const opened = z.object({ id: z.string(), state: z.string() });
const seenByCustomer = z.object({
  status: z.string(),
  refunded: z.optional(z.number()),
  returns: z.optional(
    z.array(z.object({ id: z.string(), state: z.string(), message: z.nullable(z.string()) })),
  ),
  return_offer: z.optional(z.object({ until: z.number(), lines: z.array(z.unknown()) })),
});

type WithItem<Order> = Order & { readonly item_id: string };
type Returned = WithItem<PlacedOrder>;

/** The calls of staff and customers about returns. */
function returnsOf(shop: MoneyShop) {
  const linesOf = ({ item_id }: Returned, quantity: number) => [{ item_id, quantity }];
  const open = (order: Returned, quantity = 1, more = {}, key?: string) =>
    callAdminApi(
      shop.shop,
      "POST",
      withId(paths.admin.orderReturns, order.id),
      { lines: linesOf(order, quantity), reason: "broken", ...more },
      key === undefined ? {} : { [idempotencyHeader]: key },
    );
  const request = (order: Returned, quantity = 1, more = {}) =>
    shop.asCustomer(order, "POST", paths.customerReturns, {
      lines: linesOf(order, quantity),
      reason: "too small",
      ...more,
    });
  const seen = async (order: PlacedOrder) =>
    seenByCustomer.parse(okay(await shop.asCustomer(order, "GET", paths.order)));
  return {
    open,
    request,
    seen,
    /** A shipped order. */
    async shipped(pieces = 3, price = 7): Promise<WithItem<PaidOrder>> {
      const total = price * pieces;
      const order = await shop.paidOrder({ total, pieces });
      okay(await shop.ship(order));
      return { ...order, item_id: `thing-${price.toFixed(2)}` };
    },
    async delivered(pieces = 3, price = 7): Promise<WithItem<PaidOrder>> {
      const order = await this.shipped(pieces, price);
      okay(await shop.deliver(order));
      return order;
    },
    move: (order: PlacedOrder, id: string, to: string, more = {}) =>
      shop.call("POST", withId(paths.admin.returnMoves, order.id, id), { to, ...more }),
    withdraw: (order: Returned, id: string) =>
      shop.asCustomer(order, "POST", withId(paths.returnWithdrawal, order.id, id)),
    /** Opens a return that must be possible. Returns its id. */
    opened: async (order: Returned, quantity = 1) =>
      opened.parse(okay(await open(order, quantity), 201)).id,
    /** Requests a return that must be possible. Returns its id. */
    async requested(order: Returned, quantity = 1): Promise<string> {
      okay(await request(order, quantity));
      return (await seen(order)).returns?.at(-1)?.id ?? "";
    },
    refund: (order: Returned, return_id: string, quantity: number, key?: string) =>
      shop.refund(
        order,
        {
          amount: 7 * quantity,
          grant: "return",
          return_id,
          lines: linesOf(order, quantity).map((line) => ({ ...line, restock: quantity })),
        },
        key,
      ),
  };
}

describe.concurrent.each(databaseKinds)("a return on $name", (kind) => {
  const shop = useMoneyShop(kind, { mail: true });
  const returns = returnsOf(shop);

  test("that a customer requests is accepted, received and refunded, with an email each", async () => {
    const order = await returns.delivered();
    expect((await returns.seen(order)).return_offer?.lines).toEqual([
      { item_id: order.item_id, quantity: 3 },
    ]);
    const id = await returns.requested(order, 2);
    const subjects = async () => (await shop.emailsTo(order)).map(({ subject }) => subject);
    expect((await subjects()).at(-1)).toContain("We received your return request");
    const toMerchant = (await shop.emailsToMerchant()).find(
      ({ subject }) => subject === `Order ${order.number}: return requested`,
    );
    expect(toMerchant?.text).toContain("too small");

    okay(await returns.move(order, id, "accepted", { message: "Send it to 1 Main Street." }));
    const accepted = (await shop.emailsTo(order)).at(-1);
    expect(accepted?.subject).toContain("Your return is accepted");
    expect(accepted?.text).toContain("Send it to 1 Main Street.");
    expect(await returns.seen(order)).toMatchObject({
      status: "Delivered",
      returns: [{ id, state: "accepted", message: "Send it to 1 Main Street." }],
      return_offer: { lines: [{ item_id: order.item_id, quantity: 1 }] },
    });

    okay(await returns.move(order, id, "received"));
    expect((await subjects()).at(-1)).toContain("Your return has arrived");
    okay(await returns.refund(order, id, 2), 201);
    expect((await subjects()).at(-1)).toContain("We have refunded $14.00");
    const { status, ledger, events, ...view } = await shop.orderOf(order);
    expect(status).toBe("Delivered");
    expect(ledger).toMatchObject({ refunded: 14, granted: 14, kept: 7 });
    expect(view.returns).toMatchObject([
      { id, state: "refunded", reason: "too small", by: "customer", message: null },
    ]);
    expect(events.slice(-4)).toMatchObject([
      { kind: "return-requested", by: "customer", reason: "too small", detail: "2 × Thing for 7" },
      { kind: "return-accepted", by: "staff", message: "Send it to 1 Main Street." },
      { kind: "return-received", by: "staff" },
      { kind: "refunded", by: "staff" },
    ]);
  });

  test("that staff open for a shipped order is accepted", async () => {
    const order = await returns.shipped();
    expect(await returns.open(order, 1, { message: "Sorry for that." })).toMatchObject({
      status: 201,
      body: { state: "accepted" },
    });
    expect(await returns.seen(order)).toMatchObject({
      status: "Shipped",
      returns: [{ state: "accepted", message: "Sorry for that." }],
    });
    expect((await shop.emailsTo(order)).at(-1)?.text).toContain("Sorry for that.");
  });

  test("that is declined frees its pieces for another one", async () => {
    const order = await returns.delivered(1);
    const id = await returns.requested(order);
    okay(await returns.move(order, id, "declined", { message: "It was worn." }));
    expect((await shop.emailsTo(order)).at(-1)?.text).toContain("It was worn.");
    expect(await returns.seen(order)).toMatchObject({ returns: [{ state: "declined" }] });
    expect(await returns.request(order)).toMatchObject({ status: 200 });
  });

  test("is of no more pieces than are in no other return and no refund", async () => {
    const order = await returns.delivered(3);
    await returns.opened(order);
    await shop.refunded(order, {
      amount: 7,
      grant: "goodwill",
      lines: [{ item_id: order.item_id, quantity: 1 }],
    });
    const tooMany = {
      status: 422,
      body: { errors: [{ path: "lines.0.quantity", message: "must be at most 1" }] },
    };
    expect(await returns.open(order, 2)).toMatchObject(tooMany);
    expect(await returns.request(order, 2)).toMatchObject(tooMany);
    expect(await returns.request({ ...order, item_id: "other" })).toMatchObject({
      status: 422,
      body: { errors: [{ path: "lines.0.item_id" }] },
    });
  });

  test("is not possible for an unpaid, cancelled or erased order, or before delivery", async () => {
    const unpaid = { ...(await shop.order()), item_id: "thing-12.00" };
    const cancelled = { ...(await shop.cancelledOrder()), item_id: "thing-12.00" };
    const shipped = await returns.shipped(1);
    const erased = await returns.delivered(1);
    okay(await shop.erase(erased));
    const refused = { status: 409, body: { code: "not_returnable" } };
    for (const order of [unpaid, cancelled, erased]) {
      expect(await returns.open(order)).toMatchObject(refused);
      expect(await returns.request(order)).toMatchObject(refused);
    }
    expect(await returns.request(shipped)).toMatchObject(refused);
  });

  test("is requested once at a time, also by two pages at once", async () => {
    const order = await returns.delivered(3);
    const both = await Promise.all([returns.request(order), returns.request(order)]);
    expect(both.map(({ status }) => status).sort()).toEqual([200, 409]);
    expect((await returns.seen(order)).returns).toHaveLength(1);
  });

  test("that two colleagues decide about at once has one decision", async () => {
    const order = await returns.delivered(1);
    const id = await returns.requested(order);
    const expected_state = "requested";
    const both = await Promise.all([
      returns.move(order, id, "accepted", { expected_state }),
      returns.move(order, id, "declined", { expected_state }),
    ]);
    expect(both.map(({ status }) => status).sort()).toEqual([200, 409]);
    const lost = both.find(({ status }) => status === 409);
    expect(lost?.body).toMatchObject({ code: "return_changed" });
  });

  test("is refunded from itself: another granted refund cannot have its pieces", async () => {
    const order = await returns.shipped(2);
    const id = await returns.opened(order);
    const grant = (quantity: number) =>
      shop.refund(order, {
        amount: 7,
        grant: "return",
        lines: [{ item_id: order.item_id, quantity, restock: 0 }],
      });
    expect((await grant(2)).status).toBe(422);
    okay(await grant(1), 201);
    expect((await grant(1)).status).toBe(422);
    okay(await returns.move(order, id, "received"));
    okay(await returns.refund(order, id, 1), 201);
  });

  test("is refunded once, for pieces of it, and only once it is received", async () => {
    const order = await returns.delivered(3);
    const id = await returns.opened(order, 2);
    const changed = { status: 409, body: { code: "return_changed" } };
    expect(await returns.refund(order, id, 2)).toMatchObject(changed);
    okay(await returns.move(order, id, "received"));
    expect(await returns.refund(order, id, 3)).toMatchObject({
      status: 422,
      body: { errors: [{ path: "lines.0.quantity", message: "must be at most 2" }] },
    });
    expect(await returns.refund(order, "other", 2)).toMatchObject({
      status: 422,
      body: { errors: [{ path: "return_id" }] },
    });
    okay(await returns.refund(order, id, 1, "key"), 201);
    okay(await returns.refund(order, id, 1, "key"), 201);
    expect(await returns.refund(order, "other", 1, "key")).toMatchObject({
      body: { code: "idempotency_conflict" },
    });
    expect(await returns.refund(order, id, 1)).toMatchObject(changed);
    expect(await shop.ledgerOf(order)).toMatchObject({ refunded: 7 });
  });

  test("whose price is refunded already is completed without a refund, and restocks its pieces", async () => {
    const order = await returns.delivered(3, 11);
    const id = await returns.opened(order, 3);
    const item = withId(paths.admin.item, order.item_id);
    const stock = async () => {
      const items = shop.shop.database.db.selectFrom("items").select("stock");
      return items.where("id", "=", order.item_id).executeTakeFirst();
    };
    const complete = (quantity: number, item_id = order.item_id) =>
      returns.move(order, id, "completed", { restock: [{ item_id, quantity }] });
    okay(await shop.call("PATCH", item, { stock: 10 }));
    await shop.refunded(order, { amount: 33, grant: "goodwill" });
    expect(await complete(2)).toMatchObject({ status: 409, body: { code: "return_changed" } });
    okay(await returns.move(order, id, "received"));
    expect((await shop.emailsTo(order)).at(-1)?.text).toContain(
      "We have already refunded the price",
    );
    expect(await complete(4)).toMatchObject({
      status: 422,
      body: { errors: [{ path: "restock.0.quantity", message: "must be at most 3" }] },
    });
    expect(await complete(1, "other")).toMatchObject({
      status: 422,
      body: { errors: [{ path: "restock.0.quantity", message: "must be at most 0" }] },
    });
    okay(await complete(2));
    expect(await stock()).toEqual({ stock: 12 });
    expect((await shop.emailsTo(order)).at(-1)?.subject).toContain("Your return is completed");
    expect(await returns.seen(order)).toMatchObject({ returns: [{ state: "completed" }] });
    const { events, ledger } = await shop.orderOf(order);
    expect(events.at(-1)).toMatchObject({
      kind: "return-completed",
      detail: "3 × Thing for 11 (2 restocked)",
    });
    expect(ledger).toMatchObject({ refunded: 33, granted: 33 });
    expect(await complete(2)).toMatchObject({ status: 409 });
    expect(await returns.open(order)).toMatchObject({ status: 422 });
    okay(await shop.erase(order));
  });

  test("that is completed keeps its pieces from being refunded and restocked again", async () => {
    const order = await returns.delivered(2);
    const id = await returns.opened(order);
    okay(await returns.move(order, id, "received"));
    okay(await returns.move(order, id, "completed"));
    const grant = (quantity: number) =>
      shop.refund(order, {
        amount: 7,
        grant: "return",
        lines: [{ item_id: order.item_id, quantity, restock: quantity }],
      });
    expect((await grant(2)).status).toBe(422);
    okay(await grant(1), 201);
  });

  test("restocks pieces only when it is completed", async () => {
    const order = await returns.delivered(1);
    const id = await returns.opened(order);
    const restock = [{ item_id: order.item_id, quantity: 1 }];
    expect(await returns.move(order, id, "received", { restock })).toMatchObject({
      status: 422,
      body: { errors: [{ path: "restock" }] },
    });
  });

  test("that staff open with an Idempotency-Key is opened once", async () => {
    const order = await returns.delivered(3);
    const open = (quantity: number) => returns.open(order, quantity, {}, "key");
    const first = await open(1);
    expect(first.status).toBe(201);
    const both = await Promise.all([open(1), open(1)]);
    for (const repeated of both) expect(repeated).toMatchObject({ status: 201, body: first.body });
    expect(await open(2)).toMatchObject({ body: { code: "idempotency_conflict" } });
    expect((await shop.orderOf(order)).returns).toHaveLength(1);
    okay(await returns.open(order, 1, {}, "other-key"), 201);
    const subjects = (await shop.emailsTo(order)).map(({ subject }) => subject);
    expect(subjects.filter((subject) => subject.includes("return is accepted"))).toHaveLength(2);
  });

  test("is withdrawn by its customer while it is only requested", async () => {
    const order = await returns.delivered(1);
    const id = await returns.requested(order);
    okay(await returns.withdraw(order, id));
    expect(okay(await returns.withdraw(order, id))).toMatchObject({
      returns: [{ id, state: "withdrawn" }],
      return_offer: { lines: [{ item_id: order.item_id, quantity: 1 }] },
    });
    const { events } = await shop.orderOf(order);
    expect(events.filter(({ kind }) => kind === "return-withdrawn")).toMatchObject([
      { by: "customer" },
    ]);
    const subjects = (await shop.emailsToMerchant()).map(({ subject }) => subject);
    expect(subjects).toContain(`Order ${order.number}: return withdrawn`);
    expect(await returns.move(order, id, "accepted")).toMatchObject({ status: 409 });

    const next = await returns.requested(order);
    okay(await returns.move(order, next, "accepted"));
    expect(await returns.withdraw(order, next)).toMatchObject({
      status: 409,
      body: { code: "return_changed" },
    });
    expect(await returns.withdraw(order, "unknown")).toMatchObject({ status: 404 });
    const wrongKey = { ...order, key: "a".repeat(22) };
    expect(await returns.withdraw(wrongKey, next)).toMatchObject({ status: 404 });
  });

  test("keeps its order from being erased while it is open, and loses its texts with it", async () => {
    const order = await returns.delivered(1);
    const id = await returns.requested(order);
    expect(await shop.erase(order)).toMatchObject({
      status: 409,
      body: { code: "not_erasable" },
    });
    okay(await returns.move(order, id, "declined", { message: "No." }));
    okay(await shop.erase(order));
    const { returns: stored, events } = await shop.orderOf(order);
    expect(stored).toMatchObject([{ state: "declined", reason: null, message: null }]);
    expect(events.map(({ reason }) => reason)).not.toContain("too small");
  });

  test("loses its texts also if a server of 1.0.0, which knows no returns, erases its order", async () => {
    const order = await returns.delivered(1);
    okay(await returns.move(order, await returns.requested(order), "declined", { message: "No." }));
    const { db } = shop.shop.database;
    await db.updateTable("orders").set({ erased_at: 1 }).where("id", "=", order.id).execute();
    const texts = db.selectFrom("order_returns").select(["reason", "message"]);
    expect(await texts.where("order_id", "=", order.id).execute()).toEqual([
      { reason: null, message: null },
    ]);
  });

  test("is only seen and requested with the order's key", async () => {
    const order = await returns.delivered(1);
    const id = await returns.requested(order);
    const wrongKey = { ...order, key: "a".repeat(22) };
    expect(await returns.request(wrongKey)).toMatchObject({ status: 404 });
    const subscriber = await shop.subscribe(order);
    await subscriber.until("the return", ({ data }) => data.returns?.[0]?.id === id);
    await subscriber.close();
    const withLoan = await subscribe(shop.shop, order.id, order.loan.id);
    await withLoan.until("the order", ({ type }) => type === "order");
    for (const { data } of withLoan.messages) expect(data.returns).toBeUndefined();
    await withLoan.close();
  });

  test("is listed for staff until it is refunded or declined", async () => {
    const order = await returns.delivered(1);
    const id = await returns.requested(order);
    const listed = async () => okay(await shop.call("GET", paths.admin.returns));
    const entry = { id, order_number: order.number, item_count: 1, state: "requested" };
    expect(await listed()).toMatchObject({
      returns: expect.arrayContaining([expect.objectContaining(entry)]),
    });
    okay(await returns.move(order, id, "declined"));
    expect(JSON.stringify(await listed())).not.toContain(id);
  });
});

describe.each(databaseKinds)("Today on $name", (kind) => {
  const shop = useMoneyShop(kind);
  const returns = returnsOf(shop);

  test("counts requested returns until staff decide, and received ones until the refund", async () => {
    const order = await returns.delivered(1);
    const id = await returns.requested(order);
    expect(await shop.today()).toMatchObject({ returns_requested: 1, returns_received: 0 });
    okay(await returns.move(order, id, "accepted"));
    expect(await shop.today()).toMatchObject({ returns_requested: 0, returns_received: 0 });
    okay(await returns.move(order, id, "received"));
    expect(await shop.today()).toMatchObject({ returns_requested: 0, returns_received: 1 });
    okay(await returns.refund(order, id, 1), 201);
    expect(await shop.today()).toMatchObject({ returns_requested: 0, returns_received: 0 });
  });
});

describe.each(databaseKinds)("the return period on $name", (kind) => {
  const shop = useMoneyShop(kind);
  const returns = returnsOf(shop);
  const set = async (return_days: string) =>
    shop.call("PUT", paths.admin.settings, { return_days });

  test("ends the days of the shop's setting after delivery", async () => {
    const order = await returns.delivered(1);
    okay(await set("2"));
    expect((await returns.seen(order)).return_offer).toBeDefined();
    shop.passTime(2 * DAY + 1_000);
    expect(await returns.request(order)).toMatchObject({
      status: 409,
      body: { code: "not_returnable", detail: "The return period is over." },
    });
    expect((await returns.seen(order)).return_offer).toBeUndefined();
    expect(await returns.open(order)).toMatchObject({ status: 201 });
  });

  test("of 0 days means that customers request none", async () => {
    okay(await set("0"));
    const order = await returns.delivered(1);
    expect((await returns.seen(order)).return_offer).toBeUndefined();
    expect(await returns.request(order)).toMatchObject({ status: 409 });
  });
});

describe("a return", () => {
  const shop = useMoneyShop(sqlite);
  const returns = returnsOf(shop);

  test("is sent to webhooks at each step, without its texts", async () => {
    await using receiver = await startReceiver();
    okay(await shop.call("POST", paths.admin.webhooks, { url: receiver.url }), 201);
    const order = await returns.delivered(1);
    const id = await returns.requested(order);
    okay(await returns.move(order, id, "accepted"));
    okay(await returns.move(order, id, "received"));
    okay(await returns.refund(order, id, 1), 201);
    const withdrawn = await returns.delivered(1);
    okay(await returns.withdraw(withdrawn, await returns.requested(withdrawn)));
    await waitFor("the withdrawal", async () =>
      receiver.received.some(
        ({ type, data }) => type === "return.withdrawn" && data.order_id === withdrawn.id,
      ),
    );
    const ofReturn = () => receiver.received.filter(({ data }) => data.return_id === id);
    await waitFor("four messages", async () => ofReturn().length === 4);
    expect(ofReturn().map(({ type }) => type)).toEqual([
      "return.requested",
      "return.accepted",
      "return.received",
      "order.refunded",
    ]);
    expect(ofReturn()[0]?.data).toEqual({
      order_id: order.id,
      order_number: order.number,
      return_id: id,
    });
  });
});
