import { beforeEach, describe, expect, test } from "vitest";
import { createSharedCallBudget } from "../../apps/server/src/payments/call-budget.ts";
import { databaseKinds } from "../harness/databases.ts";
import { useDatabase } from "../harness/use-database.ts";

describe.each(databaseKinds)("the calls to the provider on $name", (kind) => {
  const shop = useDatabase(kind);

  const CALLS = 5;
  const TIME = 1_000_000;
  const budgets = (clock: () => number) =>
    [shop.database, shop.other].map((on) => createSharedCallBudget(on, CALLS, clock));
  const taken = async (asked: Promise<boolean>[]) => (await Promise.all(asked)).filter(Boolean).length;
  beforeEach(() => shop.database.db.deleteFrom("call_budget").execute());

  test("are so many a second for all processes together", async () => {
    const all = budgets(() => TIME);
    const asked = Array.from({ length: 20 }, () => all.map((budget) => budget.take("urgent"))).flat();
    expect(await taken(asked)).toBe(CALLS);
    const later = budgets(() => TIME + 400);
    expect(await taken(later.flatMap((one) => [one.take("urgent"), one.take("urgent")]))).toBe(2);
  });

  test("wait for all of them when one was asked to pause, but not for a pause of another clock", async () => {
    const [one, another] = budgets(() => TIME);
    await one?.pause(60_000);
    expect(await another?.take("urgent")).toBe(false);
    const [, earlier] = budgets(() => TIME + 59_999);
    expect(await earlier?.take("urgent")).toBe(false);
    const [, later] = budgets(() => TIME + 60_000);
    expect(await later?.take("urgent")).toBe(true);
    await one?.pause(60_000);
    const [, backInTime] = budgets(() => TIME - 600_000);
    expect(await backInTime?.take("urgent")).toBe(true);
  });

  test("leave the last ones for what matters most, and are not asked for where there are none", async () => {
    const [one] = budgets(() => TIME);
    const importances = [
      "unbound",
      "unbound",
      "unbound",
      "unbound",
      "bound",
      "bound",
      "urgent",
      "urgent",
    ] as const;
    const granted: boolean[] = [];
    for (const importance of importances) granted.push((await one?.take(importance)) ?? false);
    expect(granted).toEqual([true, true, true, false, true, false, true, false]);
    await shop.database.db.deleteFrom("call_budget").execute();
    expect(await one?.take("urgent")).toBe(false);
  });
});
