import fc from "fast-check";
import { describe, expect, test } from "vitest";
import {
  type Account,
  balanceIn,
  balancesOf,
  hasOpenMoney,
  heldChangeOf,
  isDecision,
  type JournalEntry,
  type JournalKind,
  journalKinds,
  loanPayoutOf,
} from "./journal.ts";
import { type OrderStatus, orderStatuses } from "./order-status.ts";

const entry = (
  kind: JournalKind,
  amount: number,
  changes: Partial<JournalEntry> = {},
): JournalEntry => ({ kind, amount, unknown: 0, currency: "USD", loanId: "loan", ...changes });

/** The account of an order of $45.00. */
const account = (status: OrderStatus | "Returned", ...entries: JournalEntry[]): Account => ({
  order: { status, total: 4_500 },
  entries,
});
const withoutOrder = (...entries: JournalEntry[]): Account => ({ order: undefined, entries });

const received = entry("received", 4_500);
const again = entry("received", 4_500, { loanId: "another" });
const small = entry("received", 4_000);

/** The two entries of a granted refund. */
const granted = (amount: number): JournalEntry[] => [
  entry("waived", amount, { loanId: undefined, grant: "return" }),
  entry("refunded", amount, { grant: "return" }),
];

/** The sums that are not 0, without the part of the price that the shop has. */
function sums(money: Account) {
  const { currency: _, grantable: __, ...all } = balancesOf(money).shop;
  return Object.fromEntries(Object.entries(all).filter(([, sum]) => sum !== 0));
}

const whole = { received: 4_500, kept: 4_500 };
const due = (amount: number) => ({ refundable: amount, refundDue: amount });

