import { balancesOf } from "@keepsats/domain";
import type { Resolution } from "@keepsats/protocol";
import { describe, expect, test } from "vitest";
import { aReport } from "../../../../../test/harness/in-memory-money.ts";
import {
  A,
  account,
  decisionInShort,
  entriesInShort,
  entry,
  euros,
  granted,
  grantReversed,
  other,
  received,
  reversed,
  stored,
  stray,
  twice,
  underpaid,
  unknown,
  withoutOrder,
} from "../../../../../test/harness/loan-accounts.ts";
import type { Loan } from "./loans/loan-provider-api.ts";
import {
  type Consequences,
  cancellationOf,
  consequencesOf,
  extensionEntries,
  isPresumptionOver,
  issueChanges,
  type KnownIssue,
  type LoanAccount,
  moneyIssues,
  type ReportFacts,
  reopeningOf,
  resolutionOf,
  type StoredLoan,
} from "./rules.ts";

// Every rule about money, as one table for each question. The order is A and costs $12.00.

const B = "bbbbbbbb-0000-4000-8000-000000000000";
const NOW = 10_000;

const loan = (state: StoredLoan["state"], changes: Partial<Loan> = {}) =>
  aReport({ orderId: A, state, providerStatus: `now ${state}`, ...changes });
const disputed = (changes: Partial<Loan> = {}) =>
  loan("unknown", { isDisputed: true, providerStatus: "InDispute", ...changes });

const inEuros = { unfit: { kind: "other-asset", asset: "EUR" } } as const;
const ofUnknownAmount = {
  cents: undefined,
  exactCents: undefined,
  amountText: "1e2",
  unfit: { kind: "no-amount", amount: "1e2" },
} as const;

/** Consequences in short: kind, stored state (and refusal), move, entries, newIssues. */
function inShort({ kind, storedLoan, move, entries, newIssues }: Consequences): string {
  const state =
    storedLoan === undefined ? "-" : [storedLoan.state, storedLoan.refusal ?? []].flat().join("/");
  const moved = move === undefined ? "-" : move.kind === "status" ? `→ ${move.to}` : move.kind;
  const more = [...entriesInShort(entries), ...newIssues.map((one) => `! ${one.kind}`)];
  return [kind, state, moved, ...more].join(", ");
}

type Facts = Partial<Omit<ReportFacts, "order">> & { status?: string; total?: number };

function consequences(report: Loan, facts: Facts = {}): Consequences {
  const { status = "Pending", total = 1_200, ...known } = facts;
  const orderId =
    known.stored === undefined ? report.orderId : (known.stored.orderId ?? report.orderId);
  return consequencesOf({
    loan: report,
    presentedFor: undefined,
    stored: undefined,
    orderId,
    order: orderId === A ? { id: A, status, total } : undefined,
    others: [],
    entries: [],
    now: NOW,
    ...known,
  });
}

