import { randomUUID } from "node:crypto";
import { paths, withId } from "@keepsats/protocol";
import { parse } from "csv-parse/sync";
import { describe, expect, test, vi } from "vitest";
import { insertOrders } from "../../apps/server/src/modules/orders/placing/place-order.ts";
import { anAddress, aStoredOrder } from "../harness/builders.ts";
import { placeOrder } from "../harness/customer.ts";
import { startShop } from "../harness/shop.ts";
import { callAdminApi } from "../harness/staff.ts";
import { useResource } from "../harness/use-resource.ts";

const shop = useResource(() => startShop());

const now = () => new Date().toISOString().slice(0, 10);

const list = async (query: Record<string, string>) =>
  callAdminApi(shop, "GET", `${paths.admin.orders}?${new URLSearchParams(query)}`);
interface Listed {
  readonly id: string;
  readonly updated_at?: number;
}
async function listed(query: Record<string, string>): Promise<Listed[]> {
  const { status, body } = await list(query);
  expect(status).toBe(200);
  return Reflect.get(Object(body), "orders");
}
const idsOf = async (query: Record<string, string>) => (await listed(query)).map(({ id }) => id);
const csv = (query: Record<string, string> = {}, signal: AbortSignal | null = null) =>
  fetch(`${shop.url}${paths.admin.ordersCsv}?${new URLSearchParams(query)}`, {
    headers: { authorization: `Bearer ${shop.token}` },
    signal,
  });