describe("the balance of an order of $45.00", () => {
  test.each<[name: string, Account, ReturnType<typeof sums>]>([
    ["that awaits its payment", account("Pending"), {}],
    ["that is paid", account("PaymentProcessed", received), whole],
    ["that is delivered", account("Delivered", received), whole],
    [
      "that is underpaid and awaits its payment",
      account("PaymentProcessing", small),
      { received: 4_000, refundable: 4_000 },
    ],
    [
      "whose underpayment was accepted",
      account("PaymentProcessed", small, entry("waived", 500)),
      { received: 4_000, kept: 4_000, waivedOnAcceptance: 500 },
    ],
    [
      "whose underpayment was accepted, which was undone",
      account("PaymentProcessed", small, entry("waived", 500), entry("waived", -500)),
      { received: 4_000, kept: 4_000, missing: 500 },
    ],
    [
      "whose underpayment was accepted, and that was paid again",
      account("PaymentProcessed", small, entry("waived", 500), again),
      { received: 8_500, kept: 4_000, waivedOnAcceptance: 500, ...due(4_500) },
    ],
    [
      "whose underpayment was accepted, and that was cancelled",
      account("Cancelled", small, entry("waived", 500)),
      { received: 4_000, ...due(4_000) },
    ],
    [
      "that is overpaid",
      account("PaymentProcessed", entry("received", 5_500)),
      { received: 5_500, kept: 4_500, ...due(1_000) },
    ],
    [
      "that is paid twice",
      account("PaymentProcessed", received, again),
      { received: 9_000, kept: 4_500, ...due(4_500) },
    ],
    [
      "that is paid twice, and the second is refunded",
      account("PaymentProcessed", received, again, entry("refunded", 4_500)),
      { received: 9_000, kept: 4_500, refunded: 4_500 },
    ],
    [
      "whose refund did not arrive",
      account(
        "PaymentProcessed",
        received,
        again,
        entry("refunded", 4_500),
        entry("refund-reversed", 4_500),
      ),
      { received: 9_000, kept: 4_500, ...due(4_500) },
    ],
    [
      "that is paid twice, and the shop keeps the second",
      account("PaymentProcessed", received, again, entry("kept", 4_500)),
      { received: 9_000, kept: 9_000 },
    ],
    [
      "whose loan was extended",
      account("PaymentProcessed", received, again, entry("extension", -4_500)),
      whole,
    ],
    [
      "of which a part was granted",
      account("Delivered", received, ...granted(2_000)),
      { received: 4_500, refunded: 2_000, kept: 2_500, granted: 2_000 },
    ],
    [
      "of which all was granted",
      account("Delivered", received, ...granted(4_500)),
      { received: 4_500, refunded: 4_500, granted: 4_500 },
    ],
    [
      "of which a part was granted after an underpayment was accepted",
      account("Shipped", small, entry("waived", 500), ...granted(1_000)),
      { received: 4_000, refunded: 1_000, kept: 3_000, waivedOnAcceptance: 500, granted: 1_000 },
    ],
    [
      "whose granted refund did not arrive",
      account("Delivered", received, ...granted(2_000), entry("refund-reversed", 2_000)),
      { received: 4_500, kept: 2_500, granted: 2_000, ...due(2_000) },
    ],
    [
      "of which a part was granted, and that was cancelled",
      account("Cancelled", received, ...granted(2_000)),
      { received: 4_500, refunded: 2_000, ...due(2_500) },
    ],
    [
      "that is cancelled, and refunded in part",
      account("Cancelled", received, entry("refunded", 2_000)),
      { received: 4_500, refunded: 2_000, ...due(2_500) },
    ],
    [
      "whose payout was reversed",
      account("Shipped", received, entry("reversed", -4_500)),
      { missing: 4_500 },
    ],
    [
      "whose payout was reversed and written off",
      account("Shipped", received, entry("reversed", -4_500), entry("written-off", 4_500)),
      { writtenOff: 4_500 },
    ],
    [
      "whose loss is written off, and that is paid after all",
      account("Shipped", entry("written-off", 4_500), received),
      whole,
    ],
    [
      "that was refunded before the payout was reversed",
      account("Cancelled", received, entry("refunded", 4_500), entry("reversed", -4_500)),
      { refunded: 4_500, missing: 4_500 },
    ],
    [
      "whose amount was corrected",
      account("PaymentProcessed", received, entry("corrected", -500)),
      { received: 4_000, kept: 4_000, missing: 500 },
    ],
    [
      "that received the money of another account",
      account("PaymentProcessed", entry("transferred", 4_500)),
      whole,
    ],
    [
      "in a status of a newer version",
      account("Returned", received, again),
      { received: 9_000, kept: 4_500, ...due(4_500) },
    ],
    [
      "whose kept money was reversed, and that is paid again",
      account("Cancelled", received, entry("kept", 4_500), entry("reversed", -4_500), again),
      { received: 4_500, ...due(4_500) },
    ],
    [
      "whose kept money was reversed, and paid out again",
      account("Cancelled", received, entry("kept", 4_500), entry("reversed", -4_500), received),
      { received: 4_500, kept: 4_500 },
    ],
    [
      "whose kept loan turned out to be an extension",
      account(
        "PaymentProcessed",
        received,
        again,
        entry("kept", 4_500),
        entry("extension", -4_500),
        entry("received", 4_500, { loanId: "third" }),
      ),
      { received: 9_000, kept: 4_500, ...due(4_500) },
    ],
    [
      "of which the shop keeps more than it has",
      account("Cancelled", received, entry("kept", 4_500), entry("refunded", 1_000)),
      { received: 4_500, refunded: 1_000, kept: 3_500 },
    ],
  ])("%s", (_, money, expected) => {
    expect(sums(money)).toEqual(expected);
  });
});

