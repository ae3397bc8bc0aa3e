import { randomUUID } from "node:crypto";
import { expect, test } from "vitest";
import { sqlite } from "../../../../test/harness/databases.ts";
import { useDatabase } from "../../../../test/harness/use-database.ts";
import type { Mismatch } from "./mismatch.ts";
import { countMismatches, isKnownStray, mismatchesOf, recordMismatch } from "./mismatch-repository.ts";

const shop = useDatabase(sqlite);

const record = (contractId: string, orderId: string, kind: Mismatch["kind"], detail = "d", seenAt = 1) =>
  shop.within((unit) => recordMismatch(unit, { contractId, orderId, seenAt }, { kind, detail }));
const isKnown = (contractId: string, kind: Mismatch["kind"]) =>
  shop.within((unit) => isKnownStray(unit, contractId, kind));

test("a loan that was presented for an order it does not belong to is known from then on, in either kind", async () => {
  const [one, another] = [randomUUID(), randomUUID()];
  expect(await isKnown(one, "foreign")).toBe(false);
  await record(one, (await shop.stored()).id, "foreign");
  expect(await isKnown(one, "foreign")).toBe(true);
  expect(await isKnown(one, "reused")).toBe(true);
  expect(await isKnown(another, "foreign")).toBe(false);
  await record(another, (await shop.stored()).id, "reused");
  expect(await isKnown(another, "foreign")).toBe(true);
});

test("mismatches of other kinds are recorded for each order", async () => {
  const loan = randomUUID();
  const order = await shop.stored();
  await record(loan, order.id, "underpaid");
  expect(await isKnown(loan, "foreign")).toBe(false);
  await record(loan, order.id, "foreign");
  expect(await isKnown(loan, "underpaid")).toBe(false);
});

test("a mismatch with an order that the shop does not have does not make a loan known", async () => {
  const loan = randomUUID();
  await record(loan, randomUUID(), "foreign");
  await record(loan, "", "foreign");
  expect(await isKnown(loan, "foreign")).toBe(false);
});

test("the mismatches of an order are read oldest first", async () => {
  const { id } = await shop.stored();
  await record("b", id, "second", "later", 2);
  await record("c", id, "foreign", "first", 1);
  await record("b", id, "foreign", "later", 2);
  await record("a", id, "underpaid", "later", 2);
  await record("a", (await shop.stored()).id, "underpaid", "of another order");
  expect(await mismatchesOf(shop.database.db, id)).toEqual([
    { contract_id: "c", kind: "foreign", detail: "first", seen_at: 1 },
    { contract_id: "a", kind: "underpaid", detail: "later", seen_at: 2 },
    { contract_id: "b", kind: "foreign", detail: "later", seen_at: 2 },
    { contract_id: "b", kind: "second", detail: "later", seen_at: 2 },
  ]);
});

test("mismatches are counted by kind", async () => {
  const counts = async () =>
    new Map((await countMismatches(shop.database.db)).map(({ kind, mismatches }) => [kind, mismatches]));
  await record(randomUUID(), "", "dispute");
  expect((await counts()).get("dispute")).toBe(1);
  await record(randomUUID(), "", "dispute");
  expect((await counts()).get("dispute")).toBe(2);
});
