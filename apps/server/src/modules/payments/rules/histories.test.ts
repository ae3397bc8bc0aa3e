import { type Balances, hasOpenMoney, sumOf } from "@keepsats/domain";
import type { Resolution } from "@keepsats/protocol";
import fc from "fast-check";
import { beforeEach, describe, expect, test } from "vitest";
import { aLoan } from "../../../../../../test/harness/builders.ts";
import { InMemoryMoney } from "../../../../../../test/harness/in-memory-money.ts";
import { ORDER } from "../../../../../../test/harness/loan-accounts.ts";
import {
  inEuros,
  OTHER_ORDER,
  ofUnknownAmount,
} from "../../../../../../test/harness/loan-reports.ts";
import { openLoansOf } from "./moves.ts";
import type { Loan } from "./types.ts";

// Each test is one history of reports and decisions. The order costs $12.00.

const THIRD_ORDER = "cccccccc-0000-4000-8000-000000000000";

let shop: InMemoryMoney;
beforeEach(() => {
  shop = new InMemoryMoney();
  shop.placeOrder(ORDER);
});

const report = (id: string, changes: Partial<Loan> = {}) =>
  aLoan({ id, orderId: ORDER, cents: 1_200, ...changes });
const active = (id: string, changes: Partial<Loan> = {}) =>
  report(id, { state: "active", providerStatus: "secured", ...changes });
const paidOut = (id: string, changes: Partial<Loan> = {}) =>
  report(id, { state: "paid-out", providerStatus: "paid out", ...changes });
const extended = (id: string, changes: Partial<Loan> = {}) =>
  paidOut(id, { wasExtended: true, providerStatus: "extended", ...changes });
const ended = (id: string, changes: Partial<Loan> = {}) =>
  report(id, { state: "ended", providerStatus: "Cancelled", ...changes });

/** The sums of the order in dollars that are not 0, and its open payment issues. */
function situation() {
  const { shop: dollars, unknownAmounts } = shop.balances(ORDER);
  const { received, kept, refundDue, refundable, refunded, missing } = dollars;
  const sums = { received, kept, refundDue, refundable, refunded, missing, unknownAmounts };
  const present = Object.entries(sums).filter(([, sum]) => sum !== 0);
  return {
    status: shop.statusOf(ORDER),
    ...Object.fromEntries(present),
    issues: shop.openIssues(),
  };
}

const paid = { status: "PaymentProcessed", received: 1_200, kept: 1_200, issues: [] };

describe("an extension", () => {
  test("brings no money when the provider stores it before it marks the earlier loan", () => {
    shop.report(active("first"));
    shop.report(paidOut("first"));
    expect(situation()).toEqual(paid);
    shop.report(paidOut("next"));
    expect(situation()).toEqual(paid);
    shop.now += 4_000;
    shop.report(extended("first"));
    expect(situation()).toEqual(paid);
    shop.pass(60_000);
    expect(situation()).toEqual(paid);
  });

  test("cannot be refunded", () => {
    shop.report(paidOut("first"));
    shop.report(paidOut("next"));
    expect(shop.refund({ orderId: ORDER }, { amount: 1_200 })).toBe("more_than_refundable");
  });

  test("is a duplicate if no loan is marked for a minute and a sweep", () => {
    shop.report(paidOut("first"));
    shop.report(paidOut("next"));
    shop.pass(59_999);
    expect(situation()).toEqual(paid);
    shop.pass(1);
    const twice = { received: 2_400, refundDue: 1_200, refundable: 1_200 };
    expect(situation()).toEqual({ ...paid, ...twice, issues: ["duplicate of next"] });
    shop.report(extended("first"));
    expect(situation()).toEqual(paid);
  });

  test("brings no money when a loan that was extended twice is reported newest first", () => {
    shop.report(paidOut("third"));
    shop.report(extended("second"));
    expect(situation()).toEqual(paid);
    shop.report(extended("first"));
    expect(situation()).toEqual(paid);
    shop.pass(60_000);
    expect(situation()).toEqual(paid);
  });

  test("brings no money in a chain of three extensions, in any order", () => {
    const reports = [extended("1"), extended("2"), extended("3"), paidOut("4")];
    fc.assert(
      fc.property(fc.shuffledSubarray(reports, { minLength: 4 }), (shuffled) => {
        shop = new InMemoryMoney();
        shop.placeOrder(ORDER);
        for (const one of shuffled) shop.report(one);
        shop.pass(60_000);
        expect(situation()).toEqual(paid);
      }),
    );
  });

  test("has the amount of the earlier loan, and was never seen active", () => {
    shop.report(extended("first"));
    shop.report(paidOut("other amount", { cents: 1_300 }));
    shop.report(active("active"));
    shop.report(paidOut("active"));
    shop.pass(60_000);
    expect(situation()).toMatchObject({
      received: 1_200 + 1_300 + 1_200 - 1_200,
      issues: ["duplicate of other amount"],
    });
  });

  test("brings no money for an underpaid loan that staff accepted", () => {
    shop.report(paidOut("first", { cents: 720 }));
    shop.resolve("underpaid", "first", "accepted");
    shop.report(paidOut("next", { cents: 720 }));
    shop.report(extended("first", { cents: 720 }));
    shop.pass(60_000);
    expect(situation()).toEqual({ ...paid, received: 720, kept: 720 });
  });
});