describe("the list of orders", () => {
  test("finds a new order by name, email address, item, number and prefix of its id", async () => {
    const { id, number } = await placeOrder(shop, {
      customer_name: "Wanda Müller-Kowalczyk",
      customer_email: "wanda.k@post.example",
    });
    await expect.poll(() => idsOf({ q: "kowal" })).toEqual([id]);
    const texts = [
      "WANDA",
      "muller kow",
      "wanda.k@post.example",
      "wanda moka",
      id.slice(0, 8),
      `#${id.slice(0, 8)}`,
      number,
      number.toLowerCase().replace("-", ""),
      number.replace("K-", ""),
    ];
    for (const q of texts) expect(await idsOf({ q })).toEqual([id]);
    expect(await idsOf({ q: number, status: "Shipped" })).toEqual([]);
    for (const q of ["anda", "wanda oak", `${number}0`]) expect(await idsOf({ q })).toEqual([]);
  });

  test("is filtered by status, day and total", async () => {
    const { id, total_price } = await placeOrder(shop, { customer_name: "Filtered Person" });
    await expect.poll(() => idsOf({ q: "filtered" })).toEqual([id]);
    const total = String(total_price);
    const matching = [
      { status: "Pending" },
      { from: now(), to: now() },
      { from: "2020-01-01T00:00:00Z", to: "9999999999" },
      { min_total: total, max_total: total },
    ];
    for (const filter of matching) expect(await idsOf({ q: "filtered", ...filter })).toEqual([id]);
    expect(await idsOf({ min_total: total, max_total: total })).toContain(id);
    const others = [
      { status: "Shipped" },
      { from: "2100-01-01" },
      { to: "2020-01-01" },
      { min_total: String(total_price + 0.01) },
      { max_total: String(total_price - 0.01) },
    ];
    for (const filter of others) expect(await idsOf({ q: "filtered", ...filter })).toEqual([]);
  });

  test("is filtered by several statuses, and by ids", async () => {
    const [one, two, three] = [
      await placeOrder(shop),
      await placeOrder(shop),
      await placeOrder(shop),
    ];
    const move = (id: string) =>
      callAdminApi(shop, "POST", withId(paths.admin.transitions, id), { to: "Cancelled" });
    await move(two.id);
    const all = await idsOf({ limit: "200" });
    const inTheList = (some: string[]) => all.filter((id) => some.includes(id));
    const ids = [one.id, two.id, three.id.toUpperCase(), randomUUID()].join();
    expect(await idsOf({ ids })).toEqual(inTheList([one.id, two.id, three.id]));
    expect(await idsOf({ ids, status: "Pending" })).toEqual(inTheList([one.id, three.id]));
    expect(await idsOf({ ids, status: "Shipped,Cancelled" })).toEqual([two.id]);
    const both = await idsOf({ status: "Cancelled,Pending", limit: "200" });
    expect(both).toEqual(inTheList(both));
    for (const { id } of [one, two, three]) expect(both).toContain(id);
  });

  test("is paged by cursors in every sort order", async () => {
    for (let n = 0; n < 5; n += 1) await placeOrder(shop, { customer_name: "Paged Person" });
    await expect.poll(() => idsOf({ q: "paged" })).toHaveLength(5);
    const ids = (await idsOf({ q: "paged" })).join();
    for (const query of [
      { status: "Pending" },
      { ids },
      { status: "Pending,Cancelled" },
      { q: "paged" },
      { q: "paged", updated_since: "0" },
    ]) {
      const ids: string[] = [];
      let cursor = "";
      do {
        const { body } = await list({ ...query, limit: "2", ...(cursor === "" ? {} : { cursor }) });
        const { orders, next_cursor }: { orders: Listed[]; next_cursor: string | null } =
          Object(body);
        ids.push(...orders.map(({ id }) => id));
        cursor = next_cursor ?? "";
      } while (cursor !== "");
      expect(ids).toEqual(await idsOf({ ...query, limit: "200" }));
      expect(new Set(ids).size).toBe(ids.length);
    }
  });

  test("shows the number of pieces and the pictures of the first three items", async () => {
    const items = [
      { item_id: "moka-pot", quantity: 2 },
      { item_id: "enamel-mug", quantity: 1 },
      { item_id: "oak-chair", quantity: 1 },
      { item_id: "desk-lamp", quantity: 3 },
    ];
    const { id } = await placeOrder(shop, { customer_name: "Pictured Person", items });
    await expect.poll(() => idsOf({ q: "pictured" })).toEqual([id]);
    const [order] = await listed({ q: "pictured" });
    expect(order).toMatchObject({ item_count: 7 });
    expect(Object(order).pictures).toHaveLength(3);
    expect(Object(order).pictures[0]).toMatch(/moka-pot/);
  });

  test("is sorted with the oldest first on request, but not a list of changes", async () => {
    const ids = await idsOf({ limit: "200" });
    expect(await idsOf({ limit: "200", sort: "oldest" })).toEqual(ids.toReversed());
    expect(await list({ sort: "oldest", updated_since: "0" })).toMatchObject({
      status: 422,
      body: { code: "invalid", errors: [{ path: "sort" }] },
    });
  });

  test("counts the orders of a search by status", async () => {
    const { id } = await placeOrder(shop, { customer_name: "Counted Person" });
    await placeOrder(shop, { customer_name: "Counted Person" });
    await callAdminApi(shop, "POST", withId(paths.admin.transitions, id), { to: "Cancelled" });
    const count = async (query: string) =>
      (await callAdminApi(shop, "GET", `${paths.admin.orderCounts}?${query}`)).body;
    await expect
      .poll(() => count("q=counted"))
      .toMatchObject({
        orders_by_status: expect.arrayContaining([
          { status: "Pending", orders: 1, more: false },
          { status: "Cancelled", orders: 1, more: false },
        ]),
      });
    expect(await count("status=Pending")).toMatchObject({ code: "invalid" });
  });

  test("returns every change to a client that polls with updated_since", async () => {
    const { id } = await placeOrder(shop, { customer_name: "Polled Person" });
    await expect.poll(() => idsOf({ q: "polled", updated_since: now() })).toEqual([id]);
    const [first] = await listed({ q: "polled", updated_since: "0" });
    expect(first?.updated_at).toBeGreaterThan(Date.now() / 1_000 - 60);
    const since = String(first?.updated_at);
    await callAdminApi(shop, "POST", withId(paths.admin.notes, id), { text: "called" });
    await callAdminApi(shop, "POST", withId(paths.admin.transitions, id), { to: "Cancelled" });
    await expect
      .poll(async () => (await listed({ updated_since: since })).at(-1))
      .toMatchObject({ id, status: "Cancelled" });
  });

  test.each(["%", "_", "'", '"', "\\", "--", "!?.,;", "\0", "😀", "' OR 1=1 --", "🎁 %_"])(
    "a search for %j finds nothing",
    async (q) => {
      await placeOrder(shop);
      const { status, body } = await list({ q });
      expect([status, body]).toEqual([200, { orders: [], next_cursor: null }]);
    },
  );

  test.each([
    ["q", "x".repeat(10 * 1_024)],
    ["q", ""],
    ["q", "   "],
    ["q", "\u200b"],
    ["status", "pending"],
    ["status", "Refunded"],
    ["status", ""],
    ["status", "Pending,"],
    ["status", "Pending, Shipped"],
    ["ids", ""],
    ["ids", "0e4b3a51"],
    ["ids", Array(101).fill(randomUUID()).join()],
    ["from", "yesterday"],
    ["from", "2026-02-30"],
    ["from", "2026-13-01"],
    ["to", "2026-11-01T25:00:00Z"],
    ["to", "-1"],
    ["sort", "upwards"],
    ["min_total", "-1"],
    ["min_total", "1.234"],
    ["max_total", "1e3"],
    ["max_total", "NaN"],
    ["updated_since", "never"],
    ["limit", "0"],
    ["limit", "201"],
    ["limit", "1e2"],
    ["limit", ""],
    ["cursor", "garbage"],
    ["cursor", "1_2"],
    ["cursor", "p1"],
    ["cursor", "c1_1"],
    ["cursor", `9${"9".repeat(30)}_0e4b3a51-0000-4000-8000-000000000001`],
    ["customer", "Ada"],
  ])("%s=%j is refused with its path", async (name, value) => {
    const { status, body } = await list({ [name]: value });
    expect(status).toBe(422);
    expect(body).toMatchObject({ code: "invalid", errors: [{ path: name }] });
  });

  test("a repeated parameter is refused", async () => {
    const { status } = await callAdminApi(shop, "GET", `${paths.admin.orders}?q=ada&q=grace`);
    expect(status).toBe(422);
  });
});

