import { randomUUID } from "node:crypto";
import { describe, expect, test } from "vitest";
import { listIssues, recordIssue } from "../../apps/server/src/payments/issue-repository.ts";
import type { Loan } from "../../apps/server/src/payments/loan.ts";
import {
  type BoundLoan,
  findLoan,
  findLoanAndOthers,
  loansOf,
  saveLoan,
} from "../../apps/server/src/payments/loan-repository.ts";
import { rememberSettled, withoutSettled } from "../../apps/server/src/payments/settled-loans.ts";
import { aLoan } from "../harness/builders.ts";
import { databaseKinds, useDatabase } from "../harness/databases.ts";

describe.each(databaseKinds)("loans on $name", (kind) => {
  const shop = useDatabase(kind);
  const { within, stored } = shop;

  const aBoundLoan = (orderId: string, changes: Partial<BoundLoan> = {}): BoundLoan => ({
    id: randomUUID(),
    orderId,
    providerStatus: "asked for",
    state: "active",
    wasExtended: false,
    cents: 4_500,
    extends: undefined,
    boundAt: 7,
    updatedAt: 1_790_000_000_000,
    ...changes,
  });

  test("are bound once, and only their state changes", async () => {
    const [order, another] = [await stored(), await stored()];
    const loan = aBoundLoan(order.id);
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
    expect(await loansOf(shop.database.db, order.id)).toEqual([paid]);
    expect(await loansOf(shop.database.db, another.id)).toEqual([]);
    expect(await findLoan(shop.database.db, "none")).toBeUndefined();
  });

  test("are found together with all others of an order", async () => {
    const order = await stored();
    const one = aBoundLoan(order.id, { boundAt: 1 });
    const two = aBoundLoan(order.id, { boundAt: 2, cents: undefined, extends: one.id });
    const elsewhere = aBoundLoan((await stored()).id);
    for (const loan of [one, two, elsewhere]) await within((unit) => saveLoan(unit, loan));
    const find = (id: string, of: string | undefined) =>
      findLoanAndOthers(shop.database.db, id, of);
    expect(await find(one.id, order.id)).toEqual({ bound: one, others: [two] });
    expect(await find(elsewhere.id, order.id)).toEqual({ bound: elsewhere, others: [one, two] });
    expect(await find("none", order.id)).toEqual({ bound: undefined, others: [one, two] });
    expect(await find(one.id, undefined)).toEqual({ bound: one, others: [] });
  });

  test("that were settled are not settled again until they change", async () => {
    const id = randomUUID();
    const told = (changes: Partial<Loan> = {}) =>
      aLoan({ id, orderId: id, state: "paid-out", ...changes });
    const left = async (changes: Partial<Loan>) =>
      (await withoutSettled(shop.database.db, [told(changes)])).length;
    expect(await left({})).toBe(1);
    await within((unit) => rememberSettled(unit, [told({ state: "active" }), told()]));
    expect(await left({})).toBe(0);
    expect(await left({ updatedAt: 1 })).toBe(0);
    for (const changes of [
      { providerStatus: "repaid" },
      { state: "ended", providerStatus: told().providerStatus },
      { cents: 4_501 },
      { unfit: { kind: "other-asset", asset: "euros" } },
      { orderId: undefined },
      { isMisnamed: true },
      { isDisputed: true },
      { wasExtended: true },
    ] satisfies Partial<Loan>[]) {
      expect(await left(changes), JSON.stringify(changes)).toBe(1);
    }
    await within((unit) => rememberSettled(unit, [told({ providerStatus: "repaid" })]));
    expect(await left({})).toBe(1);
    expect(await left({ providerStatus: "repaid" })).toBe(0);
  });

  test("that do not pay are recorded once, and again if the detail changes", async () => {
    const where = { loanId: randomUUID(), orderId: randomUUID(), seenAt: 8_000_000 };
    const record = (detail: string, seenAt: number) =>
      within((unit) => recordIssue(unit, { ...where, seenAt }, { kind: "underpaid", detail }));
    expect(await record("one", 8_000_000)).toEqual({ cents: null });
    expect(await record("one", 8_000_001)).toBeUndefined();
    expect(await record("two", 8_000_002)).toEqual({ cents: null });
    const [newest] = await listIssues(shop.database.db, { limit: 1 });
    expect(newest).toMatchObject({
      loan_id: where.loanId,
      order_id: where.orderId,
      kind: "underpaid",
      detail: "two",
      seen_at: 8_000_002,
    });
  });

  test("that do not pay are paged, and none is left out while others are added", async () => {
    const seenAt = 9_000_000;
    const kinds = ["duplicate", "underpaid", "unknown-order"] as const;
    const record = (loanId: string, kind: (typeof kinds)[number], later = 0) =>
      within((unit) =>
        recordIssue(unit, { loanId, orderId: "", seenAt: seenAt + later }, { kind, detail: "d" }),
      );
    for (const id of ["a", "b"]) for (const kind of kinds) await record(`page-${id}`, kind);
    const seen: string[] = [];
    let after: Parameters<typeof listIssues>[1]["after"];
    do {
      const page = await listIssues(shop.database.db, { after, limit: 2 });
      for (const { loan_id, order_id, kind, seen_at } of page) {
        if (loan_id.startsWith("page-")) seen.push(`${loan_id} ${kind}`);
        after = { seenAt: seen_at, loanId: loan_id, orderId: order_id, kind };
      }
      if (page.length < 2) after = undefined;
      await record(`newer-${seen.length}`, "unknown-order", 1);
    } while (after !== undefined);
    expect(seen).toEqual(["a", "b"].flatMap((id) => kinds.map((kind) => `page-${id} ${kind}`)));
  });
});