describe("money of unknown amount", () => {
  test.each([
    ["a payout in euros", inEuros, "wrong-currency of loan", {}],
    ["a payout of unknown amount", ofUnknownAmount, "underpaid of loan", { unknownAmounts: 1 }],
  ])("%s is open money, so the order cannot be cancelled", (_, changes, issue, sums) => {
    shop.report(paidOut("loan", changes));
    expect(situation()).toEqual({ status: "Pending", ...sums, issues: [issue] });
    expect(hasOpenMoney(shop.balances(ORDER))).toBe(true);
    expect(shop.cancel(ORDER)).toBe("transition_refused");
  });

  test("is known once its refund is recorded", () => {
    shop.report(paidOut("loan", ofUnknownAmount));
    expect(shop.resolve("underpaid", "loan", "dismissed")).toBe("money_open");
    expect(shop.resolve("underpaid", "loan", "refunded")).toBe("amount_unknown");
    shop.refund({ issue: shop.issue("underpaid", "loan") }, { amount: 10_000 });
    expect(situation()).toEqual({
      status: "Pending",
      received: 10_000,
      refunded: 10_000,
      issues: [],
    });
    // The provider still says the same.
    shop.report(paidOut("loan", ofUnknownAmount));
    expect(shop.cancel(ORDER)).toBe("cancel");
  });

  test("stays accepted when its amount becomes known later", () => {
    shop.report(paidOut("loan", ofUnknownAmount));
    shop.resolve("underpaid", "loan", "accepted");
    expect(situation()).toEqual({ status: "PaymentProcessed", issues: [] });
    shop.report(paidOut("loan"));
    expect(situation()).toEqual({ ...paid, issues: ["changed-after-payout of loan"] });
  });

  test("is refunded in euros if it was paid out in euros", () => {
    shop.report(paidOut("loan", inEuros));
    const issue = shop.issue("wrong-currency", "loan");
    expect(shop.refund({ orderId: ORDER }, { amount: 1_200 })).toBe("more_than_refundable");
    shop.refund({ issue }, { amount: 1_200 });
    expect(shop.openIssues()).toEqual([]);
    expect(shop.balances(ORDER).others).toMatchObject([
      { currency: "EUR", received: 1_200, refunded: 1_200, refundable: 0 },
    ]);
  });
});