describe("money without an order", () => {
  test.each<[name: string, Account, ReturnType<typeof sums>]>([
    ["is refund due", withoutOrder(received), { received: 4_500, ...due(4_500) }],
    [
      "is kept once it is written off",
      withoutOrder(received, entry("written-off", 4_500)),
      { received: 4_500, kept: 4_500, writtenOff: 4_500 },
    ],
    [
      "leaves when it is transferred to an order",
      withoutOrder(received, entry("transferred", -4_500)),
      {},
    ],
    [
      "that was refunded and reversed is missing",
      withoutOrder(received, entry("refunded", 4_500), entry("reversed", -4_500)),
      { refunded: 4_500, missing: 4_500 },
    ],
  ])("%s", (_, money, expected) => {
    expect(sums(money)).toEqual(expected);
  });
});

test("money in another currency pays no price, and is summed alone", () => {
  const euros = entry("received", 4_500, { currency: "EUR" });
  const balances = balancesOf(account("PaymentProcessed", received, euros));
  expect(balances.shop).toMatchObject({ received: 4_500, kept: 4_500, refundable: 0 });
  expect(balances.others).toMatchObject([
    { currency: "EUR", received: 4_500, kept: 0, refunded: 0, ...due(4_500) },
  ]);
  expect(balanceIn(balances, "EUR").refundDue).toBe(4_500);
  expect(balanceIn(balances, "CHF")).toMatchObject({ currency: "CHF", received: 0, refundable: 0 });
});

describe("an unknown amount", () => {
  const unknown = entry("received", 0, { unknown: 1 });

  test.each<[name: string, JournalEntry[], number]>([
    ["is open", [unknown], 1],
    ["is closed once it is kept", [unknown, entry("kept", 0, { unknown: -1 })], 0],
    ["is closed once it is reversed", [unknown, entry("reversed", 0, { unknown: -1 })], 0],
    [
      "stays closed when it becomes known later",
      [
        unknown,
        entry("written-off", 0, { unknown: -1 }),
        entry("corrected", 0, { unknown: -1 }),
        entry("received", 0, { unknown: 1, loanId: "another" }),
      ],
      1,
    ],
  ])("%s", (_, entries, unknownAmounts) => {
    const balances = balancesOf(account("Pending", ...entries));
    expect(balances.unknownAmounts).toBe(unknownAmounts);
    expect(hasOpenMoney(balances)).toBe(unknownAmounts > 0);
  });

  test("becomes money once it is known", () => {
    const known = entry("corrected", 4_500, { unknown: -1 });
    expect(balancesOf(account("Pending", unknown, known))).toMatchObject({
      shop: { refundable: 4_500 },
      unknownAmounts: 0,
    });
  });
});

test("open money is what may be refunded, in any currency", () => {
  expect(hasOpenMoney(balancesOf(account("Pending", small)))).toBe(true);
  expect(hasOpenMoney(balancesOf(account("PaymentProcessed", received)))).toBe(false);
  const euros = entry("received", 1, { currency: "EUR" });
  expect(hasOpenMoney(balancesOf(account("PaymentProcessed", received, euros)))).toBe(true);
});

test("a loan's payout does not depend on decisions of staff", () => {
  const euros = { currency: "EUR" };
  const entries = [
    entry("received", 4_500),
    entry("corrected", 100),
    entry("extension", -4_600),
    entry("kept", 10),
    again,
  ];
  expect(loanPayoutOf(entries, "loan")).toEqual({ currency: "USD", amount: 4_600, unknown: 0 });
  const inEuros = [...entries, entry("corrected", -4_600), entry("corrected", 4_000, euros)];
  expect(loanPayoutOf(inEuros, "loan")).toEqual({ currency: "EUR", amount: 4_000, unknown: 0 });
  expect(loanPayoutOf(entries, "unknown")).toBeUndefined();
});

/** Entries with their usual signs, so that no sum is negative. */
const anyEntry = fc
  .record({
    kind: fc.constantFrom(...journalKinds.filter((kind) => kind !== "reversed")),
    amount: fc.nat(10_000),
    currency: fc.constantFrom("USD", "EUR"),
    loanId: fc.constantFrom("a", "b", undefined),
    unknown: fc.constantFrom(0, 0, 1),
  })
  .map((generated) => (generated.kind === "extension" ? { ...generated, amount: 0 } : generated));