const wasPaid = { stored: stored("paid-out"), entries: [received()], status: "PaymentProcessed" };
const wasReversed = {
  stored: stored("ended", { paidOutAt: 1 }),
  entries: [received(), entry("reversed", -1_200)],
  status: "PaymentProcessed",
};
const wasUnderpaid = {
  stored: stored("paid-out", { cents: 720, refusal: "underpaid" }),
  entries: [received(720)],
} as const;
describe("a report of the provider", () => {
  test.each<[what: string, report: Loan, facts: Facts, expected: string]>([
    // Before the payout
    ["that is active", loan("active"), {}, "bound, active, → PaymentProcessing"],
    ["that is active again", loan("active"), { status: "PaymentProcessing" }, "bound, active, -"],
    [
      "that is active, for a cancelled order",
      loan("active"),
      { status: "Cancelled" },
      "bound, active, -",
    ],
    [
      "that ended",
      loan("ended"),
      { stored: stored("active"), status: "PaymentProcessing" },
      "bound, ended, → Pending",
    ],
    ["that ended before it was bound", loan("ended"), {}, "bound, ended, note-failed-attempt"],
    [
      "that ended while another is active",
      loan("ended"),
      { stored: stored("active"), others: [other("active")], status: "PaymentProcessing" },
      "bound, ended, -",
    ],
    [
      "that ended while a refused payout waits for staff",
      loan("ended"),
      {
        stored: stored("active"),
        others: [other("paid-out", { refusal: "underpaid" })],
        status: "PaymentProcessing",
      },
      "bound, ended, → Pending",
    ],
    ["in a dispute", disputed(), {}, "bound, unknown, -, ! disputed"],
    [
      "in a dispute after it was active",
      disputed(),
      { stored: stored("active") },
      "bound, active, -, ! disputed",
    ],
    ["of an unknown status", loan("unknown"), {}, "bound, unknown, -, ! unrecognized"],
    ["of a cent too little", loan("active", { cents: 1_199 }), {}, "refused, -, -, ! underpaid"],
    ["in euros", loan("active", inEuros), {}, "refused, -, -, ! wrong-currency"],
    ["of unknown amount", loan("active", ofUnknownAmount), {}, "refused, -, -, ! underpaid"],
    ["for no order", loan("active", { orderId: undefined }), {}, "ignored, -, -"],
    ["for an order of another shop", loan("active", { orderId: B }), {}, "ignored, -, -"],
    ["of an order in a newer status", loan("paid-out"), { status: "Returned" }, "undecided, -, -"],
    [
      "that was presented for another order",
      loan("paid-out"),
      { presentedFor: B },
      "refused, -, -, ! unknown-order",
    ],

    // The first payout
    ["paid out", loan("paid-out"), {}, "bound, paid-out, → PaymentProcessed, received 1200"],
    [
      "paid out in a dispute before",
      loan("paid-out"),
      { stored: stored("unknown") },
      "bound, paid-out, → PaymentProcessed, received 1200",
    ],
    [
      "paid out for a paid order",
      loan("paid-out"),
      { status: "Shipped" },
      "bound, paid-out, -, received 1200",
    ],
    [
      "paid out for a cancelled order",
      loan("paid-out"),
      { status: "Cancelled" },
      "bound, paid-out, -, received 1200",
    ],
    [
      "paid out with too much",
      loan("paid-out", { cents: 1_500 }),
      {},
      "bound, paid-out, → PaymentProcessed, received 1500",
    ],
    [
      "paid out with too little",
      loan("paid-out", { cents: 720 }),
      {},
      "refused, paid-out/underpaid, -, received 720",
    ],
    [
      "paid out with too little by now",
      loan("paid-out", { cents: 720 }),
      { stored: stored("active"), status: "PaymentProcessing" },
      "refused, paid-out/underpaid, -, received 720",
    ],
    [
      "paid out with less than half a cent too little",
      loan("paid-out", { cents: 1_199, exactCents: 1_199.999 }),
      {},
      "bound, paid-out, → PaymentProcessed, received 1200",
    ],
    [
      "paid out with half a cent too little",
      loan("paid-out", { cents: 1_199, exactCents: 1_199.5 }),
      {},
      "refused, paid-out/underpaid, -, received 1199",
    ],
    [
      "paid out in euros",
      loan("paid-out", inEuros),
      {},
      "refused, paid-out/wrong-currency, -, received 1200 EUR",
    ],
    [
      "paid out in an unknown asset that is called like the shop's currency",
      loan("paid-out", { unfit: { kind: "unknown-asset", asset: "USD" } }),
      {},
      "refused, paid-out/wrong-currency, -, received 1200 another USD",
    ],
    [
      "paid out with an unknown amount",
      loan("paid-out", ofUnknownAmount),
      {},
      "refused, paid-out/underpaid, -, received 0 unknown 1",
    ],
    [
      "paid out with an unknown amount for a cheap order",
      loan("paid-out", ofUnknownAmount),
      { total: 1 },
      "refused, paid-out/underpaid, -, received 0 unknown 1",
    ],
    [
      "paid out for another order than before",
      loan("paid-out", { orderId: B }),
      { stored: stored("active") },
      "refused, paid-out/unknown-order, -, received 1200",
    ],
    [
      "paid out for no order",
      loan("paid-out", { orderId: undefined }),
      {},
      "refused, paid-out/unknown-order, -, received 1200 without an order",
    ],
    [
      "paid out with the amount of an accepted loan, which it may extend",
      loan("paid-out", { cents: 720 }),
      { others: [other("paid-out", { cents: 720 })], status: "PaymentProcessed" },
      "bound, paid-out, -, received 720",
    ],
    [
      "paid out with the amount of a refused loan",
      loan("paid-out", { cents: 720 }),
      { others: [other("paid-out", { cents: 720, refusal: "underpaid" })] },
      "refused, paid-out/underpaid, -, received 720",
    ],
    [
      "paid out, in an old report",
      loan("paid-out", { updatedAt: 1 }),
      { stored: stored("active", { updatedAt: 2 }) },
      "bound, paid-out, → PaymentProcessed, received 1200",
    ],

    // After the payout
    [
      "paid out still",
      loan("paid-out", { providerStatus: "reported as paid-out" }),
      wasPaid,
      "bound, -, -",
    ],
    ["paid out in another status", loan("paid-out"), wasPaid, "bound, paid-out, -"],
    ["reversed", loan("ended"), wasPaid, "bound, ended, -, reversed -1200, ! changed-after-payout"],
    [
      "reversed before",
      loan("ended", { providerStatus: "reported as ended" }),
      wasReversed,
      "bound, -, -",
    ],
    [
      "paid out again",
      loan("paid-out"),
      wasReversed,
      "bound, paid-out, -, received 1200, ! changed-after-payout",
    ],
    ["active again", loan("active"), wasPaid, "bound, paid-out, -, ! changed-after-payout"],
    [
      "that is repaid, and names no order since before",
      loan("paid-out", { orderId: undefined, providerStatus: "repaid" }),
      { ...wasPaid, stored: stored("paid-out", { namedOrderId: undefined }) },
      "bound, paid-out, -",
    ],
    ["in a dispute now", disputed(), wasPaid, "bound, paid-out, -, ! disputed"],
    [
      "in a dispute still",
      disputed(),
      { ...wasPaid, stored: stored("paid-out", { providerStatus: "InDispute" }) },
      "bound, -, -",
    ],
    [
      "of a higher amount",
      loan("paid-out", { cents: 1_500 }),
      wasPaid,
      "bound, paid-out, -, corrected 300, ! changed-after-payout",
    ],
    [
      "of a lower amount",
      loan("paid-out", { cents: 900 }),
      wasPaid,
      "bound, paid-out, -, corrected -300, ! changed-after-payout",
    ],
    [
      "of an unknown amount now",
      loan("paid-out", ofUnknownAmount),
      wasPaid,
      "bound, paid-out, -, corrected -1200 unknown 1, ! changed-after-payout",
    ],
    [
      "in euros now",
      loan("paid-out", inEuros),
      wasPaid,
      "bound, paid-out, -, corrected -1200, corrected 1200 EUR, ! changed-after-payout",
    ],
    [
      "of a higher amount, of which staff waived the rest",
      loan("paid-out", { cents: 1_500 }),
      {
        stored: stored("paid-out", { cents: 720 }),
        entries: [received(720), entry("waived", 480)],
        status: "PaymentProcessed",
      },
      "bound, paid-out, -, corrected 780, waived -480, ! changed-after-payout",
    ],
    [
      "for another order now",
      loan("paid-out", { orderId: B }),
      wasPaid,
      "bound, paid-out, -, ! changed-after-payout",
    ],
    [
      "older than what is stored",
      loan("active", { updatedAt: 1 }),
      { ...wasPaid, stored: stored("paid-out", { updatedAt: 2, wasActive: true }) },
      "bound, -, -",
    ],
    [
      "underpaid still, of the whole amount by now",
      loan("paid-out"),
      wasUnderpaid,
      "refused, paid-out/underpaid, -, corrected 480, ! changed-after-payout",
    ],

    // Money without an order
    [
      "that names an order now",
      loan("paid-out"),
      withoutOrder,
      "bound, paid-out, → PaymentProcessed, transferred -1200 without an order, transferred 1200",
    ],
    [
      "that names an order now, after a part was refunded",
      loan("paid-out"),
      {
        ...withoutOrder,
        entries: [...withoutOrder.entries, entry("refunded", 500, { orderId: undefined })],
      },
      "refused, paid-out/underpaid, -, transferred -700 without an order, transferred 700",
    ],
    [
      "that names an order now, after it was written off",
      loan("paid-out"),
      {
        ...withoutOrder,
        entries: [...withoutOrder.entries, entry("written-off", 1_200, { orderId: undefined })],
      },
      "refused, paid-out/unknown-order, -, ! changed-after-payout",
    ],
    [
      "reversed, without an order",
      loan("ended", { orderId: undefined }),
      withoutOrder,
      "refused, ended/unknown-order, -, reversed -1200 without an order, ! changed-after-payout",
    ],
  ])("%s", (_, report, facts, expected) => {
    expect(inShort(consequences(report, facts))).toBe(expected);
  });

  test("writes a receipt at the first payout only, with the provider's own amount", () => {
    const report = loan("paid-out", { amountText: "12.000", updatedAt: 5_000 });
    expect(consequences(report).receipt).toEqual({
      loanId: "loan",
      orderId: A,
      amount: 1_200,
      currency: "USD",
      providerAmount: "12.000",
      paidAt: 5_000,
      seenAt: NOW,
    });
    expect(consequences(loan("paid-out")).receipt?.paidAt).toBe(NOW);
    expect(consequences(report, wasPaid).receipt).toBeUndefined();
  });

  test("without a valid time, because it is in the future, does not make later reports look old", () => {
    const { storedLoan, futureTime } = consequences(loan("paid-out", { updatedAt: NOW + 1 }));
    expect(futureTime).toBe(NOW + 1);
    const ended = loan("ended", { updatedAt: NOW - 1 });
    const { entries } = consequences(ended, { ...wasPaid, stored: storedLoan });
    expect(entries.map(({ kind }) => kind)).toEqual(["reversed"]);
  });

  test("still proves, when it is old, that the loan was active and extended", () => {
    const known = { ...wasPaid, stored: stored("paid-out", { updatedAt: 2 }) };
    const wasActive = consequences(loan("active", { updatedAt: 1 }), known);
    expect(wasActive.storedLoan).toEqual({ ...known.stored, wasActive: true });
    const extended = loan("paid-out", { updatedAt: 1, wasExtended: true, cents: 1 });
    expect(consequences(extended, known).storedLoan).toEqual({
      ...known.stored,
      wasExtended: true,
    });
  });

  test("says all that changed in one sentence", () => {
    const report = loan("ended", { orderId: B, cents: 900, providerStatus: "Cancelled" });
    expect(consequences(report, wasPaid).newIssues).toMatchObject([
      {
        orderId: A,
        detail: `It was paid out, and the provider changed it since: its status is Cancelled; it names order ${B}.`,
      },
    ]);
  });

  test("writes no email about money that has not come yet", () => {
    const [newIssue] = consequences(loan("active", { cents: 1_199 })).newIssues;
    expect(newIssue).toEqual({
      kind: "underpaid",
      loanId: "loan",
      orderId: A,
      detail: "It lends $11.99; the order comes to $12.00.",
      withoutEmail: true,
      reopensResolved: false,
      oncePerLoan: false,
    });
  });
});

