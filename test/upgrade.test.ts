import { afterAll, beforeAll, describe, expect, test } from "vitest";
import type { Config } from "../apps/server/src/config.ts";
import type { Announcement } from "../apps/server/src/outbox/outbox.ts";
import { readLastExpiry } from "../apps/server/src/payments/expiry-state.ts";
import { connectContractsApi } from "../apps/server/src/payments/provider/contracts-api/contracts-api.ts";
import { follow, isStatus, merchant, postOrder } from "./harness/client.ts";
import { type DatabaseKind, type DatabasePlace, databaseKinds } from "./harness/databases.ts";
import { type ScriptedLender, startScriptedLender } from "./harness/scripted-lender.ts";
import { settlementOn } from "./harness/settlement.ts";
import { type Shop, startShop } from "./harness/shop.ts";
import { fillShopOfVersion5, readShopOfVersion5 } from "./harness/shop-of-version-5.ts";
import { waitFor } from "./harness/wait-for.ts";

/** In seconds. */
const MONTH = 30 * 24 * 60 * 60;
const fixture = readShopOfVersion5();
const names = Object.keys(fixture.orders);

/** The ledger of each order of the fixture, in dollars; what is not named is 0. */
const ledgers: Readonly<Record<string, Readonly<Record<string, number>>>> = {
  waiting: {},
  "attempt-over": {},
  "under-way": {},
  paid: { received: 45, kept: 45 },
  shipped: { received: 45, kept: 45 },
  delivered: { received: 45, kept: 45 },
  cancelled: {},
  "cancelled-after-payment": { received: 45, owed: 45, refundable: 45 },
  underpaid: { received: 40, refundable: 40 },
  "paid-twice": { received: 90, kept: 45, owed: 45, refundable: 45 },
  "paid-late": { received: 45, owed: 45, refundable: 45 },
  overpaid: { received: 50, kept: 45, owed: 5, refundable: 5 },
  extended: { received: 45, kept: 45 },
  disputed: {},
};
const nothing = {
  received: 0,
  kept: 0,
  explained: 0,
  owed: 0,
  refundable: 0,
  given_back: 0,
  missing: 0,
};

const latest = (kind: DatabaseKind) => kind.migrations.length;
const shops = databaseKinds.flatMap((kind) => [
  { kind, what: `a shop of version 5 on ${kind.name}, upgraded`, version: 5 },
  // What servers of version 5 write while they run beside new ones: the same statements, on the new
  // tables.
  {
    kind,
    what: `a shop that old servers have sold in after the upgrade on ${kind.name}`,
    version: latest(kind),
  },
]);