const anyAccount = fc.record({
  order: fc.option(
    fc.record({
      status: fc.constantFrom(...orderStatuses, "Returned"),
      total: fc.integer({ min: 1, max: 10_000 }),
    }),
    { nil: undefined },
  ),
  entries: fc.array(anyEntry, { maxLength: 12 }),
});

test("all money that was not refunded is kept or refundable", () => {
  fc.assert(
    fc.property(anyAccount, (sample) => {
      const { shop, others } = balancesOf(sample);
      for (const balance of [shop, ...others]) {
        expect(balance.kept + balance.refundable).toBe(
          Math.max(0, balance.received - balance.refunded),
        );
        expect(balance.refundDue === 0 || balance.refundDue === balance.refundable).toBe(true);
        for (const sum of [
          balance.kept,
          balance.refundable,
          balance.missing,
          balance.waivedOnAcceptance,
          balance.writtenOff,
        ])
          expect(sum).toBeGreaterThanOrEqual(0);
      }
    }),
  );
});

test("the price of a paid order is received, waived, written off or missing", () => {
  fc.assert(
    fc.property(anyAccount, (sample) => {
      fc.pre(sample.order !== undefined);
      const order = { ...sample.order, status: "Shipped" };
      const { received, refunded, waivedOnAcceptance, writtenOff, missing } = balancesOf({
        ...sample,
        order,
      }).shop;
      fc.pre(received >= refunded);
      const paid = Math.min(received - refunded, order.total - waivedOnAcceptance);
      expect(paid + waivedOnAcceptance + writtenOff + missing).toBe(order.total);
    }),
  );
});

test("balances do not depend on the order of entries, and opposite decisions cancel each other out", () => {
  fc.assert(
    fc.property(anyAccount, (sample) => {
      const before = balancesOf(sample);
      const { shop, unknownAmounts } = balancesOf({
        ...sample,
        entries: sample.entries.toReversed(),
      });
      expect({ shop, unknownAmounts }).toEqual({
        shop: before.shop,
        unknownAmounts: before.unknownAmounts,
      });
      const decisions = sample.entries.filter(({ kind }) =>
        ["kept", "waived", "written-off"].includes(kind),
      );
      const doubled = decisions.flatMap((decision) => [
        decision,
        { ...decision, amount: -decision.amount, unknown: -decision.unknown },
      ]);
      expect(balancesOf({ ...sample, entries: [...sample.entries, ...doubled] })).toEqual(before);
    }),
  );
});

test("the changes of what the shop holds sum to received less refunded, whatever staff decided", () => {
  const entries = journalKinds.map((kind, n) => entry(kind, 100 + n));
  const { received: brought, refunded } = balancesOf(withoutOrder(...entries)).shop;
  const changes = entries.map(heldChangeOf);
  expect(changes.reduce((sum, change) => sum + change, 0)).toBe(brought - refunded);
  expect(journalKinds.filter(isDecision)).toEqual(["kept", "waived", "written-off"]);
});

test.each<[name: string, Account, grantable: number]>([
  ["the price of a paid order", account("Shipped", received), 4_500],
  ["not what it received beyond the price", account("Shipped", received, again), 4_500],
  ["less what was granted", account("Shipped", received, ...granted(2_000)), 2_500],
  ["nothing after all was granted", account("Shipped", received, ...granted(4_500)), 0],
  ["less what was waived", account("Shipped", small, entry("waived", 500)), 4_000],
  ["nothing of a reversed payout", account("Shipped", received, entry("reversed", -4_500)), 0],
  ["nothing of an unpaid order", account("PaymentProcessing", small), 0],
  ["nothing of a cancelled order", account("Cancelled", received), 0],
  ["nothing without an order", withoutOrder(received), 0],
])("refunds can be granted of %s", (_, money, grantable) => {
  expect(balancesOf(money).shop.grantable).toBe(grantable);
});