describe("a payout that the provider reverses", () => {
  beforeEach(() => {
    shop.report(paidOut("loan"));
    shop.report(ended("loan"));
  });
  const reversed = {
    status: "PaymentProcessed",
    missing: 1_200,
    issues: ["changed-after-payout of loan"],
  };

  test("is missing, and the order stays paid", () => {
    expect(situation()).toEqual(reversed);
  });

  test("is not refunded when the order is cancelled", () => {
    shop.cancelByStaff(ORDER);
    expect(situation()).toEqual({ status: "Cancelled", issues: reversed.issues });
    expect(shop.refund({ orderId: ORDER }, { amount: 1 })).toBe("more_than_refundable");
  });

  test("is written off", () => {
    expect(shop.resolve("changed-after-payout", "loan", "written-off")).toBe("resolved");
    expect(situation()).toEqual({ status: "PaymentProcessed", issues: [] });
    expect(shop.balances(ORDER).shop.writtenOff).toBe(1_200);
    expect(shop.reopen("changed-after-payout", "loan")).toBe("reopened");
    expect(situation()).toEqual(reversed);
  });

  test("comes again", () => {
    shop.report(paidOut("loan"));
    expect(situation()).toEqual({ ...paid, issues: ["changed-after-payout of loan"] });
  });

  test("is a loss of the cancelled order if it was refunded before", () => {
    shop.report(paidOut("loan"));
    shop.cancelByStaff(ORDER);
    shop.refund({ orderId: ORDER }, { amount: 1_200 });
    shop.report(ended("loan"));
    expect(shop.balances(ORDER).shop).toMatchObject({
      received: 0,
      refunded: 1_200,
      missing: 1_200,
    });
    shop.resolve("changed-after-payout", "loan", "written-off");
    expect(shop.balances(ORDER).shop).toMatchObject({ missing: 0, writtenOff: 1_200 });
  });
});

test("the loans that may still be paid out for a cancelled order are known", () => {
  shop.report(active("loan"));
  expect(shop.cancel(ORDER)).toBe("loan_active");
  shop.cancelByStaff(ORDER);
  const open = openLoansOf(shop.account({ orderId: ORDER }));
  expect(open.map(({ id }) => id)).toEqual(["loan"]);
  shop.report(paidOut("loan"));
  expect(situation()).toEqual({
    status: "Cancelled",
    received: 1_200,
    refundDue: 1_200,
    refundable: 1_200,
    issues: ["paid-after-cancel of loan"],
  });
});

describe("$7.20 accepted for $12.00, then $12.00 paid", () => {
  beforeEach(() => {
    shop.report(paidOut("small", { cents: 720 }));
    expect(situation()).toEqual({
      status: "Pending",
      received: 720,
      refundable: 720,
      issues: ["underpaid of small"],
    });
    expect(shop.resolve("underpaid", "small", "accepted")).toBe("resolved");
    expect(situation()).toEqual({ ...paid, received: 720, kept: 720 });
    expect(shop.balances(ORDER).shop.waivedOnAcceptance).toBe(480);
    shop.report(active("whole"));
    shop.report(paidOut("whole"));
  });
  const both = {
    status: "PaymentProcessed",
    received: 1_920,
    kept: 720,
    refundDue: 1_200,
    refundable: 1_200,
    issues: ["duplicate of whole"],
  };

  test("the later payout is refund due as a whole", () => {
    expect(situation()).toEqual(both);
    expect(shop.resolve("duplicate", "whole", "refunded")).toBe("refund_due");
    shop.refund({ issue: shop.issue("duplicate", "whole") }, { amount: 1_200 });
    expect(situation()).toMatchObject({ kept: 720, refunded: 1_200, issues: [] });
    expect(shop.issue("duplicate", "whole").resolution).toBe("refunded");
  });

  test("staff can undo the acceptance and keep the later payout", () => {
    expect(shop.reopen("underpaid", "small")).toBe("reopened");
    expect(situation()).toEqual({
      ...both,
      kept: 1_200,
      refundDue: 720,
      refundable: 720,
      issues: ["underpaid of small"],
    });
    shop.refund({ issue: shop.issue("underpaid", "small") }, { amount: 720 });
    expect(situation()).toMatchObject({ kept: 1_200, refunded: 720, issues: [] });
  });

  test("staff can keep both payouts", () => {
    shop.resolve("duplicate", "whole", "accepted");
    expect(situation()).toEqual({ ...paid, received: 1_920, kept: 1_920 });
  });

  test("a refund that does not arrive is due again", () => {
    const refund = shop.refund({ orderId: ORDER }, { amount: 1_200 });
    expect(shop.openIssues()).toEqual([]);
    expect(shop.reopen("duplicate", "whole")).toBe("refund_stands");
    expect(shop.reverseRefund(refund)).toBe("reversed");
    expect(situation()).toEqual(both);
    expect(shop.reverseRefund(refund)).toBe("reversed_already");
  });
});

test("a time in the future does not silence what follows", () => {
  shop.report(active("loan", { updatedAt: shop.now + 1_000_000 }));
  shop.now += 1_000;
  shop.report(paidOut("loan", { updatedAt: shop.now }));
  expect(situation()).toEqual(paid);
});

