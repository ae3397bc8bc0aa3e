import { randomUUID } from "node:crypto";
import { describe, expect, test } from "vitest";
import type { Loan } from "../../apps/server/src/payments/loan.ts";
import {
  type BoundLoan,
  findLoan,
  findLoanAndOthers,
  loansOf,
  saveLoan,
} from "../../apps/server/src/payments/loan-repository.ts";
import {
  listMismatches,
  recordMismatch,
} from "../../apps/server/src/payments/mismatch-repository.ts";
import { rememberSettled, withoutSettled } from "../../apps/server/src/payments/settled-loans.ts";
import { aLoan } from "../harness/builders.ts";
import { databaseKinds } from "../harness/databases.ts";
import { useDatabase } from "../harness/use-database.ts";

describe.each(databaseKinds)("loans on $name", (kind) => {
  const shop = useDatabase(kind);
  const { within, stored } = shop;

  const aBoundLoan = (orderId: string, changes: Partial<BoundLoan> = {}): BoundLoan => ({
    id: randomUUID(),
    orderId,
    word: "asked for",
    standing: "under-way",
    wasExtended: false,
    cents: 4_500,
    extends: undefined,
    boundAt: 7,
    updatedAt: 1_790_000_000_000,
    ...changes,
  });

  test("are bound once, and only their state changes", async () => {
    const [order, another] = [await stored(), await stored()];
    const contract = aBoundLoan(order.id);
    await within((unit) => saveLoan(unit, contract));
    expect(await findLoan(shop.database.db, contract.id)).toEqual(contract);
    const paid = {
      ...contract,
      word: "paid",
      standing: "paid" as const,
      wasExtended: true,
      updatedAt: 9,
    };
    await within((unit) => saveLoan(unit, { ...paid, orderId: another.id, boundAt: 99 }));
    expect(await findLoan(shop.database.db, contract.id)).toEqual(paid);
    expect(await loansOf(shop.database.db, order.id)).toEqual([paid]);
    expect(await loansOf(shop.database.db, another.id)).toEqual([]);
    expect(await findLoan(shop.database.db, "none")).toBeUndefined();
  });

  test("are found together with all others of an order", async () => {
    const order = await stored();
    const one = aBoundLoan(order.id, { boundAt: 1 });
    const two = aBoundLoan(order.id, { boundAt: 2, cents: undefined, extends: one.id });
    const elsewhere = aBoundLoan((await stored()).id);
    for (const contract of [one, two, elsewhere]) await within((unit) => saveLoan(unit, contract));
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
      aLoan({ id, orderId: id, standing: "paid", ...changes });
    const left = async (changes: Partial<Loan>) =>
      (await withoutSettled(shop.database.db, [told(changes)])).length;
    expect(await left({})).toBe(1);
    await within((unit) => rememberSettled(unit, [told({ standing: "under-way" }), told()]));
    expect(await left({})).toBe(0);
    expect(await left({ updatedAt: 1 })).toBe(0);
    for (const changes of [
      { word: "repaid" },
      { standing: "over", word: told().word },
      { cents: 4_501 },
      { unfit: { kind: "other-asset", asset: "euros" } },
      { orderId: undefined },
      { isMisnamed: true },
      { isDisputed: true },
      { wasExtended: true },
    ] satisfies Partial<Loan>[]) {
      expect(await left(changes), JSON.stringify(changes)).toBe(1);
    }
    await within((unit) => rememberSettled(unit, [told({ word: "repaid" })]));
    expect(await left({})).toBe(1);
    expect(await left({ word: "repaid" })).toBe(0);
  });

  test("that do not pay are recorded once, and again if the detail changes", async () => {
    const where = { contractId: randomUUID(), orderId: randomUUID(), seenAt: 8_000_000 };
    const record = (detail: string, seenAt: number) =>
      within((unit) => recordMismatch(unit, { ...where, seenAt }, { kind: "underpaid", detail }));
    expect(await record("one", 8_000_000)).toEqual({ cents: null });
    expect(await record("one", 8_000_001)).toBeUndefined();
    expect(await record("two", 8_000_002)).toEqual({ cents: null });
    const [newest] = await listMismatches(shop.database.db, { limit: 1 });
    expect(newest).toMatchObject({
      contract_id: where.contractId,
      order_id: where.orderId,
      kind: "underpaid",
      detail: "two",
      seen_at: 8_000_002,
    });
  });

  test("that do not pay are paged, and none is left out while others are added", async () => {
    const seenAt = 9_000_000;
    const kinds = ["foreign", "second", "underpaid"] as const;
    const record = (contractId: string, kind: (typeof kinds)[number], later = 0) =>
      within((unit) =>
        recordMismatch(
          unit,
          { contractId, orderId: "", seenAt: seenAt + later },
          { kind, detail: "d" },
        ),
      );
    for (const id of ["a", "b"]) for (const kind of kinds) await record(`page-${id}`, kind);
    const seen: string[] = [];
    let after: Parameters<typeof listMismatches>[1]["after"];
    do {
      const page = await listMismatches(shop.database.db, { after, limit: 2 });
      for (const { contract_id, order_id, kind, seen_at } of page) {
        if (contract_id.startsWith("page-")) seen.push(`${contract_id} ${kind}`);
        after = { seenAt: seen_at, contractId: contract_id, orderId: order_id, kind };
      }
      if (page.length < 2) after = undefined;
      await record(`newer-${seen.length}`, "foreign", 1);
    } while (after !== undefined);
    expect(seen).toEqual(["a", "b"].flatMap((id) => kinds.map((kind) => `page-${id} ${kind}`)));
  });
});
