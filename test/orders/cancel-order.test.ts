import { randomUUID } from "node:crypto";
import { shopCurrency } from "@keepsats/domain";
import { describe, expect, test } from "vitest";
import { findState, listEvents } from "../../apps/server/src/modules/orders/order-repository.ts";
import {
  createAskAboutLoans,
  createCancelOrder,
} from "../../apps/server/src/modules/payments/hooks/cancel-order.ts";
import { listIssues } from "../../apps/server/src/modules/payments/issues/issue-repository.ts";
import { queueLoans } from "../../apps/server/src/modules/payments/loans/loan-queue.ts";
import { writeSweepState } from "../../apps/server/src/modules/payments/loans/sweep.ts";
import { newEntry } from "../../apps/server/src/modules/payments/rules/index.ts";
import { Refusal } from "../../apps/server/src/platform/refusal.ts";
import { DAY } from "../../apps/server/src/platform/scheduling/clock.ts";
import { aLoan, aPaidLoan } from "../harness/builders.ts";
import { databaseKinds, useDatabase } from "../harness/databases.ts";
import { kindOf } from "../harness/outcomes.ts";
import { aProvider } from "../harness/provider.ts";
import { cancelOrderOn, moneyRecordsOn, useCasesOn } from "../harness/use-cases.ts";
import { waitFor } from "../harness/wait-for.ts";

const customer = { kind: "customer" } as const;