describe("after the payout", () => {
  test("a loan that is active again changes no sum, and opens an issue", () => {
    shop.report(paidOut("loan"));
    shop.report(active("loan"));
    expect(situation()).toEqual({ ...paid, issues: ["changed-after-payout of loan"] });
    shop.resolve("changed-after-payout", "loan", "dismissed");
    shop.report(active("loan"));
    expect(situation()).toEqual(paid);
  });

  test("a higher amount is corrected, opens an issue, and is refund due", () => {
    shop.placeOrder(OTHER_ORDER, 30_900);
    shop.report(paidOut("loan", { orderId: OTHER_ORDER, cents: 30_900 }));
    shop.report(paidOut("loan", { orderId: OTHER_ORDER, cents: 38_725 }));
    expect(shop.balances(OTHER_ORDER).shop).toMatchObject({ received: 38_725, refundDue: 7_825 });
    expect(shop.openIssues()).toEqual(["changed-after-payout of loan", "overpaid of loan"]);
    shop.report(paidOut("loan", { orderId: OTHER_ORDER, cents: 30_900 }));
    expect(shop.balances(OTHER_ORDER).shop).toMatchObject({ received: 30_900, refundDue: 0 });
    expect(shop.openIssues()).toEqual(["changed-after-payout of loan"]);
  });
});

test("an order whose payout was refunded can be paid again", () => {
  shop.report(active("loan"));
  shop.report(paidOut("loan", { cents: 1_100 }));
  expect(situation()).toMatchObject({ status: "PaymentProcessing", refundable: 1_100 });
  shop.refund({ orderId: ORDER }, { amount: 1_100 });
  expect(situation()).toEqual({
    status: "Pending",
    received: 1_100,
    refunded: 1_100,
    issues: [],
  });
  expect(shop.issue("underpaid", "loan").resolution).toBe("refunded");
  shop.report(active("again"));
  shop.report(paidOut("again"));
  expect(shop.statusOf(ORDER)).toBe("PaymentProcessed");
  expect(shop.balances(ORDER).shop).toMatchObject({ kept: 1_200, refunded: 1_100, missing: 0 });
});

describe("a payout report", () => {
  test("has the time of the payout, not of the first report", () => {
    shop.report(active("loan", { updatedAt: 1_000 }));
    shop.report(paidOut("loan", { updatedAt: 500_000 }));
    expect(shop.payoutReports).toMatchObject([{ paidAt: 500_000, seenAt: shop.now }]);
    expect(shop.journal).toMatchObject([{ kind: "received", at: 500_000 }]);
  });

  test("has the time of the first report if the provider sends none", () => {
    shop.report(paidOut("loan"));
    expect(shop.journal).toMatchObject([{ kind: "received", at: shop.now }]);
  });

  test.each([
    [1_199.999_999_999_999_8, 1_199, 1_200],
    [1_200.4, 1_200, 1_200],
    [1_250.9, 1_250, 1_250],
    [1_199.4, 1_199, 1_199],
  ])(
    "of %d cents counts as %d rounded down, and as %d for the order",
    (exactCents, cents, counted) => {
      shop.report(paidOut("loan", { exactCents, cents, amountText: String(exactCents / 100) }));
      expect(shop.balances(ORDER).shop.received).toBe(counted);
      expect(shop.payoutReports).toMatchObject([{ providerAmount: String(exactCents / 100) }]);
    },
  );
});

