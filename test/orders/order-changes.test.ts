import { paths, withId } from "@keepsats/protocol";
import { describe, expect, test } from "vitest";
import { anAddress } from "../harness/builders.ts";
import { paidOrder, placeOrder, subscribe } from "../harness/customer.ts";
import { startShop } from "../harness/shop.ts";
import { callAdminApi } from "../harness/staff.ts";
import { useResource } from "../harness/use-resource.ts";

const shop = useResource(() => startShop());

const move = (id: string, body: object) =>
  callAdminApi(shop, "POST", withId(paths.admin.transitions, id), body);
const note = (id: string, body: unknown) =>
  callAdminApi(shop, "POST", withId(paths.admin.notes, id), body);
const show = async (id: string) =>
  (await callAdminApi(shop, "GET", withId(paths.admin.order, id))).body;

describe("a shipped order", () => {
  test("shows its carrier, tracking number and link, and who shipped it", async () => {
    const { id } = await paidOrder(shop);
    const shipment = {
      carrier: "DHL",
      tracking_number: "JD01",
      tracking_url: "https://dhl.example/JD01",
    };
    expect(await move(id, { to: "Shipped", reason: "parcel 7", ...shipment })).toMatchObject({
      status: 200,
    });
    const shown = Object(await show(id));
    expect(shown).toMatchObject({
      status: "Shipped",
      ...shipment,
      merchant_message: null,
      erased_at: null,
    });
    expect(shown.events.at(-1)).toMatchObject({
      kind: "moved",
      from: "PaymentProcessed",
      to: "Shipped",
      by: "staff",
      by_name: "admin",
      reason: "parcel 7",
      message: null,
      detail: "Carrier DHL, tracking number JD01, tracking link https://dhl.example/JD01",
    });
    expect(shown.events[0]).toMatchObject({ kind: "placed", by: "customer", by_name: null });
  });

  test("keeps its tracking number when it is shipped once more", async () => {
    const { id } = await paidOrder(shop);
    await move(id, { to: "Shipped", tracking_number: "one" });
    const again = await move(id, { to: "Shipped", tracking_number: "two" });
    expect(again).toMatchObject({ status: 200, body: { changed: false } });
    expect(await show(id)).toMatchObject({ tracking_number: "one" });
  });

  test("cannot have a link that a browser would run", async () => {
    const { id } = await paidOrder(shop);
    expect(await move(id, { to: "Shipped", tracking_url: "javascript:alert(1)" })).toMatchObject({
      status: 422,
      body: { code: "invalid", errors: [{ path: "tracking_url" }] },
    });
    expect(await show(id)).toMatchObject({ status: "PaymentProcessed", tracking_url: null });
  });
});

test("a cancelled order shows the message to the customer and the reason", async () => {
  const { id } = await placeOrder(shop);
  await move(id, { to: "Cancelled", reason: "no stock", message: "Sold out.\nSorry!" });
  const shown = Object(await show(id));
  expect(shown).toMatchObject({ merchant_message: "Sold out.\nSorry!" });
  expect(shown.events.at(-1)).toMatchObject({
    reason: "no stock",
    message: "Sold out.\nSorry!",
    detail: null,
  });
});

test("a message or tracking with another status is refused, and nothing is changed", async () => {
  const { id } = await placeOrder(shop);
  for (const wrong of [
    { to: "Shipped", message: "on its way" },
    { to: "Cancelled", carrier: "DHL" },
    { to: "Cancelled", why: "a misspelt field" },
  ]) {
    expect(await move(id, wrong)).toMatchObject({ status: 422, body: { code: "invalid" } });
  }
  expect(await show(id)).toMatchObject({ status: "Pending" });
});

