import { randomUUID } from "node:crypto";
import type { IssueKind } from "@keepsats/protocol";
import { describe, expect, test } from "vitest";
import {
  findIssue,
  idOfIssue,
  listIssues,
  openIssues,
} from "../../apps/server/src/modules/payments/issues/issue-repository.ts";
import type { Loan } from "../../apps/server/src/modules/payments/loans/loan-provider-api.ts";
import {
  findLoan,
  findLoans,
  findLoansOfOrder,
  rememberSettled,
  saveLoan,
  withoutSettled,
} from "../../apps/server/src/modules/payments/loans/loan-repository.ts";
import type { StoredLoan } from "../../apps/server/src/modules/payments/rules.ts";
import { aLoan, aStoredLoan } from "../harness/builders.ts";
import { databaseKinds, useDatabase } from "../harness/databases.ts";

describe.each(databaseKinds)("loans on $name", (kind) => {
  const shop = useDatabase(kind);
  const { within, stored } = shop;

  const anActiveLoan = (orderId: string, changes: Partial<StoredLoan> = {}): StoredLoan =>
    aStoredLoan({
      orderId,
      providerStatus: "asked for",
      state: "active",
      wasActive: true,
      paidOutAt: undefined,
      boundAt: 7,
      updatedAt: 1_790_000_000_000,
      ...changes,
    });

  test("are bound once, and only their state changes", async () => {
    const [order, another] = [await stored(), await stored()];
    const loan = anActiveLoan(order.id);
    await within((unit) => saveLoan(unit, loan));
    expect(await findLoan(shop.database.db, loan.id)).toEqual(loan);
    const paid = {
      ...loan,
      providerStatus: "paid",
      state: "paid-out" as const,
      wasExtended: true,
      updatedAt: 9,
    };
    await within((unit) => saveLoan(unit, { ...paid, orderId: another.id, boundAt: 99 }));
    expect(await findLoan(shop.database.db, loan.id)).toEqual(paid);
    expect(await findLoansOfOrder(shop.database.db, order.id)).toEqual([paid]);
    expect(await findLoansOfOrder(shop.database.db, another.id)).toEqual([]);
    expect(await findLoan(shop.database.db, "none")).toBeUndefined();
  });

  test("are found together with all other loans of an order", async () => {
    const order = await stored();
    const one = anActiveLoan(order.id, { boundAt: 1 });
    const two = anActiveLoan(order.id, { boundAt: 2, cents: undefined, refusal: "underpaid" });
    const elsewhere = anActiveLoan((await stored()).id);
    for (const loan of [one, two, elsewhere]) await within((unit) => saveLoan(unit, loan));
    const find = (id: string, ...orderIds: string[]) =>
      findLoans(shop.database.db, { loanIds: [id], orderIds });
    expect(await find(one.id, order.id)).toEqual([one, two]);
    expect(await find(elsewhere.id, order.id)).toEqual([one, two, elsewhere]);
    expect(await find("none", order.id)).toEqual([one, two]);
    expect(await find(one.id)).toEqual([one]);
  });

  test("without an order are bound once they name one, and stay bound", async () => {
    const order = await stored();
    const stray = aStoredLoan({ orderId: undefined, namedOrderId: randomUUID() });
    const save = (orderId: string | undefined) =>
      within((unit) => saveLoan(unit, { ...stray, orderId }));
    await save(undefined);
    expect(await findLoan(shop.database.db, stray.id)).toEqual(stray);
    await save(order.id);
    await save(undefined);
    expect((await findLoan(shop.database.db, stray.id))?.orderId).toBe(order.id);
  });

  test("that were settled are not settled again until they change", async () => {
    const id = randomUUID();
    const reported = (changes: Partial<Loan> = {}) =>
      aLoan({ id, orderId: id, state: "paid-out", ...changes });
    const left = async (changes: Partial<Loan>) =>
      (await withoutSettled(shop.database.db, [reported(changes)])).length;
    expect(await left({})).toBe(1);
    await within((unit) => rememberSettled(unit, [reported({ state: "active" }), reported()]));
    expect(await left({})).toBe(0);
    expect(await left({ updatedAt: 1 })).toBe(0);
    for (const changes of [
      { providerStatus: "repaid" },
      { state: "ended", providerStatus: reported().providerStatus },
      { cents: 4_501 },
      { exactCents: 4_500.1 },
      { amountText: "45" },
      { unfit: { kind: "other-asset", asset: "euros" } },
      { orderId: undefined },
      { isMisnamed: true },
      { isDisputed: true },
      { wasExtended: true },
    ] satisfies Partial<Loan>[]) {
      expect(await left(changes), JSON.stringify(changes)).toBe(1);
    }
    await within((unit) => rememberSettled(unit, [reported({ providerStatus: "repaid" })]));
    expect(await left({})).toBe(1);
    expect(await left({ providerStatus: "repaid" })).toBe(0);
  });

  test("that do not pay are recorded once, and again if the detail changes", async () => {
    const { id: orderId } = await stored();
    const issue = { loanId: randomUUID(), orderId, kind: "underpaid" } as const;
    const id = idOfIssue(issue);
    const open = async (detail: string, at: number) =>
      (
        await within((unit) => openIssues(unit, [{ ...issue, detail, reopensResolved: true }], at))
      ).has(id);
    expect(await open("one", 8_000_000)).toBe(true);
    expect(await open("one", 8_000_001)).toBe(false);
    expect(await open("two", 8_000_002)).toBe(true);
    expect(await findIssue(shop.database.db, id)).toMatchObject({
      ...issue,
      detail: "two",
      openedAt: 8_000_002,
    });
  });

  test("that do not pay are paged, and none is skipped while others are added", async () => {
    const openedAt = 9_000_000;
    const kinds = ["unknown-order", "duplicate", "underpaid"] as const;
    const open = (loanId: string, kind: IssueKind, later = 0) =>
      within((unit) =>
        openIssues(
          unit,
          [{ loanId, orderId: undefined, kind, detail: "d", reopensResolved: false }],
          openedAt + later,
        ),
      );
    for (const id of ["a", "b"]) for (const kind of kinds) await open(`page-${id}`, kind);
    const seen: string[] = [];
    let after: Parameters<typeof listIssues>[1]["after"];
    do {
      const page = await listIssues(shop.database.db, { after, limit: 2 });
      for (const { loanId, kind } of page)
        if (loanId.startsWith("page-")) seen.push(`${loanId} ${kind}`);
      after = page.length < 2 ? undefined : page.at(-1);
      await open(`newer-${seen.length}`, "unknown-order", 1);
    } while (after !== undefined);
    const all = ["a", "b"].flatMap((id) => kinds.map((kind) => `page-${id} ${kind}`));
    expect(seen.toSorted()).toEqual(all.toSorted());
  });
});