describe("an extension", () => {
  const both = (first: Partial<StoredLoan>, next: Partial<StoredLoan>): LoanAccount => ({
    order: { id: A, status: "PaymentProcessed", total: 1_200 },
    loans: [
      stored("paid-out", { id: "first", ...first }),
      stored("paid-out", { id: "next", paidOutAt: 2, ...next }),
    ],
    entries: [received(1_200, { loanId: "first" }), received(1_200, { loanId: "next" })],
  });

  test.each<[what: string, LoanAccount, extensions: string[]]>([
    [
      "is the later of two, if the first was extended",
      both({ wasExtended: true }, {}),
      ["next -1200"],
    ],
    [
      "is the later of two, if it is presumed",
      both({}, { presumedExtensionAt: 1 }),
      ["next -1200"],
    ],
    [
      "is the one that does not pay the order",
      both({ refusal: "underpaid" }, { wasExtended: true }),
      ["first -1200"],
    ],
    ["needs a mark", both({}, {}), []],
    [
      "was never seen active",
      both({ wasExtended: true, wasActive: true }, { wasActive: true }),
      [],
    ],
  ])("%s", (_, account, extensions) => {
    const entries = extensionEntries(account);
    expect(entries.map(({ loanId, amount }) => `${loanId} ${amount}`)).toEqual(extensions);
  });

  test("is entered once, and undone when its payout is reversed", () => {
    const marked = both({ wasExtended: true }, {});
    const entries = [...marked.entries, ...extensionEntries(marked)];
    expect(extensionEntries({ ...marked, entries })).toEqual([]);
    const taken = [...entries, entry("reversed", -1_200, { loanId: "first" })];
    const undone = extensionEntries({ ...marked, entries: taken });
    expect(undone).toMatchObject([{ loanId: "next", amount: 1_200 }]);
  });

  test("is presumed for a minute and a sweep", () => {
    const facts = { others: [other("paid-out")], status: "PaymentProcessed" };
    const { storedLoan } = consequences(loan("paid-out"), facts);
    expect(storedLoan?.presumedExtensionAt).toBe(NOW);
    const presumed = stored("paid-out", { presumedExtensionAt: NOW });
    const isOver = (now: number, lastSweepBegan: number) =>
      isPresumptionOver(presumed, { now, lastSweepBegan });
    expect(isOver(NOW + 60_000, NOW + 1)).toBe(true);
    expect(isOver(NOW + 59_999, NOW + 1)).toBe(false);
    expect(isOver(NOW + 90_000, NOW)).toBe(false);
    expect(isPresumptionOver(stored("paid-out"), { now: NOW, lastSweepBegan: NOW })).toBe(false);
  });

  test.each<[what: string, others: StoredLoan[], changes: Partial<Loan>]>([
    ["of another amount", [other("paid-out", { cents: 1_300 })], {}],
    ["whose earlier loan is marked", [other("paid-out", { wasExtended: true })], {}],
    ["that is marked itself", [other("paid-out")], { wasExtended: true }],
    ["beside a loan that was reversed", [other("ended", { paidOutAt: 1 })], {}],
    ["of unknown amount", [other("paid-out", { cents: undefined })], ofUnknownAmount],
  ])("is not presumed of a payout %s", (_, others, changes) => {
    const { storedLoan } = consequences(loan("paid-out", changes), {
      others,
      status: "PaymentProcessed",
    });
    expect(storedLoan?.presumedExtensionAt).toBeUndefined();
  });

  test.each([
    ["after another payout is a duplicate at once", 99, undefined],
    ["before another payout may be what that extends", 100, NOW],
  ])("of a payout that was active %s", (_, paidOutAt, expected) => {
    const { storedLoan } = consequences(loan("paid-out"), {
      stored: stored("active", { boundAt: 100 }),
      others: [other("paid-out", { paidOutAt })],
      status: "PaymentProcessed",
    });
    expect(storedLoan?.presumedExtensionAt).toBe(expected);
  });
});

