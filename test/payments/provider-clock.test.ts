import { describe, expect, test } from "vitest";
import { HOUR } from "../../apps/server/src/platform/scheduling/clock.ts";
import { databaseKinds } from "../harness/databases.ts";
import { aPayout, changed } from "../harness/loans.ts";
import { useMoneyShop } from "../harness/money-shop.ts";

const FUTURE = "2099-01-01T00:00:00Z";
const ago = (milliseconds: number) => new Date(Date.now() - milliseconds).toISOString();
const seconds = (iso: string) => Math.floor(Date.parse(iso) / 1_000);

describe.concurrent.each(databaseKinds)("on $name", (kind) => {
  const shop = useMoneyShop(kind);

  describe("a loan with a time in the future", () => {
    test("is reversed and disputed later like any other", async () => {
      const order = await shop.order();
      const loan = aPayout(order, { updated_at: FUTURE });
      await shop.report(loan);
      await shop.report(changed(loan, { status: "DisputeLenderStarted", updated_at: ago(0) }));
      expect(await shop.openKinds(order)).toEqual(["disputed"]);
      await shop.report(changed(loan, { status: "Cancelled", updated_at: ago(0) }));
      expect(await shop.ledgerOf(order)).toMatchObject({ received: 0, missing: 12 });
    });

    test("is received at the time of its report", async () => {
      const order = await shop.order();
      const before = seconds(ago(0));
      await shop.report(aPayout(order, { updated_at: FUTURE }));
      const [entry] = (await shop.ledgerOf(order)).entries;
      expect(entry?.at).toBeGreaterThanOrEqual(before);
      expect(entry?.at).toBeLessThanOrEqual(seconds(ago(0)));
    });
  });

  describe("an older report of a loan", () => {
    test("reverses no payout", async () => {
      const order = await shop.order();
      const loan = aPayout(order, { updated_at: ago(0) });
      await shop.report(loan);
      await shop.report(changed(loan, { status: "CollateralConfirmed", updated_at: ago(HOUR) }));
      await shop.report(changed(loan, { status: "Cancelled", updated_at: ago(HOUR) }));
      expect(await shop.journalOf(order)).toEqual(["received 12"]);
      expect(await shop.issuesOf(order)).toEqual([]);
    });
  });
});
