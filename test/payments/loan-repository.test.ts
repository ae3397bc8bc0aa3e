import { randomUUID } from "node:crypto";
import { type IssueKind, loanStates } from "@keepsats/protocol";
import { describe, expect, test } from "vitest";
import { insertOrders } from "../../apps/server/src/modules/orders/placing/place-order.ts";
import {
  findIssue,
  idOfIssue,
  listIssues,
  openIssue,
} from "../../apps/server/src/modules/payments/issues/issue-repository.ts";
import type { Loan } from "../../apps/server/src/modules/payments/loans/loan-provider.ts";
import {
  findLoan,
  findLoans,
  findLoansOfOrder,
  findPayingLoans,
  findPresumedExtensions,
  rememberSettled,
  saveLoan,
  withoutSettled,
} from "../../apps/server/src/modules/payments/loans/loan-repository.ts";
import type { StoredLoan } from "../../apps/server/src/modules/payments/rules/index.ts";
import { aLoan, aStoredLoan, aStoredOrder } from "../harness/builders.ts";
import { databaseKinds, useDatabase } from "../harness/databases.ts";

describe.each(databaseKinds)("on $name", (kind) => {
  const shop = useDatabase(kind);

  async function anOrderWith(...loans: readonly Partial<StoredLoan>[]): Promise<StoredLoan[]> {
    const order = aStoredOrder();
    const bound = loans.map((changes, index) =>
      aStoredLoan({ id: `${order.id}-${index}`, orderId: order.id, boundAt: index, ...changes }),
    );
    await shop.within(async (unit) => {
      await insertOrders(unit, [{ order, idempotency: undefined }]);
      for (const loan of bound) await saveLoan(unit, loan);
    });
    return bound;
  }

  test.each(loanStates)("a loan that is %s is read as it was stored", async (state) => {
    const [loan] = await anOrderWith({
      state,
      wasActive: true,
      wasExtended: true,
      cents: undefined,
      amountText: "1e2",
      namedOrderId: undefined,
      refusal: "underpaid",
      presumedExtensionAt: 1,
      paidOutAt: undefined,
    });
    if (loan === undefined) throw new Error("no such loan");
    expect(await findLoan(shop.database.db, loan.id)).toEqual(loan);
  });

  test("the loans of an order are read without those of other orders, oldest first", async () => {
    const [late, early] = await anOrderWith({ boundAt: 2 }, { boundAt: 1 });
    const [other] = await anOrderWith({ boundAt: 3 });
    if (late === undefined || early === undefined || other === undefined)
      throw new Error("there are three");
    const orderId = late.orderId ?? "";
    expect(await findLoansOfOrder(shop.database.db, orderId)).toEqual([early, late]);
    const among = (loanId: string, ...orderIds: string[]) =>
      findLoans(shop.database.db, { loanIds: [loanId], orderIds });
    expect(await among(late.id, orderId)).toEqual([early, late]);
    expect(await among("new", orderId)).toEqual([early, late]);
    expect(await among(other.id, orderId)).toEqual([early, late, other]);
    expect(await among(other.id)).toEqual([other]);
  });

  test("the loans that have paid are read by order", async () => {
    const [one, two] = await anOrderWith({}, {}, { state: "active" }, { refusal: "underpaid" });
    const [three] = await anOrderWith({});
    const [unpaid] = await anOrderWith({ state: "ended" });
    await anOrderWith({});
    const orderIds = [one, three, unpaid].map((loan) => loan?.orderId ?? "");
    expect(await findPayingLoans(shop.database.db, orderIds)).toEqual(
      new Map([
        [one?.orderId, [one?.id, two?.id]],
        [three?.orderId, [three?.id]],
      ]),
    );
  });

  test("money without an order finds one, and stays there", async () => {
    const order = await shop.stored();
    const stray = aStoredLoan({ orderId: undefined, namedOrderId: randomUUID() });
    const save = (orderId: string | undefined) =>
      shop.within((unit) => saveLoan(unit, { ...stray, orderId }));
    await save(undefined);
    expect(await findLoan(shop.database.db, stray.id)).toEqual(stray);
    await save(order.id);
    await save(undefined);
    expect((await findLoan(shop.database.db, stray.id))?.orderId).toBe(order.id);
  });

  test("the loans that are presumed to be extensions are read, the earliest first", async () => {
    const [late, early] = await anOrderWith(
      { presumedExtensionAt: 20 },
      { presumedExtensionAt: 10 },
      { presumedExtensionAt: 30 },
    );
    const found = (await findPresumedExtensions(shop.database.db, 21)).map(({ id }) => id);
    expect(found.filter((id) => id === late?.id || id === early?.id)).toEqual([
      early?.id,
      late?.id,
    ]);
  });

  test("a bound loan stays with its order when it is stored again", async () => {
    const another = await shop.stored();
    const [loan] = await anOrderWith({ state: "active" });
    if (loan === undefined) throw new Error("no such loan");
    const changed = {
      ...loan,
      providerStatus: "paid",
      state: "paid-out",
      wasExtended: true,
      cents: 4_600,
      updatedAt: 9,
    } as const;
    await shop.within((unit) => saveLoan(unit, { ...changed, orderId: another.id, boundAt: 99 }));
    expect(await findLoan(shop.database.db, loan.id)).toEqual(changed);
    expect(await findLoansOfOrder(shop.database.db, loan.orderId ?? "")).toEqual([changed]);
    expect(await findLoansOfOrder(shop.database.db, another.id)).toEqual([]);
  });

  test("an unknown loan is not found", async () => {
    expect(await findLoan(shop.database.db, "none")).toBeUndefined();
  });

  test("loans that were settled are not settled again until they change", async () => {
    const id = randomUUID();
    const reported = (changes: Partial<Loan> = {}) =>
      aLoan({ id, orderId: id, state: "paid-out", ...changes });
    const left = async (changes: Partial<Loan>) =>
      (await withoutSettled(shop.database.db, [reported(changes)])).length;
    expect(await left({})).toBe(1);
    await shop.within((unit) => rememberSettled(unit, reported({ state: "active" })));
    await shop.within((unit) => rememberSettled(unit, reported()));
    expect(await left({})).toBe(0);
    expect(await left({ updatedAt: 1 })).toBe(0);
    for (const changes of [
      { providerStatus: "repaid" },
      { state: "ended", providerStatus: reported().providerStatus },
      { cents: 4_501 },
      { exactCents: 4_500.1 },
      { amountText: "45" },
      { otherAsset: "euros" },
      { orderId: undefined },
      { isDisputed: true },
      { wasExtended: true },
    ] satisfies Partial<Loan>[]) {
      expect(await left(changes), JSON.stringify(changes)).toBe(1);
    }
    await shop.within((unit) => rememberSettled(unit, reported({ providerStatus: "repaid" })));
    expect(await left({})).toBe(1);
    expect(await left({ providerStatus: "repaid" })).toBe(0);
  });

  test("an issue is recorded once, and again if its detail changes", async () => {
    const { id: orderId } = await shop.stored();
    const issue = { loanId: randomUUID(), orderId, kind: "underpaid" } as const;
    const id = idOfIssue(issue);
    const open = (detail: string, at: number) =>
      shop.within((unit) => openIssue(unit, { ...issue, detail, reopensResolved: true }, at));
    expect(await open("one", 8_000_000)).toBe(true);
    expect(await open("one", 8_000_001)).toBe(false);
    expect(await open("two", 8_000_002)).toBe(true);
    expect(await findIssue(shop.database.db, id)).toMatchObject({
      ...issue,
      detail: "two",
      openedAt: 8_000_002,
    });
  });

  test("issues are paged, and none is skipped while others are added", async () => {
    const openedAt = 9_000_000;
    const kinds = ["unknown-order", "duplicate", "underpaid"] as const;
    const open = (loanId: string, kind: IssueKind, later = 0) =>
      shop.within((unit) =>
        openIssue(
          unit,
          { loanId, orderId: undefined, kind, detail: "d", reopensResolved: false },
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