describe("the money issues of an account", () => {
  test.each<[what: string, LoanAccount, issues: string[]]>([
    ["that is paid", account("PaymentProcessed"), []],
    [
      "that is underpaid",
      underpaid("Pending"),
      ["underpaid: It lends $7.20; the order comes to $12.00. It was paid out."],
    ],
    ["that is underpaid and refunded", underpaid("Pending", entry("refunded", 720)), []],
    [
      "of unknown amount",
      unknown("Pending"),
      [
        "underpaid: Its amount, 1e2, is not a valid dollar amount. It was paid out: ask the provider how much it lent.",
      ],
    ],
    [
      "in euros",
      euros("Pending"),
      ["wrong-currency: It lends EUR, which does not count as a dollar here. It was paid out."],
    ],
    [
      "that is overpaid",
      account("PaymentProcessed", { cents: 1_500 }),
      ["overpaid: It lent $15.00; the order comes to $12.00."],
    ],
    [
      "that is overpaid by an amount with a fraction of a cent",
      account("PaymentProcessed", { cents: 1_500, amountText: "15.009" }),
      [
        "overpaid: It lent $15.00; the order comes to $12.00. The provider writes 15.009, of which the fraction of a cent does not count.",
      ],
    ],
    [
      "that is paid twice",
      twice,
      ["duplicate: It was paid out, but the order had been paid already."],
    ],
    [
      "that is cancelled",
      account("Cancelled"),
      ["paid-after-cancel: It was paid out, and the order is cancelled."],
    ],
    [
      "that was renamed",
      account("PaymentProcessing", { namedOrderId: B, refusal: "unknown-order" }),
      [`unknown-order: It belongs to order ${A}, and was paid out for order ${B}.`],
    ],
    ["with a granted refund", granted(500), []],
    [
      "whose granted refund did not arrive",
      granted(500, grantReversed(500)),
      ["overpaid: A granted refund of $5.00 has not reached the customer."],
    ],
    [
      "whose price was granted as a whole, which did not arrive",
      granted(1_200, grantReversed(1_200)),
      ["overpaid: A granted refund of $12.00 has not reached the customer."],
    ],
    [
      "whose granted refund was made again",
      granted(500, grantReversed(500), entry("refunded", 500, { refundId: "again" })),
      [],
    ],
    [
      "with a granted refund that is paid twice",
      {
        ...granted(500, received(1_200, { loanId: "other" })),
        loans: [stored("paid-out"), other("paid-out", { paidOutAt: 2 })],
      },
      ["duplicate: It was paid out, but the order had been paid already."],
    ],
    ["without an order", stray, ["unknown-order: It was paid out for no order."]],
    ["whose payout was reversed", reversed, []],
    [
      "whose only money was refused",
      underpaid("PaymentProcessed"),
      ["underpaid: It lends $7.20; the order comes to $12.00. It was paid out."],
    ],
    [
      "that was paid in dollars that are euros now",
      account("PaymentProcessed", { currency: "EUR" }, [received(1_200, { currency: "EUR" })]),
      ["wrong-currency: It lends EUR, which does not count as a dollar here. It was paid out."],
    ],
  ])("%s", (_, some, issues) => {
    expect(moneyIssues(some).map(({ kind, detail }) => `${kind}: ${detail}`)).toEqual(issues);
  });

  const issueOf = (kind: string, changes: Partial<KnownIssue> = {}): KnownIssue => ({
    id: kind,
    kind,
    loanId: "loan",
    orderId: A,
    detail: "",
    resolution: undefined,
    ...changes,
  });

  test.each<[what: string, LoanAccount, KnownIssue[], open: string[], resolve: string[]]>([
    ["is opened", underpaid("Pending"), [], ["underpaid"], []],
    [
      "is opened again",
      underpaid("Pending"),
      [issueOf("underpaid", { resolution: "refunded" })],
      ["underpaid"],
      [],
    ],
    [
      "stays open",
      underpaid("Pending"),
      [
        issueOf("underpaid", {
          detail: "It lends $7.20; the order comes to $12.00. It was paid out.",
        }),
      ],
      [],
      [],
    ],
    [
      "ends by a refund",
      underpaid("Pending", entry("refunded", 720)),
      [issueOf("underpaid")],
      [],
      ["refunded: Its money was refunded."],
    ],
    [
      "ends by a reversal",
      reversed,
      [issueOf("overpaid")],
      [],
      ["dismissed: The provider took the payout back."],
    ],
    [
      "ends when its money pays the order",
      account("PaymentProcessed"),
      [issueOf("duplicate")],
      [],
      ["dismissed: Its money pays the order."],
    ],
    [
      "ends when the shop keeps it",
      underpaid("Cancelled", entry("kept", 720)),
      [issueOf("underpaid")],
      [],
      ["dismissed: The shop keeps its money."],
    ],
    [
      "becomes another one",
      account("Cancelled"),
      [issueOf("overpaid")],
      ["paid-after-cancel"],
      ["dismissed: It continues as another payment issue."],
    ],
    [
      "ends when its money goes to another account",
      {
        ...stray,
        entries: [...stray.entries, entry("transferred", -1_200, { orderId: undefined })],
      },
      [issueOf("unknown-order", { orderId: undefined })],
      [],
      ["dismissed: It names another order now, and its money is counted there."],
    ],
    [
      "leaves what has no money",
      account("PaymentProcessed"),
      [issueOf("disputed"), issueOf("unknown-order", { loanId: "presented" })],
      [],
      [],
    ],
  ])("%s", (_, some, issues, open, resolve) => {
    const changes = issueChanges(some, issues);
    expect(changes.open.map(({ kind }) => kind)).toEqual(open);
    expect(changes.resolve.map((one) => `${one.resolution}: ${one.note}`)).toEqual(resolve);
  });

  test("end for a presumed or certain extension", () => {
    const marked = {
      ...twice,
      loans: [stored("paid-out", { wasExtended: true }), other("paid-out", { paidOutAt: 2 })],
    };
    const entries = [...marked.entries, ...extensionEntries(marked)];
    const duplicate = issueOf("duplicate", { loanId: "other" });
    expect(issueChanges({ ...marked, entries }, [duplicate])).toEqual({
      open: [],
      resolve: [
        {
          issue: duplicate,
          resolution: "dismissed",
          note: "It extends another loan, so it brought no money.",
        },
      ],
    });
  });
});

