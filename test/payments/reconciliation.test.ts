import { paths, reconciliationSchema } from "@keepsats/protocol";
import { parse } from "csv-parse/sync";
import { sql } from "kysely";
import { describe, expect, test } from "vitest";
import { databaseKinds, sqlite } from "../harness/databases.ts";
import { aPayout, changed } from "../harness/loans.ts";
import { type MoneyShop, useMoneyShop } from "../harness/money-shop.ts";
import { okay } from "../harness/money-staff.ts";

const day = (at: number) => new Date(at).toISOString().slice(0, 10);
const today = () => `from=${day(Date.now() - 60_000)}&to=${day(Date.now())}`;

const reconcile = (shop: MoneyShop, period = today()) =>
  shop.call("GET", `${paths.admin.reconciliation}?${period}`);

describe.each(databaseKinds)("the reconciliation on $name", (kind) => {
  const shop = useMoneyShop(kind, { times: { keepReconciliation: 0 } });

  test("has each loan that the provider and the journal do not both have with one amount", async () => {
    const [same, unlisted, disputed] = [
      await shop.paidOrder(),
      await shop.paidOrder(),
      await shop.paidOrder(),
    ];
    shop.hide(unlisted.loan);
    await shop.report(changed(disputed.loan, { status: "DisputeStarted" }));
    // A payout for an order with a status of a newer version is not settled.
    const ofNewerVersion = await shop.order();
    const { db } = shop.shop.database;
    await sql`UPDATE orders SET status = 'Lost' WHERE id = ${ofNewerVersion.id}`.execute(db);
    const unsettled = aPayout(ofNewerVersion);
    await shop.report(unsettled);

    const { counts, differences } = reconciliationSchema.parse(okay(await reconcile(shop)));
    expect(counts).toEqual({ same: 1, different: 1, only_shop: 1, only_provider: 1 });
    const money = { amount: 1_200, currency: "USD" };
    expect(new Map(differences.map((loan) => [loan.loan_id, loan]))).toEqual(
      new Map([
        [
          unlisted.loan.id,
          expect.objectContaining({ match: "only-shop", shop: money, provider: null }),
        ],
        [
          disputed.loan.id,
          expect.objectContaining({
            match: "different",
            order_id: disputed.id,
            shop: money,
            provider: { amount: null, currency: "USD" },
            provider_status: "DisputeStarted",
          }),
        ],
        [
          unsettled.id,
          expect.objectContaining({ match: "only-provider", shop: null, provider: money }),
        ],
      ]),
    );

    const response = await fetch(`${shop.shop.url}${paths.admin.reconciliationCsv}?${today()}`, {
      headers: { authorization: `Bearer ${shop.shop.token}` },
    });
    const rows: Record<string, string>[] = parse(await response.text(), {
      columns: true,
      bom: true,
    });
    expect(rows).toHaveLength(4);
    expect(rows.find(({ loan_id }) => loan_id === same.loan.id)).toMatchObject({
      match: "same",
      order_id: same.id,
      order_number: same.number,
      shop_amount: "12.00",
      provider_amount: "12.00",
      provider_status: "PrincipalGiven",
    });
  });

  test("of another period has none of these loans", async () => {
    const { counts } = reconciliationSchema.parse(
      okay(await reconcile(shop, "from=2020-01-01&to=2020-12-31")),
    );
    expect(counts).toMatchObject({ same: 0, only_shop: 0 });
  });

  test.each([
    ["from=2026-11-02&to=2026-11-01", "to"],
    ["from=2024-01-01&to=2026-01-01", "to"],
    ["to=2026-01-01", "from"],
  ])("of %s is refused", async (period, field) => {
    expect(await reconcile(shop, period)).toMatchObject({
      status: 422,
      body: { errors: [{ path: field }] },
    });
  });
});

describe("the provider's list", () => {
  const shop = useMoneyShop(sqlite);

  test("that cannot be read is a problem, and is not read again for another period within a minute", async () => {
    shop.provider.listBy((response) => {
      response.writeHead(500).end();
    });
    expect(await reconcile(shop)).toMatchObject({
      status: 503,
      body: { code: "unavailable", detail: expect.stringContaining("could not be read") },
    });
    expect(await reconcile(shop, "from=2020-01-01&to=2020-12-31")).toMatchObject({
      status: 429,
      body: { code: "too_many", detail: expect.stringContaining("Try again in") },
    });
  });
});
