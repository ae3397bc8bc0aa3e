import { randomUUID } from "node:crypto";
import type { IssueKind } from "@keepsats/protocol";
import { describe, expect, test } from "vitest";
import { sqlite, useDatabase } from "../../../../../../test/harness/databases.ts";
import {
  countIssues,
  findIssue,
  findIssues,
  findIssuesOfOrder,
  hasIssueWithOrder,
  idOfIssue,
  openIssue,
  reopenIssue,
  storeResolution,
} from "./issue-repository.ts";

const shop = useDatabase(sqlite);

interface Opened {
  readonly loanId?: string;
  readonly orderId?: string | undefined;
  readonly kind?: IssueKind;
  readonly detail?: string;
  readonly reopensResolved?: boolean;
}

/** Opens a payment issue. Returns its id, and whether it is new, open again or changed. */
async function open(changes: Opened = {}, at = 1) {
  const issue = {
    loanId: randomUUID(),
    orderId: undefined,
    kind: "underpaid" as const,
    detail: "d",
    reopensResolved: false,
    ...changes,
  };
  const changed = await shop.within((unit) => openIssue(unit, issue, at));
  return { id: idOfIssue(issue), changed };
}
const resolve = (id: string) =>
  shop.within((unit) =>
    storeResolution(unit, id, { resolution: "dismissed", note: "n", by: "Ada", at: 9 }),
  );
const isKnown = (loanId: string) =>
  shop.within((unit) => hasIssueWithOrder(unit, loanId, "unknown-order"));

describe("a loan that was presented for an order it does not belong to", () => {
  test("is known from then on", async () => {
    const [one, another] = [randomUUID(), randomUUID()];
    expect(await isKnown(one)).toBe(false);
    await open({ loanId: one, orderId: (await shop.stored()).id, kind: "unknown-order" });
    expect(await isKnown(one)).toBe(true);
    expect(await isKnown(another)).toBe(false);
  });

  test("is not known by a payment issue of another kind, or without an order", async () => {
    const loanId = randomUUID();
    await open({ loanId, orderId: (await shop.stored()).id, kind: "underpaid" });
    await open({ loanId, kind: "unknown-order" });
    expect(await isKnown(loanId)).toBe(false);
  });
});

test("the payment issues of an order are read oldest first", async () => {
  const { id: orderId } = await shop.stored();
  await open({ loanId: "b", orderId, kind: "duplicate", detail: "second" }, 2);
  await open({ loanId: "c", orderId, kind: "unknown-order", detail: "first" }, 1);
  await open({ loanId: "a", orderId: (await shop.stored()).id, detail: "of another order" });
  const read = await findIssuesOfOrder(shop.database.db, orderId);
  expect(read.map(({ loanId, kind, detail }) => `${loanId} ${kind} ${detail}`)).toEqual([
    "c unknown-order first",
    "b duplicate second",
  ]);
  expect(read[0]).toMatchObject({ orderId, orderStatus: "Pending", openedAt: 1 });
  expect(read[0]?.resolution).toBeUndefined();
});

test("the payment issues of loans without an order are read together with those of orders", async () => {
  const { id: orderId } = await shop.stored();
  const loanId = randomUUID();
  const { id: ofOrder } = await open({ loanId, orderId });
  const { id: without } = await open({ loanId }, 2);
  await open();
  const among = async (orderIds: string[], loanIds: string[]) =>
    (await findIssues(shop.database.db, { orderIds, loanIds })).map(({ id }) => id);
  expect(await among([orderId], [loanId])).toEqual([ofOrder, without]);
  expect(await among([], [loanId])).toEqual([without]);
  expect(await among([orderId], [])).toEqual([ofOrder]);
});

describe("a payment issue that is opened again", () => {
  const stored = (id: string) => findIssue(shop.database.db, id);

  test("without a change is stored once, and stays resolved", async () => {
    const loanId = randomUUID();
    const { id, changed } = await open({ loanId });
    expect(changed).toBe(true);
    await resolve(id);
    expect((await open({ loanId }, 2)).changed).toBe(false);
    expect(await stored(id)).toMatchObject({
      openedAt: 1,
      resolution: "dismissed",
      resolutionNote: "n",
      resolvedBy: "Ada",
      resolvedAt: 9,
    });
  });

  test("with another detail is open again", async () => {
    const loanId = randomUUID();
    const { id } = await open({ loanId });
    await resolve(id);
    expect((await open({ loanId, detail: "another" }, 2)).changed).toBe(true);
    const { resolution, resolvedAt, ...rest } = (await stored(id)) ?? {};
    expect(rest).toMatchObject({ detail: "another", openedAt: 2 });
    expect([resolution, resolvedAt]).toEqual([undefined, undefined]);
  });

  test("as news is open again, and is not if it is open", async () => {
    const loanId = randomUUID();
    const { id } = await open({ loanId });
    expect((await open({ loanId, reopensResolved: true }, 2)).changed).toBe(false);
    await resolve(id);
    expect((await open({ loanId, reopensResolved: true }, 3)).changed).toBe(true);
    expect(await stored(id)).toMatchObject({ openedAt: 3, resolution: undefined });
  });

  test("by staff is open again", async () => {
    const { id } = await open();
    await resolve(id);
    await shop.within((unit) => reopenIssue(unit, id, 5));
    expect(await stored(id)).toMatchObject({ openedAt: 5, resolution: undefined });
  });
});

test("open payment issues are counted by kind", async () => {
  const counts = async () =>
    new Map((await countIssues(shop.database.db)).map(({ kind, issues }) => [kind, issues]));
  const { id: one } = await open({ kind: "disputed" });
  expect((await counts()).get("disputed")).toBe(1);
  const { id: another } = await open({ kind: "disputed" });
  expect((await counts()).get("disputed")).toBe(2);
  await resolve(one);
  await resolve(another);
  expect((await counts()).has("disputed")).toBe(false);
});