describe("a payout that staff decide about", () => {
  test("can be in another currency", () => {
    shop.report(paidOut("loan", inEuros));
    expect(shop.resolve("wrong-currency", "loan", "accepted")).toBe("resolved");
    expect(situation()).toEqual({ status: "PaymentProcessed", issues: [] });
    expect(shop.balances(ORDER)).toMatchObject({
      shop: { waivedOnAcceptance: 1_200 },
      others: [{ currency: "EUR", kept: 1_200 }],
    });
    shop.reopen("wrong-currency", "loan");
    expect(situation()).toEqual({
      status: "PaymentProcessed",
      missing: 1_200,
      issues: ["wrong-currency of loan"],
    });
    shop.resolve("wrong-currency", "loan", "accepted");
    expect(situation()).toEqual({ status: "PaymentProcessed", issues: [] });
  });

  test("can have named another order when it was paid out", () => {
    shop.placeOrder(OTHER_ORDER);
    shop.report(active("loan"));
    shop.report(paidOut("loan", { orderId: OTHER_ORDER }));
    expect(situation()).toEqual({
      status: "PaymentProcessing",
      received: 1_200,
      refundable: 1_200,
      issues: ["unknown-order of loan"],
    });
    expect(shop.balances(OTHER_ORDER).shop.received).toBe(0);
    shop.resolve("unknown-order", "loan", "accepted");
    expect(situation()).toEqual(paid);
    expect(shop.reopen("unknown-order", "loan")).toBe("reopened");
    expect(situation()).toEqual({ ...paid, issues: ["unknown-order of loan"] });
  });

  const stray = () => {
    shop.report(paidOut("loan", { orderId: THIRD_ORDER }));
    expect(shop.openIssues()).toEqual(["unknown-order of loan"]);
    return shop.issue("unknown-order", "loan");
  };

  test("is refunded if it has no order", () => {
    shop.refund({ issue: stray() }, { amount: 1_000 });
    expect(shop.openIssues()).toEqual(["unknown-order of loan"]);
    expect(shop.resolve("unknown-order", "loan", "dismissed")).toBe("money_open");
    shop.refund({ issue: shop.issue("unknown-order", "loan") }, { amount: 200 });
    expect(shop.openIssues()).toEqual([]);
  });

  test.each<Resolution>(["written-off", "accepted"])("is %s if it has no order", (resolution) => {
    stray();
    expect(shop.resolve("unknown-order", "loan", resolution)).toBe("resolved");
    expect(shop.openIssues()).toEqual([]);
    // It belongs to no order any more.
    shop.placeOrder(THIRD_ORDER);
    shop.report(paidOut("loan", { orderId: ORDER }));
    expect(shop.openIssues()).toEqual(["changed-after-payout of loan"]);
    expect(situation()).toMatchObject({ status: "Pending" });
    expect(shop.balances(ORDER).shop.received).toBe(0);
  });

  test("pays the order that its loan names later", () => {
    stray();
    shop.report(paidOut("loan"));
    expect(situation()).toEqual(paid);
    expect(shop.journal.map(({ kind, amount }) => `${kind} ${amount}`)).toEqual([
      "received 1200",
      "transferred -1200",
      "transferred 1200",
    ]);
  });

  test("is underpaid if a part was refunded before its loan names an order", () => {
    shop.refund({ issue: stray() }, { amount: 500 });
    shop.report(paidOut("loan"));
    expect(situation()).toEqual({
      status: "Pending",
      received: 700,
      refundable: 700,
      issues: ["underpaid of loan"],
    });
  });
});

test("an overpayment above the limit asks the merchant to check first", () => {
  shop.report(paidOut("loan", { cents: 12_401 }));
  expect(situation()).toMatchObject({ refundDue: 11_201, issues: ["overpaid of loan"] });
  expect(shop.issue("overpaid", "loan").detail).toContain("before you refund");
  shop.placeOrder(OTHER_ORDER);
  shop.report(paidOut("less", { orderId: OTHER_ORDER, cents: 12_400 }));
  expect(shop.issue("overpaid", "less").detail).not.toContain("before you refund");
});