describe("a note", () => {
  test("is stored with its line breaks and its author, in any status", async () => {
    const { id } = await placeOrder(shop);
    expect(await note(id.slice(0, 8), { text: "Call first.\nThen ring." })).toEqual({
      status: 201,
      body: { id },
    });
    await move(id, { to: "Cancelled" });
    expect(await note(id, { text: "=1+1" })).toMatchObject({ status: 201 });
    const shown = Object(await show(id));
    expect(shown.notes).toEqual([
      { text: "Call first.\nThen ring.", by_name: "admin", at: expect.any(Number) },
      { text: "=1+1", by_name: "admin", at: expect.any(Number) },
    ]);
    expect(shown.events.map(({ kind }: { kind: string }) => kind)).toEqual([
      "placed",
      "noted",
      "moved",
      "noted",
    ]);
    expect(shown.events[1]).toMatchObject({ from: "Pending", to: "Pending", detail: null });
  });

  test("that is retried with its Idempotency-Key is stored once, and a different text with that key is refused", async () => {
    const { id } = await placeOrder(shop);
    const path = withId(paths.admin.notes, id);
    const send = (text: string, key: string) =>
      callAdminApi(shop, "POST", path, { text }, { "idempotency-key": key });
    const answers = await Promise.all([send("Call first.", "a"), send("Call first.", "a")]);
    expect(answers).toMatchObject([{ status: 201 }, { status: 201 }]);
    expect(await send("Ring first.", "a")).toMatchObject({
      status: 422,
      body: { code: "idempotency_conflict" },
    });
    expect(await send("Call first.", "b")).toMatchObject({ status: 201 });
    expect(Object(await show(id)).notes).toMatchObject([
      { text: "Call first." },
      { text: "Call first." },
    ]);
  });

  test("of more than 5,000 characters, of a megabyte, or of no text is refused", async () => {
    const { id } = await placeOrder(shop);
    expect(await note(id, { text: "x".repeat(5_001) })).toMatchObject({ status: 422 });
    expect(await note(id, { text: "x".repeat(1_000_000) })).toMatchObject({ status: 413 });
    for (const text of ["", "  \n", 7, null])
      expect(await note(id, { text })).toMatchObject({ status: 422 });
    expect(await note(id, {})).toMatchObject({ status: 422 });
    expect(Object(await show(id)).notes).toEqual([]);
  });

  test("about an order that does not exist is not found", async () => {
    const unknown = "00000000-0000-4000-8000-000000000000";
    expect(await note(unknown, { text: "x" })).toMatchObject({ status: 404 });
    expect(await note("zzzzzzzz", { text: "x" })).toMatchObject({ status: 404 });
  });
});

test("events of an unknown kind are shown with their statuses", async () => {
  const { id } = await placeOrder(shop);
  const event = {
    order_id: id,
    version: 2,
    from_status: "Pending",
    to_status: "Pending",
    reason: null,
  };
  await shop.database.db
    .insertInto("order_events")
    .values({ ...event, kind: "weighed", by: "robot", data: '{"grams":5,"text":7}', at: 2_000 })
    .execute();
  expect(Object(await show(id)).events[1]).toEqual({
    kind: "weighed",
    from: "Pending",
    to: "Pending",
    by: "robot",
    by_name: null,
    reason: null,
    message: null,
    detail: null,
    at: 2,
  });
});

test("payment issues of an unknown kind are shown with it", async () => {
  const { id } = await placeOrder(shop);
  await shop.database.db
    .insertInto("payment_issues")
    .values({
      id: "stolen-loan",
      loan_id: "loan",
      order_id: id,
      kind: "stolen",
      detail: "",
      opened_at: 1,
    })
    .execute();
  expect(await show(id)).toMatchObject({ payment_issues: [{ kind: "stolen", order_id: id }] });
});

