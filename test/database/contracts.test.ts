import { randomUUID } from "node:crypto";
import { describe, expect, test } from "vitest";
import {
  type BoundContract,
  contractsOf,
  findContract,
  findContractAndOthers,
  listMismatches,
  recordMismatch,
  saveContract,
} from "../../apps/server/src/payments/contract-repository.ts";
import { remember, withoutSettled } from "../../apps/server/src/payments/settled-before.ts";
import { databaseKinds } from "../harness/databases.ts";
import { useDatabase } from "../harness/use-database.ts";

describe.each(databaseKinds)("contracts on $name", (kind) => {
  const shop = useDatabase(kind);
  const { within, stored } = shop;

  const aContract = (orderId: string, changes: Partial<BoundContract> = {}): BoundContract => ({
    id: randomUUID(),
    orderId,
    status: "Requested",
    meaning: "processing",
    cents: 4_500,
    extends: undefined,
    boundAt: 7,
    updatedAt: 1_790_000_000_000,
    ...changes,
  });

  test("are bound once, and change their status only", async () => {
    const [order, another] = [await stored(), await stored()];
    const contract = aContract(order.id);
    await within((unit) => saveContract(unit, contract));
    expect(await findContract(shop.database.db, contract.id)).toEqual(contract);
    const paid = { ...contract, status: "PrincipalGiven", meaning: "paid" as const, updatedAt: 9 };
    await within((unit) => saveContract(unit, { ...paid, orderId: another.id, boundAt: 99 }));
    expect(await findContract(shop.database.db, contract.id)).toEqual(paid);
    expect(await contractsOf(shop.database.db, order.id)).toEqual([paid]);
    expect(await contractsOf(shop.database.db, another.id)).toEqual([]);
    expect(await findContract(shop.database.db, "none")).toBeUndefined();
  });

  test("are found with all others of an order", async () => {
    const order = await stored();
    const one = aContract(order.id, { boundAt: 1 });
    const two = aContract(order.id, { boundAt: 2, cents: undefined, extends: one.id });
    const elsewhere = aContract((await stored()).id);
    for (const contract of [one, two, elsewhere]) await within((unit) => saveContract(unit, contract));
    const find = (id: string, of: string | undefined) => findContractAndOthers(shop.database.db, id, of);
    expect(await find(one.id, order.id)).toEqual({ bound: one, others: [two] });
    expect(await find(elsewhere.id, order.id)).toEqual({ bound: elsewhere, others: [one, two] });
    expect(await find("none", order.id)).toEqual({ bound: undefined, others: [one, two] });
    expect(await find(one.id, undefined)).toEqual({ bound: one, others: [] });
  });

  test("that were settled are not settled again until the provider says something else", async () => {
    const told = (changes: object) => ({
      id: order,
      status: "PrincipalGiven",
      loan_amount: "45.00",
      loan_asset: "UsdcPol",
      client_contract_id: order,
      ...changes,
    });
    const order = randomUUID();
    const left = async (changes: object) => (await withoutSettled(shop.database.db, [told(changes)])).length;
    expect(await left({})).toBe(1);
    await within((unit) => remember(unit, [told({ status: "Requested" }), told({})]));
    expect(await left({})).toBe(0);
    for (const changes of [
      { status: "Closed" },
      { loan_amount: 45 },
      { loan_asset: "Eur" },
      { client_contract_id: null },
    ]) {
      expect(await left(changes), JSON.stringify(changes)).toBe(1);
    }
    await within((unit) => remember(unit, [told({ status: "Closed" })]));
    expect(await left({})).toBe(1);
    expect(await left({ status: "Closed" })).toBe(0);
  });

  test("that do not fit are recorded once, and again when there is something else to say", async () => {
    const where = { contractId: randomUUID(), orderId: randomUUID(), seenAt: 8_000_000 };
    const record = (detail: string, seenAt: number) =>
      within((unit) => recordMismatch(unit, { ...where, seenAt }, { kind: "underpaid", detail }));
    expect(await record("one", 8_000_000)).toBe(true);
    expect(await record("one", 8_000_001)).toBe(false);
    expect(await record("two", 8_000_002)).toBe(true);
    const [newest] = await listMismatches(shop.database.db, { limit: 1 });
    expect(newest).toEqual({
      contract_id: where.contractId,
      order_id: where.orderId,
      kind: "underpaid",
      detail: "two",
      seen_at: 8_000_002,
    });
  });

  test("that do not fit are listed page by page, none left out while others come", async () => {
    const seenAt = 9_000_000;
    const kinds = ["foreign", "second", "underpaid"] as const;
    const record = (contractId: string, kind: (typeof kinds)[number], later = 0) =>
      within((unit) =>
        recordMismatch(unit, { contractId, orderId: "", seenAt: seenAt + later }, { kind, detail: "d" }),
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
