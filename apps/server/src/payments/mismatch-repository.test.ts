import { randomUUID } from "node:crypto";
import { describe, expect, test } from "vitest";
import { sqlite } from "../../../../test/harness/databases.ts";
import { useDatabase } from "../../../../test/harness/use-database.ts";
import type { Mismatch } from "./mismatch.ts";
import {
  countMismatches,
  isKnownStray,
  mismatchesOf,
  recordMismatch,
} from "./mismatch-repository.ts";

const shop = useDatabase(sqlite);

const record = (
  contractId: string,
  orderId: string,
  kind: Mismatch["kind"],
  detail = "d",
  seenAt = 1,
) => shop.within((unit) => recordMismatch(unit, { contractId, orderId, seenAt }, { kind, detail }));
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
  const read = await mismatchesOf(shop.database.db, id);
  expect(read.map(({ contract_id, kind, detail }) => `${contract_id} ${kind} ${detail}`)).toEqual([
    "c foreign first",
    "a underpaid later",
    "b foreign later",
    "b second later",
  ]);
  expect(read[0]).toMatchObject({
    order_id: id,
    order_status: "Pending",
    seen_at: 1,
    resolved_at: null,
  });
});

describe("a mismatch that is told again", () => {
  const stored = async (contractId: string) =>
    shop.database.db
      .selectFrom("mismatches")
      .select(["detail", "cents", "resolution", "resolved_at"])
      .where("contract_id", "=", contractId)
      .executeTakeFirstOrThrow();
  const tell = (contractId: string, detail: string, cents?: number) =>
    shop.within((unit) =>
      recordMismatch(
        unit,
        { contractId, orderId: "", seenAt: 1 },
        { kind: "underpaid", detail, cents },
      ),
    );
  const resolve = (contractId: string) =>
    shop.database.db
      .updateTable("mismatches")
      .set({ resolution: "explained", resolution_note: "n", resolved_by: "Ada", resolved_at: 9 })
      .where("contract_id", "=", contractId)
      .execute();

  test("without a change is not recorded again, and stays resolved", async () => {
    const id = randomUUID();
    expect(await tell(id, "d", 400)).toEqual({ cents: 400 });
    await resolve(id);
    expect(await tell(id, "d", 400)).toBeUndefined();
    expect(await stored(id)).toEqual({
      detail: "d",
      cents: 400,
      resolution: "explained",
      resolved_at: 9,
    });
  });

  test("with a change is open again, and keeps the money that it has recorded first", async () => {
    const id = randomUUID();
    await tell(id, "d", 400);
    await resolve(id);
    expect(await tell(id, "another", 300)).toEqual({ cents: 400 });
    expect(await stored(id)).toEqual({
      detail: "another",
      cents: 400,
      resolution: null,
      resolved_at: null,
    });
    expect(await tell(id, "a third")).toEqual({ cents: 400 });
    expect((await stored(id)).cents).toBe(400);
  });
});

test("open mismatches are counted by kind", async () => {
  const counts = async () =>
    new Map(
      (await countMismatches(shop.database.db)).map(({ kind, mismatches }) => [kind, mismatches]),
    );
  await record(randomUUID(), "", "dispute");
  expect((await counts()).get("dispute")).toBe(1);
  await record(randomUUID(), "", "dispute");
  expect((await counts()).get("dispute")).toBe(2);
  await shop.database.db
    .updateTable("mismatches")
    .set({ resolution: "explained", resolved_at: 1 })
    .where("kind", "=", "dispute")
    .execute();
  expect((await counts()).has("dispute")).toBe(false);
});
