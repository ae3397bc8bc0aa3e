import { hash } from "node:crypto";
import { paths, withId } from "@keepsats/protocol";
import { describe, expect, test } from "vitest";
import { sessionHash } from "../../apps/server/src/modules/staff/restricted-role.ts";
import { paidOrder, placeOrder } from "../harness/customer.ts";
import { databaseKinds } from "../harness/databases.ts";
import { callAdminApi } from "../harness/staff.ts";
import { codeOf, field, useAdminShop } from "./admin-shop.ts";

/** All routes of the admin API that packers may call. */
const allowed = [
  "GET /api/admin/packing/orders",
  "GET /api/admin/packing/orders/{id}",
  "GET /api/admin/order-counts",
  "PATCH /api/admin/orders/{id}",
  "POST /api/admin/orders/{id}/transitions",
  "POST /api/admin/orders/{id}/notes",
  "GET /api/admin/sessions",
  "DELETE /api/admin/sessions/{id}",
];

const isMoney = /price|total|amount|cents|currency|ledger|loan|payment|refund|billing|email/i;

/** The names of all fields in an answer. */
function fieldsIn(body: unknown): string[] {
  if (typeof body !== "object" || body === null) return [];
  const names = Array.isArray(body) ? [] : Object.keys(body);
  return [...names, ...Object.values(body).flatMap(fieldsIn)];
}