const issue = (kind: string, some: LoanAccount, changes: Partial<KnownIssue> = {}): KnownIssue => ({
  id: "issue",
  kind,
  loanId: "loan",
  orderId: some.order?.id,
  detail: "",
  resolution: undefined,
  ...changes,
});

describe("a resolution by staff", () => {
  const all = { reversed, stray, twice };
  type Row = [kind: string, what: string, LoanAccount, Resolution, expected: string];
  test.each<Row>([
    [
      "underpaid",
      "that awaits",
      underpaid("Pending"),
      "accepted",
      "→ PaymentProcessed, refusal none, waived 480",
    ],
    ["underpaid", "that awaits", underpaid("Pending"), "refunded", "refund-due"],
    ["underpaid", "that awaits", underpaid("Pending"), "dismissed", "money-open"],
    ["underpaid", "that awaits", underpaid("Pending"), "written-off", "nothing-to-write-off"],
    [
      "underpaid",
      "that was refunded",
      underpaid("Pending", entry("refunded", 720)),
      "refunded",
      "-",
    ],
    [
      "underpaid",
      "that was refunded",
      underpaid("Pending", entry("refunded", 720)),
      "accepted",
      "not-acceptable",
    ],
    [
      "underpaid",
      "refunded in part",
      underpaid("Pending", entry("refunded", 20)),
      "accepted",
      "→ PaymentProcessed, refusal none, waived 500",
    ],
    ["underpaid", "of a cancelled order", underpaid("Cancelled"), "accepted", "-, kept 720"],
    [
      "underpaid",
      "of a paid order without other money",
      underpaid("PaymentProcessed"),
      "accepted",
      "-, refusal none, waived 480",
    ],
    [
      "underpaid",
      "of unknown amount",
      unknown("Pending"),
      "accepted",
      "→ PaymentProcessed, refusal none, waived 1200, kept 0 unknown -1",
    ],
    [
      "underpaid",
      "of unknown amount",
      unknown("Pending"),
      "written-off",
      "-, written-off 0 unknown -1",
    ],
    ["underpaid", "of unknown amount", unknown("Pending"), "refunded", "refund-due"],
    [
      "wrong-currency",
      "in euros",
      euros("Pending"),
      "accepted",
      "→ PaymentProcessed, refusal none, waived 1200, kept 1200 EUR",
    ],
    [
      "wrong-currency",
      "in euros, of a cancelled order",
      euros("Cancelled"),
      "accepted",
      "-, kept 1200 EUR",
    ],
    [
      "unknown-order",
      "renamed",
      account("PaymentProcessing", { refusal: "unknown-order" }),
      "accepted",
      "→ PaymentProcessed, refusal none",
    ],
    [
      "unknown-order",
      "without an order",
      all.stray,
      "written-off",
      "-, written-off 1200 without an order",
    ],
    ["unknown-order", "without an order", all.stray, "accepted", "-, kept 1200 without an order"],
    ["unknown-order", "without an order", all.stray, "dismissed", "money-open"],
    [
      "overpaid",
      "by $3.00",
      account("PaymentProcessed", { cents: 1_500 }),
      "accepted",
      "-, kept 300",
    ],
    ["paid-after-cancel", "not refunded", account("Cancelled"), "refunded", "refund-due"],
    ["changed-after-payout", "reversed", all.reversed, "written-off", "-, written-off 1200"],
    ["changed-after-payout", "reversed", all.reversed, "dismissed", "-"],
    ["changed-after-payout", "reversed", all.reversed, "refunded", "nothing-refunded"],
    ["changed-after-payout", "reversed", all.reversed, "accepted", "not-acceptable"],
    ["disputed", "of a paid order", account("PaymentProcessed"), "dismissed", "-"],
    [
      "disputed",
      "of a paid order",
      account("PaymentProcessed"),
      "written-off",
      "nothing-to-write-off",
    ],
  ])("%s, %s", (kind, _, some, resolution, expected) => {
    expect(decisionInShort(resolutionOf(issue(kind, some), resolution, some))).toBe(expected);
  });

  test("says how much must be refunded first", () => {
    const duplicate = issue("duplicate", twice, { loanId: "other" });
    expect(resolutionOf(duplicate, "refunded", twice)).toEqual({
      kind: "refund-due",
      amount: 1_200,
      currency: "USD",
    });
    expect(
      resolutionOf(issue("underpaid", unknown("Pending")), "refunded", unknown("Pending")),
    ).toEqual({
      kind: "refund-due",
      amount: undefined,
      currency: "USD",
    });
  });
});