describe("further histories", () => {
  test("a reversed payment is replaced by a duplicate", () => {
    shop.report(active("first"));
    shop.report(active("second"));
    shop.report(paidOut("first"));
    shop.report(paidOut("second"));
    expect(shop.openIssues()).toEqual(["duplicate of second"]);
    shop.report(ended("first"));
    expect(situation()).toEqual({ ...paid, issues: ["changed-after-payout of first"] });
  });

  test("an order with two payments is cancelled: both are refunded", () => {
    shop.report(active("first"));
    shop.report(active("second"));
    shop.report(paidOut("first"));
    shop.report(paidOut("second"));
    shop.cancelByStaff(ORDER);
    expect(situation()).toMatchObject({
      refundDue: 2_400,
      issues: ["paid-after-cancel of first", "paid-after-cancel of second"],
    });
    shop.refund({ issue: shop.issue("paid-after-cancel", "second") }, { amount: 1_200 });
    expect(situation()).toMatchObject({
      refundDue: 1_200,
      issues: ["paid-after-cancel of first"],
    });
    expect(shop.resolve("paid-after-cancel", "first", "accepted")).toBe("resolved");
    expect(situation()).toMatchObject({ kept: 1_200, issues: [] });
  });

  test("a loan that was presented for another order is recorded once", () => {
    shop.placeOrder(OTHER_ORDER);
    shop.placeOrder(THIRD_ORDER);
    shop.report(paidOut("loan"), OTHER_ORDER);
    shop.report(paidOut("loan"), THIRD_ORDER);
    expect(shop.openIssues()).toEqual(["unknown-order of loan"]);
    shop.report(paidOut("loan"));
    expect(situation()).toEqual({ ...paid, issues: ["unknown-order of loan"] });
  });

  test("a loan that was too small before its payout and is not any more", () => {
    shop.report(active("loan", { cents: 1_000 }));
    expect(shop.openIssues()).toEqual(["underpaid of loan"]);
    shop.report(paidOut("loan"));
    expect(situation()).toEqual(paid);
  });
});

// ---- Properties --------------------------------------------------------------------------------

/** One loan's reports, in the provider's order: each has a later time. */
const anyLoan = fc
  .record({
    cents: fc.constantFrom(720, 1_200, 1_300),
    isSeenActive: fc.boolean(),
    isInEuros: fc.boolean(),
    orderId: fc.constantFrom(ORDER, ORDER, ORDER, OTHER_ORDER, THIRD_ORDER),
    after: fc.constantFrom("nothing", "extended", "ended", "paid-again"),
  })
  .map(({ cents, isSeenActive, isInEuros, orderId, after }) => (id: string) => {
    const same = { orderId, cents, ...(isInEuros ? inEuros : {}) };
    // A loan that cannot pay its order is not stored before its payout.
    const isStored = isSeenActive && !isInEuros && cents >= 1_200 && orderId !== THIRD_ORDER;
    return [
      ...(isStored ? [active(id, { ...same, updatedAt: 1 })] : []),
      paidOut(id, { ...same, updatedAt: 2 }),
      ...(after === "extended" ? [extended(id, { ...same, updatedAt: 3 })] : []),
      ...(after === "ended" || after === "paid-again"
        ? [ended(id, { ...same, updatedAt: 3 })]
        : []),
      ...(after === "paid-again" ? [paidOut(id, { ...same, updatedAt: 4 })] : []),
    ];
  });
const loansOfProvider = fc
  .array(anyLoan, { minLength: 1, maxLength: 5 })
  .map((loans) => loans.map((reportsOf, index) => reportsOf(`loan ${index}`)));

/** Merges the reports of several loans in any way that keeps the sequence of each loan. */
function merged(loans: readonly (readonly Loan[])[], choices: readonly number[]) {
  const left = loans.map((some) => [...some]);
  const all: Loan[] = [];
  for (let step = 0; left.some((some) => some.length > 0); step += 1) {
    const waiting = left.filter((some) => some.length > 0);
    const next = waiting[(choices[step % choices.length] ?? 0) % waiting.length]?.shift();
    if (next !== undefined) all.push(next);
  }
  return all;
}

const choices = fc.array(fc.nat(10), { minLength: 1, maxLength: 12 });

function aShop(): InMemoryMoney {
  const money = new InMemoryMoney();
  for (const id of [ORDER, OTHER_ORDER]) money.placeOrder(id);
  return money;
}

/** All balances of the orders and of the money without an order. */
function allBalances(money: InMemoryMoney): Record<string, Balances> {
  const loanIds = [...money.loans.values()].filter(({ orderId }) => orderId === undefined);
  return Object.fromEntries([
    ...[ORDER, OTHER_ORDER].map((id) => [id, money.balances(id)]),
    ...loanIds.map(({ id }) => [id, received(money, id)]).sort(),
  ]);
}

const received = (money: InMemoryMoney, loanId: string) =>
  sumOf(money.account({ loanId }).entries, ["received", "reversed", "corrected", "transferred"]);

