import { randomUUID } from "node:crypto";
import { describe, expect, test } from "vitest";
import { createMailChannels } from "../../apps/server/src/mail/mail-channels.ts";
import { findState } from "../../apps/server/src/orders/order-repository.ts";
import type { Announcement } from "../../apps/server/src/outbox/outbox.ts";
import { createCancelOrder } from "../../apps/server/src/payments/cancel-order.ts";
import { issuesOf, listIssues } from "../../apps/server/src/payments/issue-repository.ts";
import { findLedger } from "../../apps/server/src/payments/ledger-repository.ts";
import { aPaidLoan } from "../harness/builders.ts";
import { databaseKinds, useDatabase } from "../harness/databases.ts";
import { merchantAda as by, moneyOn, settlementOn, useCasesOn } from "../harness/use-cases.ts";

/** What the provider corrects, tells again or tells in another order than it happened. */
describe.each(databaseKinds)("corrections of money on $name", (kind) => {
  const shop = useDatabase(kind);
  const db = () => shop.database.db;
  const extended = { providerStatus: "Extended", wasExtended: true } as const;
  const status = async (orderId: string) => (await findState(db(), orderId))?.status;
  const sums = async (orderId: string) => {
    const { received, refundDue, refunded } = (await findLedger(db(), orderId)) ?? {};
    return { received, refundDue, refunded };
  };
  const open = async (orderId: string) =>
    (await issuesOf(db(), orderId))
      .filter(({ resolved_at }) => resolved_at === null)
      .map(({ loan_id, kind, cents }) => ({ loan: loan_id, kind, cents }));
  const ticking = () => {
    let time = 10;
    return () => {
      time += 1;
      return time;
    };
  };

  test.each([
    ["disputed", { state: "unknown", isDisputed: true, providerStatus: "DisputeLenderStarted" }],
    ["changed-after-payout", { state: "ended", providerStatus: "Cancelled" }],
  ] as const)("a second %s of a paid loan is open again, and announced", async (kind, change) => {
    const told: Announcement[] = [];
    const money = moneyOn(shop.database, told);
    const { id } = await shop.stored();
    const loan = aPaidLoan(id);
    await money.settle(loan);
    await money.settle({ ...loan, ...change });
    await money.settle(loan);
    await money.settle({ ...loan, ...change });
    expect(
      told.map(({ type }) => type).filter((type) => type === "payment_issue.opened"),
    ).toHaveLength(1);
    await money.resolve(loan, kind, "dismissed");
    await money.settle({ ...loan, ...change });
    expect(await open(id), "told again without a change").toEqual([]);
    await money.settle(loan);
    expect(await open(id)).toEqual([]);
    told.length = 0;
    await money.settle({ ...loan, ...change });
    expect(await open(id)).toEqual([{ loan: loan.id, kind, cents: null }]);
    expect(told.map(({ type }) => type)).toEqual(["payment_issue.opened"]);
  });

  test("what was dismissed about a paid loan stays closed when its status goes on", async () => {
    const money = moneyOn(shop.database);
    const [{ id }, other] = [await shop.stored(), await shop.stored()];
    const loan = aPaidLoan(id);
    await money.settle(loan);
    await money.settle({ ...loan, orderId: other.id });
    await money.resolve(loan, "changed-after-payout", "dismissed");
    await money.settle({ ...loan, orderId: other.id, providerStatus: "Closed" });
    expect(await open(id)).toEqual([]);
  });

  test("an underpaid loan that the provider has taken back is not accepted", async () => {
    const money = moneyOn(shop.database);
    const { id } = await shop.stored();
    const loan = aPaidLoan(id, { state: "active", providerStatus: "Requested" });
    await money.settle(loan);
    await money.settle({
      ...loan,
      state: "paid-out",
      cents: 4_000,
      providerStatus: "PrincipalGiven",
    });
    await money.settle({ ...loan, state: "ended", cents: 4_000, providerStatus: "Cancelled" });
    await money.resolve(loan, "changed-after-payout", "dismissed");
    expect(await money.resolve(loan, "underpaid", "accepted")).toEqual({ kind: "not-acceptable" });
    expect(await status(id)).toBe("Pending");
  });

  test("the announcement of a payment issue has the money that is stored", async () => {
    const told: Announcement[] = [];
    const money = moneyOn(shop.database, told);
    const { id } = await shop.stored();
    const loan = aPaidLoan(id, { state: "active", providerStatus: "Requested" });
    await money.settle(loan);
    await money.settle({ ...loan, state: "paid-out", cents: 4_000 });
    await money.settle({ ...loan, state: "paid-out", cents: 4_200 });
    const [stored] = await issuesOf(db(), id);
    expect(stored?.cents).toBe(4_000);
    expect(
      told.flatMap(({ type, data }) => (type === "payment_issue.opened" ? data?.cents : [])),
    ).toEqual([4_000, 4_000]);
  });

  test("the money of an extension that is seen before its loan stays on the list, with its amount", async () => {
    const told: Announcement[] = [];
    const money = moneyOn(shop.database, told);
    const { id } = await shop.stored();
    const [first, extension] = [aPaidLoan(id, extended), aPaidLoan(id)];
    await money.settle(extension);
    await money.move({ orderId: id, to: "Cancelled", by });
    expect(await open(id)).toEqual([
      { loan: extension.id, kind: "paid-after-cancel", cents: 4_500 },
    ]);
    told.length = 0;
    await money.settle(first);
    expect(await open(id)).toEqual([{ loan: first.id, kind: "paid-after-cancel", cents: 4_500 }]);
    expect(told.map(({ type, data }) => [type, data?.loan_id])).toEqual([
      ["payment_issue.resolved", extension.id],
      ["payment_issue.opened", first.id],
    ]);
    expect(await sums(id)).toEqual({ received: 4_500, refundDue: 4_500, refunded: 0 });
    await money.refund(id, 4_500);
    expect(await open(id)).toEqual([]);
    expect(await sums(id)).toEqual({ received: 4_500, refundDue: 0, refunded: 4_500 });
  });

  test("a cancelled order that an extension has paid, seen before its loan, is refunded once", async () => {
    const money = moneyOn(shop.database);
    const { id } = await shop.stored();
    await money.move({ orderId: id, to: "Cancelled", by });
    const [first, extension] = [aPaidLoan(id, extended), aPaidLoan(id)];
    await money.settle(extension);
    await money.settle(first);
    expect(await open(id)).toEqual([{ loan: first.id, kind: "paid-after-cancel", cents: 4_500 }]);
    await money.refund(id, 4_500);
    expect(await open(id)).toEqual([]);
    expect(await sums(id)).toEqual({ received: 4_500, refundDue: 0, refunded: 4_500 });
  });

  test("an overpaid extension that is seen before its loan is not refunded without a refund", async () => {
    const money = moneyOn(shop.database);
    const { id } = await shop.stored();
    const [first, extension] = [
      aPaidLoan(id, { cents: 5_000, ...extended }),
      aPaidLoan(id, { cents: 5_000 }),
    ];
    await money.settle(extension);
    await money.settle(first);
    expect(await money.resolve(first, "overpaid", "refunded")).toEqual({
      kind: "refund-due",
      cents: 500,
    });
    await money.refund(id, 500);
    expect(await open(id)).toEqual([]);
    expect(await sums(id)).toEqual({ received: 5_000, refundDue: 0, refunded: 500 });
  });

  test("a loan that was last seen under way is asked about before another one pays its order", async () => {
    const { id } = await shop.stored();
    const first = aPaidLoan(id, { state: "active", providerStatus: "CollateralConfirmed" });
    const now = { ...first, state: "paid-out", ...extended } as const;
    const { settle } = settlementOn(shop.database, {
      askAgain: async () => ({ kind: "found", value: now }),
    });
    await settle(first);
    await settle(aPaidLoan(id));
    await settle(now);
    expect(await status(id)).toBe("PaymentProcessed");
    expect(await open(id)).toEqual([]);
    expect(await sums(id)).toEqual({ received: 4_500, refundDue: 0, refunded: 0 });
  });

  test("money that named no order, and pays one now, is not listed as money of no order", async () => {
    const told: Announcement[] = [];
    const money = moneyOn(shop.database, told);
    const { id } = await shop.stored();
    const loan = aPaidLoan(id);
    await money.settle({ ...loan, orderId: undefined });
    await money.settle(loan);
    expect(await status(id)).toBe("PaymentProcessed");
    const listed = await listIssues(db(), { state: "open", limit: 500 });
    expect(listed.filter(({ loan_id }) => loan_id === loan.id)).toEqual([]);
    expect(told.map(({ type }) => type)).toContain("payment_issue.resolved");
  });

  test("an order whose too small payment was refunded can be cancelled by its shopper", async () => {
    const money = moneyOn(shop.database);
    const { id } = await shop.stored();
    const loan = aPaidLoan(id, { state: "active", providerStatus: "Requested" });
    const small = {
      ...loan,
      state: "paid-out",
      cents: 4_000,
      providerStatus: "PrincipalGiven",
    } as const;
    await money.settle(loan);
    await money.settle(small);
    expect(await status(id)).toBe("PaymentProcessing");
    await money.refund(id, 4_000);
    const remembered = await db().selectFrom("settled_loans").select("loan_id").execute();
    expect(
      remembered.map(({ loan_id }) => loan_id),
      "the next sweep settles it",
    ).not.toContain(loan.id);
    await money.settle(small);
    expect(await status(id)).toBe("Pending");
    const cancel = createCancelOrder({
      database: shop.database,
      changeStatuses: useCasesOn(shop.database).changeStatuses,
      check: async () => ({ bound: true, done: false, finding: "seen", deferred: false }),
    });
    expect(await cancel(id, { kind: "shopper" })).toEqual({ kind: "cancelled" });
  });

  test.each([
    ["has no refund for another one", false, "$5.00 by bank transfer"],
    ["has all of its refunds, also if another one is noted between them", true, "seen to"],
  ])("the note of a payment issue %s", async (_, isNotedBetween, other) => {
    const money = moneyOn(shop.database, [], ticking());
    const { id } = await shop.stored();
    const loan = aPaidLoan(id, { cents: 5_000 });
    await money.settle(loan);
    await money.refund(id, 500);
    await money.move({ orderId: id, to: "Cancelled", by });
    await money.refund(id, 4_000);
    if (isNotedBetween) await money.resolve(loan, "overpaid", "refunded");
    await money.refund(id, 500);
    const notes = (await issuesOf(db(), id)).map((one) => [one.kind, one.resolution_note]);
    expect(notes.toSorted()).toEqual([
      ["overpaid", other],
      ["paid-after-cancel", "$45.00 in 2 parts, the last: $5.00 by bank transfer"],
    ]);
  });

  test("a refund for two payment issues counts for each with its part", async () => {
    const money = moneyOn(shop.database, [], ticking());
    const { id } = await shop.stored();
    const [one, other] = [aPaidLoan(id), aPaidLoan(id, { cents: 6_000 })];
    for (const loan of [aPaidLoan(id), one, other]) await money.settle(loan);
    await money.refund(id, 5_500);
    expect(await money.resolve(one, "duplicate", "refunded")).toMatchObject({ kind: "resolved" });
    await money.refund(id, 5_000);
    const note = (await issuesOf(db(), id)).find(
      (loan) => loan.loan_id === other.id,
    )?.resolution_note;
    expect(note).toBe("$60.00 in 2 parts, the last: $50.00 by bank transfer");
  });

  test("nobody is told that a cancelled order is paid and will be shipped", async () => {
    const money = moneyOn(shop.database);
    const { id } = await shop.stored();
    const loan = aPaidLoan(id, { cents: 4_000 });
    await money.settle(loan);
    await money.resolve(loan, "underpaid", "accepted");
    const sent: string[] = [];
    const channels = createMailChannels({
      config: {
        server: { host: "mail.example" },
        from: { name: "Shop", address: "shop@mail.example" },
      } as never,
      sendMail: async ({ subject }) => {
        sent.push(subject);
        return { kind: "delivered", answer: "" };
      },
      database: shop.database,
      shopSettings: {
        current: () => ({ name: "Shop", accent: "#000000", contact: null }) as never,
      },
      publicUrl: "https://shop.example",
      deskUrl: "https://desk.example",
      keyOf: () => "key",
    });
    async function deliver(): Promise<readonly string[]> {
      sent.length = 0;
      const createdAt = shop.database.now();
      const delivery = {
        id: randomUUID(),
        target: "x",
        type: "order.paid",
        subject: id,
        data: {},
        createdAt,
      };
      for (const { deliver } of channels)
        await deliver({ ...delivery, attempts: 0, repeats: 0 }, new AbortController().signal);
      return sent;
    }
    expect(await deliver()).toHaveLength(2);
    await money.move({ orderId: id, to: "Cancelled", by });
    expect(await deliver()).toEqual([]);
  });
});