describe.each(databaseKinds)("a packer on $name", (kind) => {
  const { shop, aName, signedIn } = useAdminShop(kind);

  async function aPacker() {
    const name = aName();
    const body = { name, role: "packer" };
    const { status, body: made } = await callAdminApi(shop, "POST", paths.admin.tokens, body);
    expect(status).toBe(201);
    const token = String(field(made, "token"));
    const as = { url: shop.url, token };
    return {
      name,
      token,
      call: (method: string, path: string, sent?: unknown) => callAdminApi(as, method, path, sent),
    };
  }

  test("may call the routes of packing, and is refused all others", async () => {
    const packer = await aPacker();
    const document = await (await fetch(`${shop.url}${paths.openapi}`)).json();
    const routes = Object.entries<object>(document.paths)
      .filter(([path]) => path.startsWith("/api/admin/"))
      .flatMap(([path, methods]) =>
        Object.keys(methods).map((method) => `${method.toUpperCase()} ${path}`),
      );
    expect(routes).toEqual(expect.arrayContaining(allowed));
    for (const route of routes) {
      const [method = "", path = ""] = route.split(" ");
      const answer = await packer.call(
        method,
        path.replaceAll(/\{\w+\}/g, "none"),
        method === "GET" || method === "DELETE" ? undefined : {},
      );
      const isRefused = field(answer.body, "code") === "permission_required";
      expect(isRefused, route).toBe(!allowed.includes(route));
      if (isRefused) expect(answer.status, route).toBe(403);
    }
  });

  test("sees, notes, ships, corrects and delivers an order, and no answer has money", async () => {
    const packer = await aPacker();
    const { id, number } = await paidOrder(shop);
    const path = withId(paths.admin.packingOrder, id);
    const move = (to: string, more = {}) =>
      packer.call("POST", withId(paths.admin.transitions, id), { to, ...more });
    const answers = [
      await packer.call("POST", withId(paths.admin.notes, id), { text: "Gift wrapped" }),
      await move("Shipped", { carrier: "DHL", tracking_number: "1" }),
      await packer.call("PATCH", withId(paths.admin.order, id), { tracking_number: "2" }),
      await move("Delivered"),
    ];
    const granted = { amount: 5, method: "cash", grant: "goodwill", reason: "$5.00 for the delay" };
    const refund = await callAdminApi(shop, "POST", withId(paths.admin.refunds, id), granted);
    expect(refund.status).toBe(201);
    const shown = await packer.call("GET", path);
    answers.push(
      shown,
      await packer.call("GET", paths.admin.packingOrders),
      await packer.call("GET", paths.admin.orderCounts),
      await packer.call("GET", paths.admin.sessions),
    );
    for (const { status, body } of answers) {
      expect(status).toBeLessThan(300);
      expect(fieldsIn(body).filter((name) => isMoney.test(name))).toEqual([]);
    }
    expect(shown.body).toMatchObject({
      number,
      status: "Delivered",
      customer_name: expect.any(String),
      shipping_address: { city: expect.any(String) },
      items: [{ name: expect.any(String), quantity: expect.any(Number) }],
      tracking_number: "2",
      notes: [{ text: "Gift wrapped", by_name: packer.name }],
    });
    const kinds = Object.values(Object(field(shown.body, "events"))).map((event) =>
      field(event, "kind"),
    );
    expect(kinds).toContain("moved");
    expect(kinds).not.toContain("refunded");
  });

  test("does not cancel an order, change its address, ship it despite an issue, or search by totals", async () => {
    const packer = await aPacker();
    const { id } = await placeOrder(shop);
    const refused = [403, "permission_required"];
    const move = (body: object) => packer.call("POST", withId(paths.admin.transitions, id), body);
    expect(codeOf(await move({ to: "Cancelled" }))).toEqual(refused);
    expect(codeOf(await move({ to: "Shipped", despite_issue: true }))).toEqual(refused);
    const address = { street: "1 Road", city: "Bern", state: "BE", postal_code: "3000" };
    const correction = { shipping_address: { ...address, country: "Switzerland" } };
    const corrected = await packer.call("PATCH", withId(paths.admin.order, id), correction);
    expect(codeOf(corrected)).toEqual(refused);
    const searched = await packer.call("GET", `${paths.admin.packingOrders}?min_total=1`);
    expect(codeOf(searched)).toEqual([422, "invalid"]);
  });

  test("learns that an order has a payment issue, but nothing about it", async () => {
    const packer = await aPacker();
    const { id, loanId } = await paidOrder(shop);
    const issue = { id: `issue-${id}`, loan_id: loanId, order_id: id, kind: "disputed" };
    await shop.database.db
      .insertInto("payment_issues")
      .values({ ...issue, detail: "$45.00", opened_at: 1 })
      .execute();
    const body = { to: "Shipped" };
    const answer = await packer.call("POST", withId(paths.admin.transitions, id), body);
    expect(codeOf(answer)).toEqual([409, "open_issue"]);
    expect(field(answer.body, "payment_issues")).toBeUndefined();
    expect(JSON.stringify(answer.body)).not.toContain("45");
  });

  test("does not see the reason of a cancellation and its text to the customer, which may be about money", async () => {
    const packer = await aPacker();
    const { id } = await placeOrder(shop);
    const cancelling = { to: "Cancelled", reason: "no stock", message: "You get $45.00 back." };
    await callAdminApi(shop, "POST", withId(paths.admin.transitions, id), cancelling);
    const { body } = await packer.call("GET", withId(paths.admin.packingOrder, id));
    expect(body).toMatchObject({ status: "Cancelled" });
    expect(JSON.stringify(body)).not.toMatch(/no stock|45\.00/);
  });

  test("is listed with their role, is signed in with it, and signs out", async () => {
    const { id, browser } = await signedIn("packer");
    const { body } = await browser.call("GET", paths.auth.session);
    expect(body).toMatchObject({ staff: { id, role: "packer" } });
    expect(codeOf(await browser.call("GET", paths.admin.orders))).toEqual([
      403,
      "permission_required",
    ]);
    expect((await browser.call("GET", paths.admin.packingOrders)).status).toBe(200);
    const listed = await callAdminApi(shop, "GET", paths.admin.staff);
    const staff = Object.values(Object(field(listed.body, "staff")));
    expect(staff.find((member) => field(member, "id") === id)).toMatchObject({ role: "packer" });
    expect((await browser.call("DELETE", paths.auth.session)).status).toBe(204);
    const sessions = shop.database.db.selectFrom("staff_sessions").select("id");
    expect(await sessions.where("staff_id", "=", id).execute()).toEqual([]);
  });

  test("finds orders by number and id alone, so that a search does not tell an email address", async () => {
    const packer = await aPacker();
    const { id, number } = await paidOrder(shop);
    const found = async (q: string) => {
      const query = `?q=${encodeURIComponent(q)}`;
      const listed = await packer.call("GET", paths.admin.packingOrders + query);
      const counted = await packer.call("GET", paths.admin.orderCounts + query);
      const counts = Object.values(Object(field(counted.body, "orders_by_status")));
      return {
        listed: Object.values(Object(field(listed.body, "orders"))).length,
        counted: counts.reduce<number>((sum, count) => sum + Number(field(count, "orders")), 0),
      };
    };
    for (const q of [number, id]) expect(await found(q), q).toEqual({ listed: 1, counted: 1 });
    for (const q of ["ada", "example", "moka"])
      expect(await found(q), q).toEqual({ listed: 0, counted: 0 });
  });

  /** 1.0.0 takes the role of the column `role`, looks sessions up by their hash, and tokens too. */
  test("cannot be authenticated by a server of 1.0.0, which can read and remove them", async () => {
    const { token, name } = await aPacker();
    const { id, browser } = await signedIn("packer");
    const { db } = shop.database;
    const tokens = await db.selectFrom("tokens").selectAll().where("name", "=", name).execute();
    expect(tokens).toMatchObject([{ role: "staff", restricted_role: "packer" }]);
    for (const { hash: stored } of tokens) {
      expect(Buffer.from(stored, "base64url")).toHaveLength(32);
      for (const sent of [token, `restricted ${token}`])
        expect(stored).not.toBe(hash("sha256", sent, "base64url"));
    }
    const secret = /=([\w-]{43})/.exec(browser.cookie)?.[1] ?? "";
    const sessionsWith = (stored: string) =>
      db.selectFrom("staff_sessions").select("staff_id").where("hash", "=", stored).execute();
    expect(await sessionsWith(sessionHash(secret, "packer"))).toEqual([{ staff_id: id }]);
    expect(await sessionsWith(hash("sha256", secret, "base64url"))).toEqual([]);
    const opened = { id: "opened", hash: "x".repeat(43), staff_id: id, browser: null };
    const opening = db
      .insertInto("staff_sessions")
      .values({ ...opened, created_at: 1, used_at: 1 })
      .execute();
    await expect(opening).rejects.toThrow(/needs a restricted hash/);
  });
});
