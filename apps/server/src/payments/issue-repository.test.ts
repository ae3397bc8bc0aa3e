import { randomUUID } from "node:crypto";
import { describe, expect, test } from "vitest";
import { sqlite, useDatabase } from "../../../../test/harness/databases.ts";
import type { Issue } from "./issue.ts";
import { countIssues, hasUnknownOrderIssue, issuesOf, recordIssue } from "./issue-repository.ts";

const shop = useDatabase(sqlite);

const record = (loanId: string, orderId: string, kind: Issue["kind"], detail = "d", seenAt = 1) =>
  shop.within((unit) => recordIssue(unit, { loanId, orderId, seenAt }, { kind, detail }));
const isKnown = (loanId: string) => shop.within((unit) => hasUnknownOrderIssue(unit, loanId));

test("a loan that was presented for an order it does not belong to is known from then on", async () => {
  const [one, another] = [randomUUID(), randomUUID()];
  expect(await isKnown(one)).toBe(false);
  await record(one, (await shop.stored()).id, "unknown-order");
  expect(await isKnown(one)).toBe(true);
  expect(await isKnown(another)).toBe(false);
});

test("a payment issue of another kind does not make a loan known", async () => {
  const loan = randomUUID();
  await record(loan, (await shop.stored()).id, "underpaid");
  expect(await isKnown(loan)).toBe(false);
});

test("a payment issue with an order that the shop does not have does not make a loan known", async () => {
  const loan = randomUUID();
  await record(loan, randomUUID(), "unknown-order");
  await record(loan, "", "unknown-order");
  expect(await isKnown(loan)).toBe(false);
});

test("the payment issues of an order are read oldest first", async () => {
  const { id } = await shop.stored();
  await record("b", id, "duplicate", "later", 2);
  await record("c", id, "unknown-order", "first", 1);
  await record("b", id, "unknown-order", "later", 2);
  await record("a", id, "underpaid", "later", 2);
  await record("a", (await shop.stored()).id, "underpaid", "of another order");
  const read = await issuesOf(shop.database.db, id);
  expect(read.map(({ loan_id, kind, detail }) => `${loan_id} ${kind} ${detail}`)).toEqual([
    "c unknown-order first",
    "a underpaid later",
    "b duplicate later",
    "b unknown-order later",
  ]);
  expect(read[0]).toMatchObject({
    order_id: id,
    order_status: "Pending",
    seen_at: 1,
    resolved_at: null,
  });
});

describe("a payment issue that is told again", () => {
  const stored = async (loanId: string) =>
    shop.database.db
      .selectFrom("payment_issues")
      .select(["detail", "cents", "resolution", "resolved_at"])
      .where("loan_id", "=", loanId)
      .executeTakeFirstOrThrow();
  const tell = (loanId: string, detail: string, cents?: number) =>
    shop.within((unit) =>
      recordIssue(unit, { loanId, orderId: "", seenAt: 1 }, { kind: "underpaid", detail, cents }),
    );
  const resolve = (loanId: string) =>
    shop.database.db
      .updateTable("payment_issues")
      .set({ resolution: "dismissed", resolution_note: "n", resolved_by: "Ada", resolved_at: 9 })
      .where("loan_id", "=", loanId)
      .execute();

  test("without a change is not recorded again, and stays resolved", async () => {
    const id = randomUUID();
    expect(await tell(id, "d", 400)).toEqual({ cents: 400 });
    await resolve(id);
    expect(await tell(id, "d", 400)).toBeUndefined();
    expect(await stored(id)).toEqual({
      detail: "d",
      cents: 400,
      resolution: "dismissed",
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

test("open payment issues are counted by kind", async () => {
  const counts = async () =>
    new Map((await countIssues(shop.database.db)).map(({ kind, issues }) => [kind, issues]));
  await record(randomUUID(), "", "disputed");
  expect((await counts()).get("disputed")).toBe(1);
  await record(randomUUID(), "", "disputed");
  expect((await counts()).get("disputed")).toBe(2);
  await shop.database.db
    .updateTable("payment_issues")
    .set({ resolution: "dismissed", resolved_at: 1 })
    .where("kind", "=", "disputed")
    .execute();
  expect((await counts()).has("disputed")).toBe(false);
});