describe("a correction", () => {
  const correct = (id: string, body: object) =>
    callAdminApi(shop, "PATCH", withId(paths.admin.order, id), body);

  test("of carrier or number changes the link that was made from them, but not one that staff typed", async () => {
    const { id } = await paidOrder(shop);
    const shipment = { carrier: "DHL", tracking_number: "JD01" };
    await move(id, { to: "Shipped", ...shipment });
    const linkOf = async () => Object(await show(id)).tracking_url;
    expect(await linkOf()).toBe(
      "https://www.dhl.com/global-en/home/tracking.html?tracking-id=JD01",
    );
    await correct(id, { carrier: "UPS", tracking_number: "1Z" });
    expect(await linkOf()).toBe("https://www.ups.com/track?tracknum=1Z");
    await correct(id, { carrier: "Pigeon" });
    expect(await linkOf()).toBeNull();
    await correct(id, { tracking_url: "https://pigeon.example/1" });
    await correct(id, { carrier: "UPS" });
    expect(await linkOf()).toBe("https://pigeon.example/1");
  });
  const address = anAddress({ street: "1 New Road" });

  test("changes the address of an order that has not shipped, and its history keeps the former one", async () => {
    const { id } = await paidOrder(shop);
    expect(await correct(id.slice(0, 8), { shipping_address: address })).toEqual({
      status: 200,
      body: { id, changed: true },
    });
    expect(await correct(id, { shipping_address: address })).toMatchObject({
      body: { changed: false },
    });
    const shown = Object(await show(id));
    expect(shown).toMatchObject({ shipping_address: address, billing_address: anAddress() });
    expect(shown.events.at(-1)).toMatchObject({
      kind: "address-corrected",
      by_name: "admin",
      detail: expect.stringContaining("before: 12 St James's Square"),
    });
  });

  test("of the address of a shipped order is refused, and of the tracking of one that has not shipped", async () => {
    const { id } = await paidOrder(shop);
    expect(await correct(id, { carrier: "DHL" })).toMatchObject({
      status: 409,
      body: { code: "correction_refused", current_status: "PaymentProcessed" },
    });
    await move(id, { to: "Shipped", carrier: "DHL", tracking_number: "1" });
    expect(await correct(id, { shipping_address: address })).toMatchObject({
      status: 409,
      body: { code: "correction_refused", current_status: "Shipped" },
    });
    expect(await correct(id, { tracking_number: "2", carrier: null })).toMatchObject({
      status: 200,
    });
    const shown = Object(await show(id));
    expect(shown).toMatchObject({
      carrier: null,
      tracking_number: "2",
      shipping_address: anAddress(),
    });
    expect(shown.events.at(-1)).toMatchObject({
      detail: "No carrier, tracking number 2, no tracking link",
    });
  });

  test("that expects an outdated address or tracking is refused, unless the new value is already stored", async () => {
    const { id } = await paidOrder(shop);
    const seen = { shipping_address: anAddress() };
    const theirs = anAddress({ street: "7 Their Road" });
    await correct(id, { shipping_address: theirs });
    const refused = {
      status: 409,
      body: { code: "order_changed", detail: expect.stringContaining("address") },
    };
    expect(await correct(id, { shipping_address: address, expected: seen })).toMatchObject(refused);
    expect(Object(await show(id)).shipping_address).toEqual(theirs);
    expect(await correct(id, { shipping_address: theirs, expected: seen })).toMatchObject({
      status: 200,
    });
    const expected = { shipping_address: theirs };
    expect(await correct(id, { shipping_address: address, expected })).toMatchObject({
      status: 200,
    });

    await move(id, { to: "Shipped", carrier: "DHL", tracking_number: "1" });
    const change = { carrier: "UPS", tracking_number: "2" };
    expect(
      await correct(id, { ...change, expected: { carrier: "DHL", tracking_number: null } }),
    ).toMatchObject({
      status: 409,
      body: { code: "order_changed", detail: expect.stringContaining("tracking_number") },
    });
    expect(await show(id)).toMatchObject({ carrier: "DHL", tracking_number: "1" });
    const known = { carrier: "DHL", tracking_number: "1" };
    expect(await correct(id, { ...change, expected: known })).toMatchObject({ status: 200 });
    expect(await correct(id, { ...change, expected: known })).toMatchObject({ status: 200 });
  });

  test.each([
    ["nothing", {}],
    ["nothing but what is expected", { expected: { carrier: null } }],
    ["an unknown field", { customer_name: "Eve" }],
    ["an address with an empty field", { shipping_address: { ...anAddress(), city: " " } }],
    ["a part of an address", { shipping_address: { city: "London" } }],
    ["a link that a browser would run", { tracking_url: "javascript:alert(1)" }],
    ["an address and tracking at once", { shipping_address: anAddress(), carrier: "DHL" }],
  ])("of %s is invalid", async (_what, body) => {
    const { id } = await placeOrder(shop);
    expect(await correct(id, body)).toMatchObject({ status: 422, body: { code: "invalid" } });
    expect(await show(id)).toMatchObject({ shipping_address: anAddress(), carrier: null });
  });

  test("of the address while the order ships is stored before, or refused", async () => {
    const { id } = await paidOrder(shop);
    const [moved, corrected] = await Promise.all([
      move(id, { to: "Shipped" }),
      correct(id, { shipping_address: address }),
    ]);
    expect(moved).toMatchObject({ status: 200 });
    const shown = Object(await show(id));
    const kinds = shown.events.map(({ kind, to }: { kind: string; to: string }) => `${kind} ${to}`);
    if (corrected.status === 200) {
      expect(shown.shipping_address).toEqual(address);
      expect(kinds.slice(-2)).toEqual(["address-corrected PaymentProcessed", "moved Shipped"]);
    } else {
      expect(corrected).toMatchObject({ status: 409, body: { code: "correction_refused" } });
      expect(shown.shipping_address).toEqual(anAddress());
    }
  });
});