describe("days of a filter", () => {
  test.each([
    ["UTC", "2021-11-07T00:00:00Z", "2021-11-07T23:59:59Z"],
    // Clocks were set back: the day has 25 hours.
    ["America/New_York", "2021-11-07T04:00:00Z", "2021-11-08T04:59:59Z"],
    ["Asia/Kathmandu", "2021-11-06T18:15:00Z", "2021-11-07T18:14:59Z"],
  ])("are those of the shop's time zone: %s", async (time_zone, first, last) => {
    const change = { time_zone };
    expect((await callAdminApi(shop, "PUT", paths.admin.settings, change)).status).toBe(200);
    const name = `Person in ${time_zone}`;
    const store = async (at: number) => {
      const order = aStoredOrder({ customer_name: name, created_at: at });
      await shop.database.inTransaction((unit) =>
        insertOrders(unit, [{ order, idempotency: undefined }]),
      );
      return order.id;
    };
    const [start, end] = [Date.parse(first), Date.parse(last)];
    await store(start - 1_000);
    const inside = [await store(end), await store(start)];
    await store(end + 1_000);
    const day = { from: "2021-11-07", to: "2021-11-07" };
    const search = { ...day, q: name };
    await expect.poll(() => idsOf({ q: name })).toHaveLength(4);
    expect(await idsOf(search)).toEqual(inside);
    const rows: Record<string, string>[] = parse(await (await csv(search)).text(), {
      bom: true,
      columns: true,
    });
    expect(rows.map(({ id }) => id)).toEqual(inside);
    expect(rows[0]?.placed_at).toBe(new Date(end).toISOString());
    const counts = `${paths.admin.orderCounts}?${new URLSearchParams(search)}`;
    const { body } = await callAdminApi(shop, "GET", counts);
    expect(Reflect.get(Object(body), "orders_by_status")).toContainEqual({
      status: "Pending",
      orders: 2,
      more: false,
    });
    await callAdminApi(shop, "PUT", paths.admin.settings, { time_zone: "UTC" });
  });
});

