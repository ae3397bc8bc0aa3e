import { beforeEach, describe, expect, test } from "vitest";
import { createSharedCallBudget } from "../../apps/server/src/modules/payments/loans/call-budget.ts";
import { databaseKinds, useDatabase } from "../harness/databases.ts";

describe.each(databaseKinds)("the shared call budget on $name", (kind) => {
  const shop = useDatabase(kind);

  const CALLS = 5;
  const TIME = 1_000_000;
  const budgets = (clock: () => number) =>
    [shop.database, shop.secondConnection].map((on) => createSharedCallBudget(on, clock));
  const taken = async (asked: Promise<boolean>[]) =>
    (await Promise.all(asked)).filter(Boolean).length;
  beforeEach(() => shop.database.db.deleteFrom("call_budget").execute());

  test("limits the calls a second of all processes together", async () => {
    const all = budgets(() => TIME);
    const asked = Array.from({ length: 20 }, () =>
      all.map((budget) => budget.take("urgent")),
    ).flat();
    expect(await taken(asked)).toBe(CALLS);
    const later = budgets(() => TIME + 400);
    expect(await taken(later.flatMap((one) => [one.take("urgent"), one.take("urgent")]))).toBe(2);
  });

  test("pauses all processes, but ignores a pause too far in the future", async () => {
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

  test("reserves the last calls for higher priorities, and does not query the database while none are left", async () => {
    const [one] = budgets(() => TIME);
    const priorities = [
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
    for (const priority of priorities) granted.push((await one?.take(priority)) ?? false);
    expect(granted).toEqual([true, true, true, false, true, false, true, false]);
    await shop.database.db.deleteFrom("call_budget").execute();
    expect(await one?.take("urgent")).toBe(false);
  });
});