describe("a refund", () => {
  const refund = (id: string, amount: unknown) =>
    callAdminApi(shop, "POST", withId(paths.admin.refunds, id), {
      amount,
      method: "bank transfer",
    });

  test("of nothing, a negative amount, a fraction of a cent or more than is refundable is refused and not stored", async () => {
    const { id } = await paidOrder(shop);
    await move(id, { to: "Cancelled" });
    for (const amount of [0, -1, 0.001, 45.001, "45", null])
      expect(await refund(id, amount), String(amount)).toMatchObject({ status: 422 });
    expect(await refund(id, 45.01)).toMatchObject({
      status: 409,
      body: { code: "more_than_refundable", refundable: 45 },
    });
    expect(Object(await show(id)).ledger).toMatchObject({ refund_due: 45, refunded: 0 });
    expect(await refund(id, 45)).toMatchObject({
      status: 201,
      body: { ledger: { refund_due: 0, refunded: 45 } },
    });
  });

  test("that expects another refunded amount is refused and not stored", async () => {
    const { id } = await paidOrder(shop);
    await move(id, { to: "Cancelled" });
    const path = withId(paths.admin.refunds, id);
    const body = { amount: 10, method: "cash", expected_refunded: 0 };
    expect(await callAdminApi(shop, "POST", path, body)).toMatchObject({ status: 201 });
    expect(await callAdminApi(shop, "POST", path, body)).toMatchObject({
      status: 409,
      body: {
        code: "refunds_changed",
        detail: "By now $10.00 of this order has been refunded. This refund was not recorded.",
      },
    });
    expect(Object(await show(id)).ledger).toMatchObject({ refunded: 10 });
    expect(
      await callAdminApi(shop, "POST", path, { ...body, expected_refunded: -1 }),
    ).toMatchObject({
      status: 422,
    });
  });

  test("of a cancelled order is sent to its subscribers at once, in full", async () => {
    const { id, loanId } = await paidOrder(shop);
    const subscriber = await subscribe(shop, id, loanId);
    await move(id, { to: "Cancelled" });
    await subscriber.until("the cancelling", ({ data }) => data.status === "Cancelled");
    expect(subscriber.messages.at(-1)?.data).not.toHaveProperty("refunded");
    for (const amount of [20, 25]) await refund(id, amount);
    await subscriber.until("the refunds", ({ data }) => data.refunded === 45);
    await subscriber.close();
  });
});
