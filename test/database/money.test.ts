import { randomUUID } from "node:crypto";
import { describe, expect, test } from "vitest";
import { findState, listEvents } from "../../apps/server/src/orders/order-repository.ts";
import type { Announcement } from "../../apps/server/src/outbox/outbox.ts";
import { issuesOf } from "../../apps/server/src/payments/issue-repository.ts";
import { findLedger } from "../../apps/server/src/payments/ledger-repository.ts";
import { aLoan, aPaidLoan } from "../harness/builders.ts";
import { databaseKinds, useDatabase } from "../harness/databases.ts";
import { merchantAda as by, moneyOn } from "../harness/use-cases.ts";

describe.each(databaseKinds)("money on $name", (kind) => {
  const shop = useDatabase(kind);
  const db = () => shop.database.db;
  const ledger = async (orderId: string) => {
    const found = await findLedger(db(), orderId);
    if (found === undefined) throw new Error("there is no such order");
    const { received, refundDue, refunded, missing } = found;
    return { received, refundDue, refunded, missing };
  };
  const open = async (orderId: string) =>
    (await issuesOf(db(), orderId))
      .flatMap(({ kind, resolved_at }) => (resolved_at === null ? [kind] : []))
      .toSorted();
  const status = async (orderId: string) => (await findState(db(), orderId))?.status;

  async function cancelledOrder(money = moneyOn(shop.database)) {
    const { id } = await shop.stored();
    const loan = aPaidLoan(id);
    await money.settle(loan);
    await money.move({ orderId: id, to: "Cancelled", by });
    return { id, loan, money };
  }

  test("of a cancelled order is refunded in two parts, and no cent more; then the payment issue is resolved", async () => {
    const told: Announcement[] = [];
    const { id, loan, money } = await cancelledOrder(moneyOn(shop.database, told));
    expect(await ledger(id)).toEqual({
      received: 4_500,
      refundDue: 4_500,
      refunded: 0,
      missing: 0,
    });
    expect(await money.resolve(loan, "paid-after-cancel", "refunded")).toEqual({
      kind: "refund-due",
      cents: 4_500,
    });
    expect(await money.refund(id, 4_501)).toMatchObject({ kind: "more-than-refundable" });
    expect(await money.refund(id, 2_000)).toMatchObject({ kind: "recorded" });
    expect(await money.resolve(loan, "paid-after-cancel", "refunded")).toEqual({
      kind: "refund-due",
      cents: 2_500,
    });
    expect(await open(id)).toEqual(["paid-after-cancel"]);
    expect(await money.refund(id, 2_500)).toMatchObject({ kind: "recorded" });
    expect(await money.refund(id, 1)).toMatchObject({ kind: "more-than-refundable" });
    expect(await ledger(id)).toEqual({
      received: 4_500,
      refundDue: 0,
      refunded: 4_500,
      missing: 0,
    });
    expect(await issuesOf(db(), id)).toEqual([
      expect.objectContaining({
        ...{ resolution: "refunded", resolved_by: "Ada", resolved_at: 5 },
        resolution_note: "$45.00 in 2 parts, the last: $25.00 by bank transfer",
      }),
    ]);
    expect(
      (await listEvents(db(), id)).slice(-3).map((event) => `${event.kind} by ${event.by_name}`),
    ).toEqual(["refunded by Ada", "refunded by Ada", "issue-resolved by Ada"]);
    expect(told.map(({ type, subject }) => `${type} ${subject === id}`)).toEqual([
      "order.paid true",
      "order.cancelled true",
      "payment_issue.opened true",
      "order.refunded true",
      "order.refunded true",
      "payment_issue.resolved true",
    ]);
  });

  test.each([
    [[4_500], "$45.00 by bank transfer"],
    [[2_000, 2_500], "$45.00 in 2 parts, the last: $25.00 by bank transfer"],
  ])(
    "whose refunds of %j have resolved the payment issue gets a note from somebody who says so too, once",
    async (refunds, first) => {
      const told: Announcement[] = [];
      const { id, loan, money } = await cancelledOrder(moneyOn(shop.database, told));
      for (const cents of refunds) await money.refund(id, cents);
      expect(await issuesOf(db(), id)).toMatchObject([{ resolution_note: first }]);
      expect(await money.resolve(loan, "paid-after-cancel", "dismissed")).toMatchObject({
        kind: "resolved-already",
      });
      expect(await money.resolve(loan, "paid-after-cancel", "refunded")).toMatchObject({
        kind: "resolved",
        issue: { resolution: "refunded", resolution_note: "seen to" },
      });
      expect(await money.resolve(loan, "paid-after-cancel", "refunded")).toMatchObject({
        kind: "resolved-already",
        issue: { resolution_note: "seen to" },
      });
      expect(told.filter(({ type }) => type === "payment_issue.resolved")).toHaveLength(1);
      expect(await ledger(id)).toEqual({
        received: 4_500,
        refundDue: 0,
        refunded: 4_500,
        missing: 0,
      });
    },
  );

  test("of several payment issues leaves them open until all of it is refunded, and then resolves them", async () => {
    const money = moneyOn(shop.database);
    const { id } = await shop.stored();
    await money.settle(aPaidLoan(id));
    await money.settle(aPaidLoan(id, { cents: 4_000 }));
    await money.settle(aPaidLoan(id, { cents: 4_500 }));
    await money.settle(
      aPaidLoan(id, { state: "unknown", isDisputed: true, providerStatus: "disputed" }),
    );
    expect(await open(id)).toEqual(["disputed", "duplicate", "underpaid"]);
    await money.refund(id, 4_500);
    expect(await open(id)).toEqual(["disputed", "duplicate", "underpaid"]);
    await money.refund(id, 4_000);
    expect(await ledger(id)).toEqual({
      received: 13_000,
      refundDue: 0,
      refunded: 8_500,
      missing: 0,
    });
    // A dispute brings no money.
    expect(await open(id)).toEqual(["disputed"]);
  });

  test("that many give back at once does not exceed what is refundDue, whichever process they use", async () => {
    const { id } = await cancelledOrder();
    const processes = [moneyOn(shop.database), moneyOn(shop.other)];
    const outcomes = await Promise.all(
      Array.from({ length: 10 }, (_, at) => processes[at % 2]?.refund(id, 1_000)),
    );
    expect(outcomes.filter((outcome) => outcome?.kind === "recorded")).toHaveLength(4);
    expect(await ledger(id)).toEqual({
      received: 4_500,
      refundDue: 500,
      refunded: 4_000,
      missing: 0,
    });
  });

  test("that is sent twice with one key is refunded once; another refund with that key is refused", async () => {
    const { id, money } = await cancelledOrder();
    const [one, other] = await Promise.all([
      money.refund(id, 1_000, "k"),
      money.refund(id, 1_000, "k"),
    ]);
    expect([one.kind, other.kind].toSorted()).toEqual(["recorded", "repeated"]);
    expect(await money.refund(id, 1_001, "k")).toEqual({ kind: "key-reused" });
    expect(await ledger(id)).toEqual({
      received: 4_500,
      refundDue: 3_500,
      refunded: 1_000,
      missing: 0,
    });
    const elsewhere = await cancelledOrder();
    expect(await elsewhere.money.refund(elsewhere.id, 1_000, "k")).toMatchObject({
      kind: "recorded",
    });
  });

  test("is refused if another sum was refunded before than expected, unless the same key has recorded it", async () => {
    const { id, money } = await cancelledOrder();
    const processes = [money, moneyOn(shop.other)];
    const both = await Promise.all(processes.map((one, at) => one.refund(id, 1_000, `k${at}`, 0)));
    expect(both.map(({ kind }) => kind).toSorted()).toEqual(["changed-meanwhile", "recorded"]);
    const recorded = both.findIndex(({ kind }) => kind === "recorded");
    expect(await money.refund(id, 1_000, `k${recorded}`, 0)).toMatchObject({ kind: "repeated" });
    expect(await money.refund(id, 500, undefined, 2_000)).toMatchObject({
      kind: "changed-meanwhile",
    });
    expect(await ledger(id)).toEqual({
      received: 4_500,
      refundDue: 3_500,
      refunded: 1_000,
      missing: 0,
    });
    expect(await money.refund(id, 500, undefined, 1_000)).toMatchObject({ kind: "recorded" });
  });

  test("of an underpaid loan that is accepted pays the order, and the ledger says what is missing", async () => {
    const money = moneyOn(shop.database);
    const { id } = await shop.stored();
    const loan = aPaidLoan(id, { cents: 4_000 });
    await money.settle(loan);
    expect({ status: await status(id), ...(await ledger(id)) }).toEqual({
      status: "Pending",
      received: 4_000,
      refundDue: 0,
      refunded: 0,
      missing: 0,
    });
    await db()
      .updateTable("payment_issues")
      .set({ seen_at: 3 })
      .where("order_id", "=", id)
      .execute();
    expect(await money.resolve(loan, "underpaid", "accepted")).toMatchObject({ kind: "resolved" });
    expect({ status: await status(id), ...(await ledger(id)) }).toEqual({
      status: "PaymentProcessed",
      received: 4_000,
      refundDue: 0,
      refunded: 0,
      missing: 500,
    });
    expect((await findLedger(db(), id))?.entries, "received when it came").toMatchObject([
      { at: 3 },
    ]);
    const reasons = (await listEvents(db(), id)).map(({ reason }) => reason);
    expect(reasons.filter((reason) => reason?.includes("seen to"))).toEqual(["seen to"]);
    // What the provider says afterwards, and an extension of the loan, change nothing.
    await money.settle({ ...loan, providerStatus: "extended", wasExtended: true });
    await money.settle(aPaidLoan(id, { cents: 4_000 }));
    expect(await ledger(id)).toEqual({ received: 4_000, refundDue: 0, refunded: 0, missing: 500 });
    expect((await issuesOf(db(), id)).map(({ kind, resolution }) => [kind, resolution])).toEqual([
      ["underpaid", "accepted"],
    ]);
    expect(await money.resolve(loan, "underpaid", "accepted")).toMatchObject({
      kind: "resolved-already",
    });
  });

  test("of an underpaid loan that was accepted is to be refunded when the order is cancelled", async () => {
    const told: Announcement[] = [];
    const money = moneyOn(shop.database, told);
    const { id } = await shop.stored();
    const loan = aPaidLoan(id, { cents: 4_000 });
    await money.settle(loan);
    await money.resolve(loan, "underpaid", "accepted");
    await money.move({ orderId: id, to: "Cancelled", by });
    expect(await ledger(id)).toEqual({
      received: 4_000,
      refundDue: 4_000,
      refunded: 0,
      missing: 0,
    });
    expect(told.at(-2)).toMatchObject({ type: "order.cancelled", data: { refund_due: 4_000 } });
    expect(told.at(-1)).toMatchObject({
      type: "payment_issue.opened",
      subject: id,
      data: { loan_id: loan.id, kind: "paid-after-cancel", cents: 4_000 },
    });
    expect(await money.resolve(loan, "paid-after-cancel", "refunded")).toEqual({
      kind: "refund-due",
      cents: 4_000,
    });
  });

  test.each(["refunded", "not resolved"] as const)(
    "that came in too much and was refunded (its payment issue is %s) is not due again when the order is cancelled",
    async (state) => {
      const told: Announcement[] = [];
      const money = moneyOn(shop.database, told);
      const { id } = await shop.stored();
      const loan = aPaidLoan(id, { cents: 5_000 });
      await money.settle(loan);
      await money.refund(id, 500);
      if (state === "refunded") await money.resolve(loan, "overpaid", state);
      await money.move({ orderId: id, to: "Cancelled", by });
      expect(await ledger(id)).toEqual({
        received: 5_000,
        refundDue: 4_500,
        refunded: 500,
        missing: 0,
      });
      expect(told.at(-1)).toMatchObject({ data: { kind: "paid-after-cancel", cents: 4_500 } });
      expect(await issuesOf(db(), id)).toContainEqual(
        expect.objectContaining({
          kind: "paid-after-cancel",
          cents: 4_500,
          detail:
            "The order was cancelled after this loan of $50.00 had been paid out: refund $45.00.",
        }),
      );
      await money.refund(id, 4_499);
      expect(await money.resolve(loan, "overpaid", "refunded")).toMatchObject({
        kind: state === "refunded" ? "resolved-already" : "resolved",
      });
      expect(await money.resolve(loan, "paid-after-cancel", "refunded")).toEqual({
        kind: "refund-due",
        cents: 1,
      });
    },
  );

  test("that came in too much and is kept, and so is the rest after a cancellation: nothing is due", async () => {
    const money = moneyOn(shop.database);
    const { id } = await shop.stored();
    const loan = aPaidLoan(id, { cents: 5_000 });
    await money.settle(loan);
    await money.resolve(loan, "overpaid", "dismissed");
    await money.move({ orderId: id, to: "Cancelled", by });
    expect(await ledger(id)).toEqual({
      received: 5_000,
      refundDue: 4_500,
      refunded: 0,
      missing: 0,
    });
    await money.resolve(loan, "paid-after-cancel", "dismissed");
    expect(await ledger(id)).toEqual({ received: 5_000, refundDue: 0, refunded: 0, missing: 0 });
  });

  test("of an underpaid loan is due once another loan has paid", async () => {
    const money = moneyOn(shop.database);
    const { id } = await shop.stored();
    const small = aPaidLoan(id, { cents: 4_000 });
    await money.settle(small);
    await money.settle(aPaidLoan(id));
    expect({ status: await status(id), ...(await ledger(id)) }).toEqual({
      status: "PaymentProcessed",
      received: 8_500,
      refundDue: 4_000,
      refunded: 0,
      missing: 0,
    });
    expect(await money.resolve(small, "underpaid", "accepted")).toEqual({
      kind: "too-late",
      status: "PaymentProcessed",
    });
    await money.refund(id, 4_000);
    expect(await money.resolve(small, "underpaid", "refunded")).toMatchObject({
      kind: "resolved",
    });
    expect(await ledger(id)).toEqual({
      received: 8_500,
      refundDue: 0,
      refunded: 4_000,
      missing: 0,
    });
  });

  test("of an underpaid loan may be refunded while the order waits, and cannot pay it then", async () => {
    const money = moneyOn(shop.database);
    const { id } = await shop.stored();
    const small = aPaidLoan(id, { cents: 4_000 });
    await money.settle(small);
    await money.refund(id, 3_999);
    expect(await money.resolve(small, "underpaid", "accepted")).toEqual({ kind: "refunded" });
    await money.refund(id, 1);
    await money.resolve(small, "underpaid", "refunded");
    // The provider says by now that it covers the total.
    await money.settle({ ...small, cents: 4_500, providerStatus: "more" });
    expect({ status: await status(id), ...(await ledger(id)) }).toEqual({
      status: "Pending",
      received: 4_000,
      refundDue: 0,
      refunded: 4_000,
      missing: 0,
    });
    expect(await issuesOf(db(), id)).toContainEqual(
      expect.objectContaining({ kind: "changed-after-payout", resolved_at: null }),
    );
  });

  test("that came in too much is due, and is recorded once", async () => {
    const money = moneyOn(shop.database);
    const { id } = await shop.stored();
    const loan = aPaidLoan(id, { cents: 5_500 });
    await money.settle(loan);
    expect(await ledger(id)).toEqual({
      received: 5_500,
      refundDue: 1_000,
      refunded: 0,
      missing: 0,
    });
    await money.settle({ ...loan, providerStatus: "settled again" });
    expect((await issuesOf(db(), id)).map(({ kind, cents }) => [kind, cents])).toEqual([
      ["overpaid", 1_000],
    ]);
  });

  test("of a loan that the provider takes back stays counted, and a person is told", async () => {
    const money = moneyOn(shop.database);
    const { id } = await shop.stored();
    const loan = aPaidLoan(id);
    await money.settle(loan);
    await money.settle({ ...loan, state: "ended", providerStatus: "cancelled" });
    expect(await ledger(id)).toEqual({ received: 4_500, refundDue: 0, refunded: 0, missing: 0 });
    expect(await money.resolve(loan, "changed-after-payout", "dismissed")).toMatchObject({
      kind: "resolved",
    });
    await money.settle({ ...loan, state: "ended", providerStatus: "rejected" });
    expect(await issuesOf(db(), id)).toEqual([
      expect.objectContaining({ kind: "changed-after-payout", resolved_at: null }),
    ]);
  });

  test("of a loan for no order of the shop is resolved without a ledger", async () => {
    const money = moneyOn(shop.database);
    const loan = aLoan({ id: randomUUID(), state: "paid-out" });
    await money.settle(loan);
    expect(await money.resolve(loan, "unknown-order", "accepted")).toEqual({
      kind: "not-acceptable",
    });
    expect(await money.resolve(loan, "unknown-order", "refunded")).toMatchObject({
      kind: "resolved",
    });
    expect(await money.resolve(loan, "duplicate", "dismissed")).toEqual({ kind: "not-found" });
  });

  test("whose amount is not known is not refunded, until the loan is paid out and a refund is recorded", async () => {
    const money = moneyOn(shop.database);
    const { id } = await shop.stored();
    const loan = aPaidLoan(id, { cents: 4_000, state: "active" });
    await money.settle(loan);
    expect(await money.resolve(loan, "underpaid", "refunded")).toEqual({
      kind: "amount-unknown",
    });
    expect(await issuesOf(db(), id)).toEqual([
      expect.objectContaining({ cents: null, resolved_at: null }),
    ]);
    expect(await money.resolve(loan, "underpaid", "dismissed")).toMatchObject({ kind: "resolved" });
    // It is open again once money has come.
    await money.settle({ ...loan, state: "paid-out", providerStatus: "paid out" });
    expect(await money.resolve(loan, "underpaid", "refunded")).toEqual({
      kind: "refund-due",
      cents: 4_000,
    });
    await money.refund(id, 4_000);
    expect(await money.resolve(loan, "underpaid", "refunded")).toMatchObject({
      kind: "resolved",
    });
  });

  test.each([
    ["euros", { unfit: { kind: "other-asset", asset: "Eur" } }, "wrong-currency"],
    ["no amount", { cents: undefined, unfit: { kind: "no-amount", amount: "much" } }, "underpaid"],
  ] as const)(
    "that was paid out as %s has no amount to be refunded, and is dismissed",
    async (_, changes, kind) => {
      const money = moneyOn(shop.database);
      const { id } = await shop.stored();
      const loan = aPaidLoan(id, changes);
      await money.settle(loan);
      expect(await money.resolve(loan, kind, "refunded")).toEqual({ kind: "amount-unknown" });
      expect(await money.resolve(loan, kind, "dismissed")).toMatchObject({ kind: "resolved" });
      expect(await ledger(id)).toEqual({ received: 0, refundDue: 0, refunded: 0, missing: 0 });
    },
  );

  test("that a dispute is about stays counted as the payment: the payment issue is not refunded", async () => {
    const money = moneyOn(shop.database);
    const { id } = await shop.stored();
    const loan = aPaidLoan(id);
    await money.settle(loan);
    await money.settle({ ...loan, state: "unknown", isDisputed: true, providerStatus: "disputed" });
    expect(await money.resolve(loan, "disputed", "refunded")).toEqual({ kind: "amount-unknown" });
    expect(await ledger(id)).toEqual({ received: 4_500, refundDue: 0, refunded: 0, missing: 0 });
  });

  test.each(["dismissed", "refunded"] as const)(
    "of a loan that was presented for an order and named another: once it is %s, nothing is asked at the order",
    async (resolution) => {
      const told: Announcement[] = [];
      const money = moneyOn(shop.database, told);
      const { id } = await shop.stored();
      const unknown = randomUUID();
      const loan = aPaidLoan(unknown, { cents: 4_000 });
      await money.settle({ ...loan, state: "active" }, id);
      await money.settle(loan);
      expect([await open(id), await open(unknown)]).toEqual([["unknown-order"], ["unknown-order"]]);
      expect(await money.resolve(loan, "unknown-order", resolution, unknown)).toMatchObject({
        kind: "resolved",
      });
      expect([await open(id), await open(unknown)]).toEqual([[], []]);
      expect(await issuesOf(db(), id)).toEqual([
        expect.objectContaining({
          resolution: "dismissed",
          resolution_note: "seen to",
          resolved_by: "Ada",
        }),
      ]);
      expect((await listEvents(db(), id)).map(({ kind }) => kind)).toContain("issue-resolved");
      expect(told.filter(({ type }) => type === "payment_issue.resolved")).toHaveLength(2);
    },
  );

  test("of a loan that names another order stays to be dealt with when only the question at an order is dismissed", async () => {
    const money = moneyOn(shop.database);
    const { id } = await shop.stored();
    const unknown = randomUUID();
    const loan = aPaidLoan(unknown, { cents: 4_000 });
    await money.settle({ ...loan, state: "active" }, id);
    await money.settle(loan);
    await money.resolve(loan, "unknown-order", "dismissed", id);
    expect([await open(id), await open(unknown)]).toEqual([[], ["unknown-order"]]);
  });

  test.each(["duplicate", "underpaid"] as const)(
    "a payment issue %s that is no underpaid payment is not accepted",
    async (which) => {
      const money = moneyOn(shop.database);
      const { id } = await shop.stored();
      const [first, other] = [aPaidLoan(id), aPaidLoan(id, { cents: 4_000, state: "active" })];
      if (which === "duplicate") await money.settle(first);
      const loan = which === "duplicate" ? aPaidLoan(id) : other;
      await money.settle(loan);
      expect(await money.resolve(loan, which, "accepted")).toEqual({ kind: "not-acceptable" });
    },
  );

  test("accepted while the order is cancelled or paid by another loan: one wins, and the sums agree", async () => {
    const [one, other] = [moneyOn(shop.database), moneyOn(shop.other)];
    for (let round = 0; round < 8; round += 1) {
      const { id } = await shop.stored();
      const small = aPaidLoan(id, { cents: 4_000 });
      await one.settle(small);
      await Promise.all([
        one.resolve(small, "underpaid", "accepted"),
        round % 2 === 0
          ? other.move({ orderId: id, to: "Cancelled", by })
          : other.settle(aPaidLoan(id)),
      ]);
      const { received, refundDue } = await ledger(id);
      expect([await status(id), received, refundDue]).toEqual(
        round % 2 === 0 ? ["Cancelled", 4_000, 4_000] : ["PaymentProcessed", 8_500, 4_000],
      );
    }
  });
});