describe.each(databaseKinds)("a customer's cancellation on $name", (kind) => {
  const shop = useDatabase(kind);
  const statusOf = async (id: string) => (await findState(shop.database.db, id))?.status;
  const present = (orderId: string, loanId: string, holdsKey = true) =>
    shop.within((unit) => queueLoans(unit, [{ orderId, loanId, holdsKey }], shop.database.now()));

  test("cancels an order without loans once, even while the provider is unreachable", async () => {
    const { id } = await shop.stored();
    const provider = aProvider([]);
    provider.away = true;
    const outcomes = await Promise.all(
      [shop.database, shop.secondConnection, shop.database].map((on) =>
        cancelOrderOn(on, provider)(id, customer),
      ),
    );
    expect(outcomes.map(kindOf).sort()).toEqual(["cancelled", "unchanged", "unchanged"]);
    expect(await listEvents(shop.database.db, id)).toMatchObject([
      { kind: "placed" },
      { kind: "moved", to_status: "Cancelled", by: "customer", by_name: null },
    ]);
    expect(provider.asked).toEqual([]);
  });

  test("checks a loan that was presented a moment ago, and is refused if it is active", async () => {
    const { id } = await shop.stored();
    const loan = aLoan({ id: randomUUID(), orderId: id });
    await present(id, loan.id);
    const provider = aProvider([loan]);
    expect(await cancelOrderOn(shop.database, provider)(id, customer)).toMatchObject({
      code: "loan_active",
      details: { current_status: "PaymentProcessing" },
    });
    expect(provider.asked).toEqual([loan.id]);
    expect(await statusOf(id)).toBe("PaymentProcessing");
  });

  test.each([
    ["is over", { state: "ended" }],
    ["names another order", { orderId: randomUUID() }],
  ] as const)("is possible if the loan that was presented %s", async (_, changes) => {
    const { id } = await shop.stored();
    const loan = aLoan({ id: randomUUID(), orderId: id, ...changes });
    await present(id, loan.id);
    await present(id, "a loan that does not exist");
    expect(await cancelOrderOn(shop.database, aProvider([loan]))(id, customer)).toEqual({
      kind: "cancelled",
    });
  });

  test("is undecided while the provider cannot be reached about a presented loan", async () => {
    const { id } = await shop.stored();
    await present(id, randomUUID());
    const provider = aProvider([]);
    provider.away = true;
    expect(await cancelOrderOn(shop.database, provider)(id, customer)).toMatchObject({
      code: "unavailable",
    });
    expect(await statusOf(id)).toBe("Pending");
  });

  describe("while the provider cannot be reached about a presented loan", () => {
    async function presented() {
      const { id } = await shop.stored();
      const loanId = randomUUID();
      await present(id, loanId);
      const provider = aProvider([]);
      provider.away = true;
      const later = shop.database.now() + 1;
      await waitFor("a later time", () => shop.database.now() >= later);
      const cancel = () => cancelOrderOn(shop.database, provider)(id, customer);
      return { id, loanId, later, provider, cancel };
    }
    const sweptAt = (time: number) =>
      writeSweepState(shop.database.db, { began: time, ended: time, failures: 0 });

    test("needs no answer if a complete sweep began after the loan was presented", async () => {
      const { loanId, later, provider, cancel } = await presented();
      await sweptAt(later);
      expect(await cancel()).toEqual({ kind: "cancelled" });
      expect(provider.asked).toContain(loanId);
    });

    test("is undecided after a sweep of the future, which proves nothing", async () => {
      const { later, cancel } = await presented();
      await sweptAt(later + DAY);
      expect(await cancel()).toMatchObject({ code: "unavailable" });
    });

    test("is undecided if another loan was presented since the sweep", async () => {
      const { id, later, cancel } = await presented();
      await sweptAt(later);
      await present(id, randomUUID());
      expect(await cancel()).toMatchObject({ code: "unavailable" });
    });

    test("is undecided until staff resolve the issue of a loan that the sweep did not understand", async () => {
      const { loanId, later, cancel } = await presented();
      await sweptAt(later);
      await shop.testDatabase.run(
        `INSERT INTO payment_issues (id, loan_id, kind, detail, opened_at) VALUES ('${randomUUID()}', '${loanId}', 'unrecognized', '', 1)`,
      );
      expect(await cancel()).toMatchObject({ code: "unavailable" });
      await shop.testDatabase.run(
        `UPDATE payment_issues SET resolved_at = 2 WHERE loan_id = '${loanId}'`,
      );
      expect(await cancel()).toEqual({ kind: "cancelled" });
    });
  });

  test("is refused for a stored active loan even while the provider is unreachable", async () => {
    const { id } = await shop.stored();
    const loan = aLoan({ id: randomUUID(), orderId: id });
    await useCasesOn(shop.database).settle(loan);
    await present(id, loan.id);
    const provider = aProvider([loan]);
    provider.away = true;
    expect(kindOf(await cancelOrderOn(shop.database, provider)(id, customer))).toBe("loan_active");
  });

  test("detects that a stored loan has ended", async () => {
    const { id } = await shop.stored();
    const loan = aLoan({ id: randomUUID(), orderId: id });
    await useCasesOn(shop.database).settle(loan);
    expect(await statusOf(id)).toBe("PaymentProcessing");
    const ended = { ...loan, state: "ended" } as const;
    const provider = aProvider([ended]);
    expect(await cancelOrderOn(shop.database, provider)(id, customer)).toEqual({
      kind: "cancelled",
    });
  });

  test("is refused if another loan is bound while the first one is checked", async () => {
    const { id } = await shop.stored();
    const [first, second] = [randomUUID(), aLoan({ id: randomUUID(), orderId: id })];
    await present(id, first);
    const provider = aProvider([second], async () => {
      await present(id, second.id);
      await useCasesOn(shop.database).settle(second);
    });
    expect(kindOf(await cancelOrderOn(shop.database, provider)(id, customer))).toBe("loan_active");
  });

  test("succeeds while invented loans are presented endlessly, as does an expiry", async () => {
    for (const by of [customer, { kind: "shop" } as const]) {
      const { id } = await shop.stored();
      await present(id, randomUUID());
      const provider = aProvider([], () => present(id, randomUUID()).then(() => {}));
      expect(await cancelOrderOn(shop.database, provider)(id, by)).toEqual({ kind: "cancelled" });
      expect(provider.asked).toHaveLength(1);
    }
  });

  test("uses the calls of the customer's client, and an expiry those of the shop", async () => {
    const presenters: unknown[] = [];
    const askAboutLoans = createAskAboutLoans({
      db: shop.database.db,
      async check(_, presenter) {
        presenters.push(presenter);
        return { isBound: false, isDone: false, outcome: "absent", isDeferred: false };
      },
    });
    const cancel = createCancelOrder({
      ...moneyRecordsOn(),
      database: shop.database,
      askAboutLoans,
    });
    const ids = [(await shop.stored()).id, (await shop.stored()).id] as const;
    for (const id of ids) await present(id, randomUUID());
    await cancel(ids[0], customer, { client: "192.0.2.1" });
    await cancel(ids[1], { kind: "shop" });
    expect(presenters).toEqual([{ client: "192.0.2.1", holdsKey: true }, undefined]);
  });

  test("waits for a call to the provider, also about a loan that is already bound", async () => {
    const { id } = await shop.stored();
    const loan = aLoan({ id: randomUUID(), orderId: id });
    await useCasesOn(shop.database).settle(loan);
    const provider = aProvider([{ ...loan, state: "ended", updatedAt: loan.updatedAt + 1 }]);
    const { takeLoanCall } = provider;
    let isBudgetUsed = true;
    provider.takeLoanCall = (...parameters) => {
      if (!isBudgetUsed) return takeLoanCall(...parameters);
      isBudgetUsed = false;
      return Promise.resolve(undefined);
    };
    expect(await cancelOrderOn(shop.database, provider)(id, { kind: "shop" })).toEqual({
      kind: "cancelled",
    });
  });

  test("is refused while the order has unresolved money", async () => {
    const { id } = await shop.stored();
    const { settle, appendEntries } = useCasesOn(shop.database);
    const loan = aPaidLoan(id, { cents: 4_000 });
    await settle(loan);
    const cancel = cancelOrderOn(shop.database, aProvider([]));
    expect(await cancel(id, customer)).toEqual(
      new Refusal("transition_refused", {
        detail: "A loan has been paid out for the order.",
        current_status: "Pending",
      }),
    );
    const refund = newEntry("refunded", {
      orderId: id,
      loanId: loan.id,
      amount: 4_000,
      currency: shopCurrency.code,
    });
    await shop.within((unit) => appendEntries(unit, [refund], { kind: "staff", name: "Ada" }));
    expect(await cancel(id, customer)).toEqual({ kind: "cancelled" });
  });

  test("succeeds despite an active loan presented without the key, whose payout opens an issue", async () => {
    const { id } = await shop.stored();
    const foreign = aLoan({ id: randomUUID(), orderId: id });
    const { settle } = useCasesOn(shop.database);
    await settle(foreign);
    await present(id, foreign.id, false);
    const provider = aProvider([foreign]);
    provider.away = true;
    expect(await cancelOrderOn(shop.database, provider)(id, { kind: "shop" })).toMatchObject({
      code: "loan_active",
    });
    expect(await cancelOrderOn(shop.database, provider)(id, customer)).toEqual({
      kind: "cancelled",
    });
    await settle({ ...foreign, state: "paid-out" });
    const page = await listIssues(shop.database.db, { limit: 1_000 });
    expect(page.filter(({ orderId }) => orderId === id)).toMatchObject([
      { kind: "paid-after-cancel" },
    ]);
  });

  test("finds no unknown order", async () => {
    const cancel = cancelOrderOn(shop.database, aProvider([]));
    expect(await cancel(randomUUID(), customer)).toBeUndefined();
  });

  test("loses no money of a loan at the same moment: it pays the order, or becomes a payment issue", async () => {
    const ends = new Set<string>();
    for (let round = 0; round < 30; round += 1) {
      const { id } = await shop.stored();
      const loan = aLoan({ id: randomUUID(), orderId: id });
      const provider = aProvider([loan]);
      const { settle } = useCasesOn(shop.secondConnection);
      // In one half of the rounds the loan is presented too, in the other one only the sweep finds
      // it.
      const arrival =
        round % 2 === 0 ? present(id, loan.id).then(() => settle(loan)) : settle(loan);
      const [outcome] = await Promise.all([
        cancelOrderOn(shop.database, provider)(id, customer),
        arrival,
      ]);
      await settle({ ...loan, state: "paid-out" });
      const page = await listIssues(shop.database.db, { limit: 1_000 });
      const issues = page.filter(({ orderId }) => orderId === id).map(({ kind }) => kind);
      const moves = (await listEvents(shop.database.db, id)).map(({ to_status }) => to_status);
      ends.add([kindOf(outcome), moves.join(" "), ...issues].join("; "));
    }
    const allowed = [
      "cancelled; Pending Cancelled; paid-after-cancel",
      // A loan that was not presented with the order's key does not block it.
      "cancelled; Pending PaymentProcessing Cancelled; paid-after-cancel",
      "loan_active; Pending PaymentProcessing PaymentProcessed",
    ];
    expect([...ends].filter((end) => !allowed.includes(end))).toEqual([]);
  });
});