test("any order of arrival of the same reports gives the same balances", () => {
  fc.assert(
    fc.property(loansOfProvider, choices, choices, (loans, one, other) => {
      const [first, second] = [one, other].map((some) => {
        const money = aShop();
        for (const loan of merged(loans, some)) money.report(loan);
        money.pass(60_000);
        return money;
      });
      if (first === undefined || second === undefined) throw new Error("there are two shops");
      expect(allBalances(second)).toEqual(allBalances(first));
    }),
    { numRuns: 500 },
  );
});

test("repeated and older reports change no balance", () => {
  fc.assert(
    fc.property(loansOfProvider, choices, fc.infiniteStream(fc.nat()), (loans, some, picks) => {
      const [once, repeating] = [aShop(), aShop()];
      const reports = merged(loans, some);
      const reported: Loan[] = [];
      for (const loan of reports) {
        once.report(loan);
        repeating.report(loan);
        reported.push(loan);
        const again = reported[(picks.next().value ?? 0) % reported.length];
        if (again !== undefined) repeating.report(again);
      }
      for (const money of [once, repeating]) money.pass(60_000);
      expect(allBalances(repeating)).toEqual(allBalances(once));
    }),
    { numRuns: 500 },
  );
});

test("the journal's sums are the provider's payouts, net of extensions and reversals, in one account each", () => {
  fc.assert(
    fc.property(loansOfProvider, choices, (loans, some) => {
      const money = aShop();
      for (const loan of merged(loans, some)) money.report(loan);
      money.pass(60_000);
      for (const reports of loans) {
        const last = reports.at(-1);
        if (last === undefined) continue;
        const own = money.journal.filter(({ loanId }) => loanId === last.id);
        const payout = sumOf(own, ["received", "reversed", "corrected", "transferred"]);
        expect(payout).toBe(last.state === "paid-out" ? last.cents : 0);
        expect(new Set(own.map(({ orderId }) => orderId)).size).toBe(1);
        const extension = sumOf(own, ["extension"]);
        expect([0, -payout]).toContain(extension);
      }
    }),
    { numRuns: 500 },
  );
});

/** What staff do, each if it is possible at the time. */
const staffAct = fc.oneof(
  fc.record({
    act: fc.constant("resolve" as const),
    pick: fc.nat(),
    resolution: fc.constantFrom<Resolution>("refunded", "accepted", "written-off", "dismissed"),
  }),
  fc.record({
    act: fc.constant("refund" as const),
    pick: fc.nat(),
    amount: fc.integer({ min: 1, max: 1_300 }),
  }),
  fc.record({
    act: fc.constant("grant" as const),
    pick: fc.nat(),
    amount: fc.integer({ min: 1, max: 1_300 }),
  }),
  fc.record({ act: fc.constant("cancel" as const), pick: fc.nat() }),
  fc.record({ act: fc.constant("reverse refund" as const), pick: fc.nat() }),
  fc.record({ act: fc.constant("reopen" as const), pick: fc.nat() }),
);
type StaffAct = typeof staffAct extends fc.Arbitrary<infer Act> ? Act : never;

function perform(money: InMemoryMoney, act: StaffAct): void {
  const open = money.issues.filter(({ resolution }) => resolution === undefined);
  const issue = open[act.pick % Math.max(1, open.length)];
  switch (act.act) {
    case "resolve":
      if (issue !== undefined) money.resolve(issue.kind, issue.loanId, act.resolution);
      return;
    case "refund":
      if (issue === undefined) money.refund({ orderId: ORDER }, { amount: act.amount });
      else money.refund({ issue }, { amount: act.amount });
      return;
    case "grant":
      money.refund({ orderId: ORDER }, { amount: act.amount, grant: "return" });
      return;
    case "cancel":
      if (money.statusOf(ORDER) !== "Cancelled") money.cancelByStaff(ORDER);
      return;
    case "reverse refund": {
      const refunds = money.journal.filter(({ kind }) => kind === "refunded");
      const refund = refunds[act.pick % Math.max(1, refunds.length)];
      if (refund?.refundId !== undefined) money.reverseRefund(refund.refundId);
      return;
    }
    case "reopen": {
      const resolved = money.issues.filter(({ resolution }) => resolution !== undefined);
      const one = resolved[act.pick % Math.max(1, resolved.length)];
      if (one !== undefined) money.reopen(one.kind, one.loanId);
      return;
    }
  }
}