describe("the export", () => {
  const store = (...orders: Parameters<typeof aStoredOrder>[0][]) =>
    shop.database.inTransaction((unit) =>
      insertOrders(
        unit,
        orders.map((order) => ({ order: aStoredOrder(order), idempotency: undefined })),
      ),
    );

  test("has a byte order mark, names of columns, CRLF, plain amounts and ISO times", async () => {
    const id = "5e4b3a51-0000-4000-8000-000000000001";
    await store({
      id,
      customer_name: "Exported Person",
      created_at: Date.UTC(2019, 4, 6, 7, 8, 9),
    });
    const response = await csv({ to: "2019-12-31" });
    expect(response.headers.get("content-type")).toBe("text/csv; charset=utf-8");
    expect(response.headers.get("content-disposition")).toBe('attachment; filename="orders.csv"');
    const bytes = Buffer.from(await response.arrayBuffer());
    expect([...bytes.subarray(0, 3)]).toEqual([0xef, 0xbb, 0xbf]);
    const [head, row, end] = bytes.toString().slice(1).split("\r\n");
    expect(head).toBe(
      "id,status,placed_at,customer_name,customer_email,items,total,shipping_street,shipping_city,shipping_state,shipping_postal_code,shipping_country,billing_street,billing_city,billing_state,billing_postal_code,billing_country,carrier,tracking_number,tracking_url,number",
    );
    expect(row).toMatch(
      new RegExp(
        `^${id},Pending,2019-05-06T07:08:09.000Z,Exported Person,ada@example.org,1 × Moka Pot \\(moka-pot\\),45.00,`,
      ),
    );
    expect(end).toBe("");
  });

  test("contains no formulas, and keeps quotes, commas and line breaks", async () => {
    const written = {
      "=cmd|' /C calc'!A0": "'=cmd|' /C calc'!A0",
      "x;=cmd|' /C calc'!A0;": "x;'=cmd|' /C calc'!A0;",
      "+1+1": "'+1+1",
      "-2+3": "'-2+3",
      "@SUM(1)": "'@SUM(1)",
      "\t=1": "'\t'=1",
      "\r=1": "'\r'=1",
      'Ann "the, quote"': 'Ann "the, quote"',
      "Two\r\nlines": "Two\r\nlines",
      "Ünï 😀": "Ünï 😀",
      plain: "plain",
    };
    const names = Object.keys(written);
    const at = Date.UTC(2018, 0, 1);
    await store(...names.map((customer_name, n) => ({ customer_name, created_at: at - n })));
    const text = await (await csv({ to: "2018-12-31" })).text();
    const rows: Record<string, string>[] = parse(text, { bom: true, columns: true });
    expect(rows.map(({ customer_name }) => customer_name)).toEqual(Object.values(written));
  });

  test("keeps the digits of postal codes and tracking numbers in a spreadsheet", async () => {
    const id = "5e4b3a51-0000-4000-8000-000000000002";
    const address = { ...anAddress(), postal_code: "01234" };
    await store({ id, created_at: Date.UTC(2015, 0, 1), shipping_address: address });
    const tracking_number = "00340434161094042557";
    await shop.database.db
      .updateTable("orders")
      .set({ tracking_number })
      .where("id", "=", id)
      .execute();
    const [row]: Record<string, string>[] = parse(await (await csv({ to: "2015-12-31" })).text(), {
      bom: true,
      columns: true,
    });
    expect(row).toMatchObject({
      placed_at: "2015-01-01T00:00:00.000Z",
      total: "45.00",
      shipping_postal_code: "'01234",
      tracking_number: "'00340434161094042557",
    });
  });

  test("applies its filters", async () => {
    const { id } = await placeOrder(shop, { customer_name: "Sought Customer" });
    await expect.poll(() => idsOf({ q: "sought" })).toEqual([id]);
    const rows: { id: string }[] = parse(await (await csv({ q: "sought" })).text(), {
      bom: true,
      columns: true,
    });
    expect(rows.map((row) => row.id)).toEqual([id]);
  });

  test("refuses unknown filters", async () => {
    expect((await csv({ limit: "1" })).status).toBe(422);
    expect((await csv({ from: "x" })).status).toBe(422);
  });

  test("needs a token", async () => {
    expect((await fetch(`${shop.url}${paths.admin.ordersCsv}`)).status).toBe(401);
  });
});

test("20,000 orders are streamed, and reading stops when the client disconnects", async () => {
  await using many = await startShop();
  const MANY = 20_000;
  await many.database.db.executeQuery({
    ...many.database.db.selectFrom("orders").selectAll().compile(),
    sql: `WITH RECURSIVE n(n) AS (SELECT 1 UNION ALL SELECT n + 1 FROM n WHERE n < ${MANY})
      INSERT INTO orders (id, status, version, attempt_failed, customer_name, customer_email, shipping_address, billing_address, total, created_at)
      SELECT printf('%08x-0000-4000-8000-%012x', n, n), 'Pending', 1, 0, 'Customer ' || n, 'a@b.example', a, a, 4500, n
      FROM n, (SELECT '{"street":"1 Road","city":"London","state":"","postal_code":"1","country":"UK"}' AS a)`,
    parameters: [],
  });
  const get = (signal: AbortSignal | null) =>
    fetch(`${many.url}${paths.admin.ordersCsv}`, {
      headers: { authorization: `Bearer ${many.token}` },
      signal,
    });

  const reads = vi.spyOn(many.database.db, "selectFrom");
  let rows = 0;
  let readsAtFirst = 0;
  for await (const part of (await get(null)).body ?? []) {
    if (readsAtFirst === 0) readsAtFirst = reads.mock.calls.length;
    rows += Buffer.from(part).filter((byte) => byte === 10).length;
  }
  expect(rows).toBe(MANY + 1);
  expect(readsAtFirst).toBeLessThan(100);

  reads.mockClear();
  const gone = new AbortController();
  const response = await get(gone.signal);
  await response.body?.getReader().read();
  gone.abort();
  expect((await callAdminApi(many, "GET", `${paths.admin.orders}?limit=1`)).status).toBe(200);
  expect(reads.mock.calls.length).toBeLessThan(MANY / 40);
  expect(many.logs.filter((line) => /"level":(?:50|60)/.test(line))).toEqual([]);
});