describe("a resolution that staff undo", () => {
  const own = { issueId: "issue" };
  test.each<
    [what: string, kind: string, resolution: string | undefined, LoanAccount, expected: string]
  >([
    [
      "accepted",
      "underpaid",
      "accepted",
      account("PaymentProcessed", { cents: 720 }, [received(720), entry("waived", 480, own)]),
      "-, refusal underpaid, waived -480",
    ],
    [
      "written off",
      "unknown-order",
      "written-off",
      {
        ...stray,
        entries: [...stray.entries, entry("written-off", 1_200, { ...own, orderId: undefined })],
      },
      "-, written-off -1200 without an order",
    ],
    ["dismissed", "disputed", "dismissed", account("PaymentProcessed"), "-"],
    [
      "refunded",
      "underpaid",
      "refunded",
      underpaid("Pending", entry("refunded", 720)),
      "refund-stands",
    ],
    [
      "by the shop, because its money pays the order",
      "duplicate",
      "dismissed",
      account("PaymentProcessed"),
      "nothing-open",
    ],
    ["not at all", "underpaid", undefined, underpaid("Pending"), "not-resolved"],
  ])("%s", (_, kind, resolution, some, expected) => {
    expect(decisionInShort(reopeningOf(issue(kind, some, { resolution }), some))).toBe(expected);
  });
});