const histories = fc.tuple(
  loansOfProvider,
  choices,
  fc.array(fc.tuple(fc.nat(20), staffAct), { maxLength: 12 }),
);

/** Plays a history. `check`: called after each step. */
function play(
  [loans, some, acts]: [Loan[][], number[], [number, StaffAct][]],
  check: (money: InMemoryMoney) => void = () => {},
): InMemoryMoney {
  const money = aShop();
  for (const [index, loan] of merged(loans, some).entries()) {
    money.report(loan);
    check(money);
    for (const [at, act] of acts) {
      if (at % 8 !== index) continue;
      perform(money, act);
      check(money);
    }
  }
  return money;
}

test("in any history, the balances add up, and open money has an open payment issue", () => {
  fc.assert(
    fc.property(histories, (history) => {
      play(history, (money) => {
        for (const orderId of [ORDER, OTHER_ORDER]) {
          const { shop: dollars, others, unknownAmounts } = money.balances(orderId);
          for (const one of [dollars, ...others]) {
            const { received: came, refunded, kept, refundable, refundDue } = one;
            expect(Math.max(0, came - refunded)).toBe(kept + refundable);
            expect([0, refundable]).toContain(refundDue);
            const decisions = [one.missing, one.waivedOnAcceptance, one.granted, one.writtenOff];
            for (const sum of [refunded, kept, refundable, one.grantable, ...decisions])
              expect(sum).toBeGreaterThanOrEqual(0);
            expect(one.grantable).toBeLessThanOrEqual(kept);
          }
          const isOpen = hasOpenMoney({ shop: dollars, others, unknownAmounts });
          const open = money.issues.filter(
            (issue) => issue.resolution === undefined && issue.orderId === orderId,
          );
          if (isOpen) expect(open).not.toEqual([]);
        }
      });
    }),
    { numRuns: 500 },
  );
});

test("a resolution that is undone restores the balances of the order", () => {
  const decisions = ["accepted", "written-off", "dismissed"] as const;
  fc.assert(
    fc.property(histories, fc.constantFrom(...decisions), fc.nat(), (history, resolution, pick) => {
      const money = play(history);
      const open = money.issues.filter((one) => one.resolution === undefined);
      const issue = open[pick % Math.max(1, open.length)];
      fc.pre(issue !== undefined);
      // Reopening undoes all resolutions of the issue.
      fc.pre(
        !money.journal.some(({ kind, issueId }) => issueId === issue.id && kind !== "refunded"),
      );
      const before = accounts(money);
      fc.pre(money.resolve(issue.kind, issue.loanId, resolution) === "resolved");
      const after = money.reopen(issue.kind, issue.loanId);
      fc.pre(after === "reopened");
      const statuses = new Map([...money.orders.values()].map(({ id, status }) => [id, status]));
      for (const [id, { account, status }] of before) {
        // An order that was accepted as paid stays so.
        if (statuses.get(id) === status) expect(money.balances(id)).toEqual(account);
      }
    }),
    { numRuns: 500 },
  );
});

test("in any history, a granted refund reduces what the shop keeps, and is due if it does not arrive", () => {
  fc.assert(
    fc.property(histories, fc.integer({ min: 1, max: 1_200 }), (history, amount) => {
      const money = play(history);
      const { shop: before } = money.balances(ORDER);
      const refundId = money.refund({ orderId: ORDER }, { amount, grant: "goodwill" });
      fc.pre(money.journal.some((entry) => entry.refundId === refundId));
      expect(money.balances(ORDER).shop).toEqual({
        ...before,
        refunded: before.refunded + amount,
        kept: before.kept - amount,
        granted: before.granted + amount,
        grantable: before.grantable - amount,
      });
      money.reverseRefund(refundId);
      // Money that comes back covers what is missing, and what staff decided to keep, first.
      fc.pre(before.missing + before.writtenOff === 0);
      fc.pre(money.journal.every(({ kind }) => kind !== "kept"));
      expect(money.balances(ORDER).shop).toMatchObject({ refundDue: amount, refundable: amount });
    }),
    { numRuns: 500 },
  );
});

function accounts(money: InMemoryMoney) {
  return new Map(
    [ORDER, OTHER_ORDER].map((id) => [
      id,
      { account: money.balances(id), status: money.statusOf(id) },
    ]),
  );
}