describe.each(shops)("$what", ({ kind, version }) => {
  let place: DatabasePlace;
  let lender: ScriptedLender;
  let shop: Shop;
  beforeAll(async () => {
    place = await kind.newPlace();
    await fillShopOfVersion5(kind, place, version);
    // Older than any order may wait for its payment.
    await place.run(`UPDATE orders SET created_at = created_at - ${MONTH * 1_000}`);
    lender = await startScriptedLender();
    for (const loan of fixture.loans) lender.setContract(loan);
    const database: Config["database"] =
      kind.name === "SQLite"
        ? { kind: "sqlite", file: place.url.slice("file:".length) }
        : { kind: "postgres", url: place.url };
    shop = await startShop({ config: { database }, between: async () => lender.url });
  });
  afterAll(async () => {
    await shop.close();
    await lender.close();
    await place.remove();
  });

  function orderOf(name: string) {
    const order = fixture.orders[name];
    if (order === undefined) throw new Error(`the fixture has no order ${name}`);
    return order;
  }
  async function shown(name: string): Promise<Record<string, unknown>> {
    const { status, body } = await merchant(
      shop,
      "GET",
      `/api/merchant/orders/${orderOf(name).answer.id}`,
    );
    expect(status).toBe(200);
    return Object(body);
  }

  test("shows every order as it was, and who made each change", async () => {
    for (const name of names) {
      const { mismatches, created_at, ...before } = fixture.shown[name] ?? {};
      const { mismatches: now, ...order } = await shown(name);
      expect(order, name).toMatchObject({ ...before, created_at: Number(created_at) - MONTH });
      expect(now, name).toEqual(
        expect.arrayContaining(
          Object.values(Object(mismatches)).map((one) => expect.objectContaining(one)),
        ),
      );
      const [first, ...later] = Object.values(Object(order.events));
      expect(first, name).toMatchObject({ kind: "placed", by: "shopper", by_name: null });
      for (const event of later)
        expect(event, name).toMatchObject({ kind: "moved", by_name: null });
      expect(order, name).toMatchObject({
        carrier: null,
        merchant_message: null,
        erased_at: null,
        notes: [],
      });
    }
  });

  test("has the money of every order in its ledger once, also after another start", async () => {
    expect(Object.keys(ledgers).sort()).toEqual([...names].sort());
    const read = async () =>
      Object.fromEntries(
        await Promise.all(
          names.map(async (name) => {
            const { entries: _, ...sums } = Object((await shown(name)).ledger);
            return [name, sums];
          }),
        ),
      );
    const expected = Object.fromEntries(
      Object.entries(ledgers).map(([name, sums]) => [name, { ...nothing, ...sums }]),
    );
    const sweptTwice = async () => {
      const lists = lender.asked.list;
      await waitFor("two more sweeps", () => lender.asked.list >= lists + 2);
    };
    await expect.poll(read, { timeout: 30_000 }).toEqual(expected);
    // The first of two sweeps may have begun before, and the second begins after the first has
    // recorded everything.
    await sweptTwice();
    const listed = async () => (await merchant(shop, "GET", "/api/merchant/mismatches")).body;
    const mismatches = await listed();
    await shop.restart();
    await sweptTwice();
    expect(await read()).toEqual(expected);
    expect(await listed()).toEqual(mismatches);
  });

  test("gives its unpaid orders a full new term", async () => {
    const looks = async () => readLastExpiry(shop.database.db);
    for (let passes = 0; passes < 2; passes += 1) {
      const last = (await looks()) ?? 0;
      await waitFor(
        "a look at all orders that may expire",
        async () => ((await looks()) ?? 0) > last,
      );
    }
    for (const name of ["waiting", "attempt-over", "disputed"])
      expect(await shown(name), name).toMatchObject({ status: "Pending" });
  });

  test("opens the links that it has given out, by request and by stream", async () => {
    for (const name of names) {
      const { id, key } = orderOf(name).answer;
      const { status } = await shown(name);
      const own = await fetch(`${shop.url}/api/orders/${id}`, { headers: { "order-key": key } });
      expect([own.status, await own.json()], name).toEqual([
        200,
        expect.objectContaining({ id, status }),
      ]);
      const follower = await follow(shop, id, undefined, shop.url, key);
      await follower.until("the order", isStatus(String(status)));
      await follower.close();
    }
  });

  test("answers a repeated request as it has answered it before", async () => {
    for (const name of names) {
      const { request, idempotency_key, answer } = orderOf(name);
      const again = await postOrder(shop, request, { "idempotency-key": idempotency_key });
      expect(again.headers.get("idempotent-replayed"), name).toBe("true");
      expect(await again.json(), name).toMatchObject({ id: answer.id, key: answer.key });
    }
    expect(await place.run("SELECT id FROM orders")).toHaveLength(names.length);
  });

  test("goes on with its orders: an underpaid one is accepted, an owed refund recorded, a shipped one delivered", async () => {
    const { mismatches } = await shown("underpaid");
    const [mismatch] = Object.values(Object(mismatches));
    const path = `/api/merchant/mismatches/${encodeURIComponent(String(Reflect.get(Object(mismatch), "id")))}/resolution`;
    expect(
      await merchant(shop, "POST", path, { kind: "accepted", note: "close enough" }),
    ).toMatchObject({
      status: 200,
    });
    expect(await shown("underpaid")).toMatchObject({
      status: "PaymentProcessed",
      ledger: { missing: 5 },
    });
    const post = (name: string, action: string, body: unknown) =>
      merchant(shop, "POST", `/api/merchant/orders/${orderOf(name).answer.id}/${action}`, body);
    expect(
      await post("cancelled-after-payment", "refunds", { amount: 45, method: "bank transfer" }),
    ).toMatchObject({ status: 201, body: { ledger: { owed: 0, given_back: 45 } } });
    expect((await post("shipped", "transitions", { to: "Delivered" })).status).toBe(200);
    expect((await post("paid", "transitions", { to: "Shipped", carrier: "DHL" })).status).toBe(200);
    expect((await post("delivered", "erasure", undefined)).status).toBe(200);
  });
});

describe.each(databaseKinds)("the upgrade of a shop of version 5 on $name", (kind) => {
  test("announces nothing about old orders but money that the old version has not seen", async () => {
    const place = await kind.newPlace();
    await fillShopOfVersion5(kind, place);
    const lender = await startScriptedLender();
    for (const loan of fixture.loans) lender.setContract(loan);
    const api = connectContractsApi({
      apiUrl: lender.url,
      apiKey: "key",
      timeouts: { answer: 10_000, stalled: 10_000, list: 10_000 },
      onTime: () => {},
    });
    const database = await place.open();
    const told: Announcement[] = [];
    const { settle } = settlementOn(database, {
      announce: async (_, announcements) => void told.push(...announcements),
    });
    for (const { id } of fixture.loans) {
      const answer = await api.loan(id, new AbortController().signal);
      if (answer.kind === "found") await settle(answer.value);
    }
    expect(told.map(({ type, subject, data }) => [type, subject, data?.kind])).toEqual([
      ["mismatch.opened", fixture.orders.overpaid?.answer.id, "overpaid"],
    ]);
    await database.close();
    await lender.close();
    await place.remove();
  });
});