describe("a cancellation of an unpaid order", () => {
  type Some = Partial<LoanAccount> & {
    readonly status?: string;
    readonly unclear?: string[];
    readonly blockingIds?: string[];
  };
  test.each<[what: string, Some, expected: string]>([
    ["without loans", {}, "cancel"],
    ["whose loans ended", { loans: [stored("ended"), other("ended")] }, "cancel"],
    ["whose loan is active", { loans: [stored("active")] }, "loan-active"],
    ["whose loan is disputed", { loans: [stored("unknown")] }, "loan-active"],
    [
      "whose loan was presented without the key",
      { loans: [stored("active")], blockingIds: [] },
      "cancel",
    ],
    ["with a loan that pays it", { loans: [stored("paid-out")] }, "paid"],
    ["with money that does not pay it", underpaid("Pending"), "paid"],
    ["with money of unknown amount", unknown("Pending"), "paid"],
    ["whose money was refunded", underpaid("Pending", entry("refunded", 720)), "cancel"],
    ["with a loan that the provider gave no answer about", { unclear: ["c"] }, "undecided"],
    [
      "with one active and one without an answer",
      { loans: [stored("active")], unclear: ["c"] },
      "loan-active",
    ],
    ["that is paid", { status: "PaymentProcessed", loans: [stored("paid-out")] }, "refused"],
    ["that is shipped", { status: "Shipped" }, "refused"],
    ["in a newer status", { status: "Returned" }, "refused"],
    [
      "that is cancelled",
      { status: "Cancelled", loans: [stored("active")], unclear: ["c"] },
      "unchanged",
    ],
  ])(
    "%s",
    (_, { status = "Pending", loans = [], entries = [], unclear = [], blockingIds }, expected) => {
      const order = { id: A, status, total: 1_200 };
      const { kind } = cancellationOf({
        account: { order, loans, entries },
        unclear,
        blockingIds: blockingIds === undefined ? undefined : new Set(blockingIds),
      });
      expect(kind).toBe(expected);
    },
  );

  test("makes all its money refund due", () => {
    expect(balancesOf(account("Cancelled")).shop.refundDue).toBe(1_200);
    const cancelled = account("Cancelled", { state: "ended" }, wasReversed.entries);
    expect(balancesOf(cancelled).shop.refundDue).toBe(0);
  });
});
