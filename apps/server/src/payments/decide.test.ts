import type { OrderStatus } from "@keepsats/domain";
import type { LoanState } from "@keepsats/protocol";
import { describe, expect, test } from "vitest";
import { aLoan } from "../../../../test/harness/builders.ts";
import { decide } from "./decide.ts";
import type { Claim, Decision, Known } from "./decision.ts";
import type { Loan, Unfit } from "./loan.ts";
import type { BoundLoan } from "./loan-repository.ts";

const A = "aaaaaaaa-0000-4000-8000-000000000000";
const B = "bbbbbbbb-0000-4000-8000-000000000000";

const told = (state: LoanState, changes: Partial<Loan> = {}) =>
  aLoan({ orderId: A, state, ...changes });
const disputed = (providerStatus = "a dispute") =>
  told("unknown", { isDisputed: true, providerStatus });
const extended = (changes: Partial<Loan> = {}) =>
  told("paid-out", { wasExtended: true, providerStatus: "extended", ...changes });

const bound = (state: LoanState, changes: Partial<BoundLoan> = {}): BoundLoan => ({
  id: "loan",
  orderId: A,
  providerStatus: `told as ${state}`,
  state,
  wasExtended: false,
  cents: 4_500,
  extends: undefined,
  boundAt: 1,
  updatedAt: 0,
  ...changes,
});

const earlier = (changes: Partial<BoundLoan> = {}) =>
  bound("paid-out", { id: "earlier", ...changes });

/** Decides about a loan; its order is A, which costs 45 dollars. */
function decideOn(
  loan: Loan,
  { status = "Pending", ...known }: Partial<Known> & { status?: string } = {},
): Decision {
  return decide({
    loan,
    presentedFor: undefined,
    bound: undefined,
    orderId: A,
    order: { status, total: 4_500 },
    others: [],
    asked: new Set(),
    ...known,
  });
}

/**
 * A decision in short: its kind, the stored state, the change of the order, and the payment issues.
 */
function inShort(decision: Decision) {
  if (decision.kind === "ask-first") return `ask about ${decision.loanId}`;
  if (decision.kind === "undecided") return "undecided";
  const { move, store, issues } = decision;
  return [
    decision.kind,
    store?.state ?? "-",
    move === undefined ? "-" : move.kind === "to" ? move.to : move.kind,
    ...issues.map(({ kind }) => kind),
  ].join(" ");
}

describe("a decision by the state of the loan", () => {
  test.each<
    [what: string, loan: Loan, order: OrderStatus, known: BoundLoan | undefined, decision: string]
  >([
    ["active", told("active"), "Pending", undefined, "bound active PaymentProcessing"],
    ["active", told("active"), "PaymentProcessing", undefined, "bound active -"],
    ["active", told("active"), "Cancelled", undefined, "bound active -"],
    ["paid out", told("paid-out"), "Pending", undefined, "bound paid-out PaymentProcessed"],
    [
      "paid out",
      told("paid-out"),
      "PaymentProcessing",
      bound("active"),
      "bound paid-out PaymentProcessed",
    ],
    [
      "paid out",
      told("paid-out"),
      "Cancelled",
      bound("active"),
      "bound paid-out - paid-after-cancel",
    ],
    ["paid out", told("paid-out"), "Pending", bound("unknown"), "bound paid-out PaymentProcessed"],
    ["ended", told("ended"), "PaymentProcessing", bound("active"), "bound ended Pending"],
    ["ended", told("ended"), "Pending", undefined, "bound ended note-attempt-over"],
    // A dispute can be opened before the payout, so it does not prove a payment.
    ["in dispute", disputed(), "Pending", undefined, "bound unknown - disputed"],
    ["in dispute", disputed(), "PaymentProcessing", bound("active"), "bound active - disputed"],
    ["in dispute", disputed(), "PaymentProcessed", bound("paid-out"), "bound paid-out - disputed"],
    // The payment issue is recorded once and not again while the status stays the same.
    [
      "in dispute still",
      disputed(),
      "PaymentProcessed",
      bound("paid-out", { providerStatus: "a dispute" }),
      "bound - -",
    ],
    [
      "unknown",
      told("unknown"),
      "PaymentProcessed",
      bound("paid-out"),
      "bound paid-out - unrecognized",
    ],
    ["unknown", told("unknown"), "Pending", undefined, "bound unknown - unrecognized"],
    [
      "unknown",
      told("unknown"),
      "PaymentProcessing",
      bound("active"),
      "bound active - unrecognized",
    ],
    // A paid loan stays paid; a change by the provider is recorded as a payment issue.
    [
      "ended",
      told("ended"),
      "PaymentProcessed",
      bound("paid-out"),
      "bound paid-out - changed-after-payout",
    ],
    ["ended", told("ended"), "Shipped", bound("paid-out"), "bound paid-out - changed-after-payout"],
    ["active", told("active"), "PaymentProcessed", bound("paid-out"), "bound paid-out -"],
    [
      "paid out, with another status",
      told("paid-out", { providerStatus: "repaid" }),
      "Delivered",
      bound("paid-out"),
      "bound paid-out -",
    ],
    ["extended", extended(), "PaymentProcessed", bound("paid-out"), "bound paid-out -"],
  ])("a loan that is %s pays as it should", (_, loan, status, known, decision) => {
    expect(inShort(decideOn(loan, { status, bound: known }))).toBe(decision);
  });
});

const euros: Unfit = { kind: "other-asset", asset: "euros" };
const someToken: Unfit = { kind: "unknown-asset", asset: "a token named like a dollar" };

describe("the conditions under which a loan pays an order", () => {
  test.each<[what: string, changes: Partial<Loan>, known: BoundLoan | undefined, decision: string]>(
    [
      ["a cent too little", { cents: 4_499 }, undefined, "refused - - underpaid"],
      ["a cent too little by now", { cents: 4_499 }, bound("active"), "bound active - underpaid"],
      ["euros", { unfit: euros }, undefined, "refused - - wrong-currency"],
      [
        "a token that is named like a dollar",
        { unfit: someToken },
        undefined,
        "refused - - wrong-currency",
      ],
      ["the same by now", { unfit: someToken }, bound("active"), "bound active - wrong-currency"],
      ["no order by now", { orderId: undefined }, bound("active"), "bound active - unknown-order"],
      [
        "words by now",
        { orderId: undefined, isMisnamed: true },
        bound("active"),
        "bound active - unknown-order",
      ],
      [
        "another order by now",
        { orderId: B },
        bound("active"),
        "bound active - unknown-order unknown-order",
      ],
    ],
  )("paid out with %s it does not", (_, changes, known, decision) => {
    const decided = decideOn(told("paid-out", changes), {
      status: "PaymentProcessing",
      bound: known,
    });
    expect(inShort(decided)).toBe(decision);
  });

  test("a loan whose amount is not known pays no order, however cheap it is", () => {
    const decision = decideOn(told("paid-out", { cents: undefined }), {
      order: { status: "Pending", total: 1 },
    });
    expect(inShort(decision)).toBe("refused - - underpaid");
  });

  test("a payout that names another order is recorded for both orders", () => {
    const decision = decideOn(told("paid-out", { orderId: B }), {
      bound: bound("active"),
    });
    expect(decision).toMatchObject({ issues: [{ orderId: A }, { orderId: B }] });
  });

  test.each<[what: string, changes: Partial<Loan>, change: string]>([
    ["an amount of nothing", { cents: 0 }, "it lends $0.00"],
    ["another asset", { unfit: euros }, "it lends euros"],
    ["another order", { orderId: B }, `it names order ${B}`],
    ["words in place of an order", { orderId: undefined, isMisnamed: true }, "no order id"],
    [
      "a rejection and no order",
      { state: "ended", providerStatus: "given up", orderId: undefined },
      "given up; it names no order",
    ],
  ])(
    "a paid loan that is reported with %s later is recorded as a payment issue",
    (_, changes, change) => {
      const decision = decideOn(told("paid-out", changes), {
        bound: bound("paid-out"),
        status: "Shipped",
      });
      expect(inShort(decision)).toMatch(/changed-after-payout$/);
      expect(decision).toMatchObject({ issues: [{ detail: expect.stringContaining(change) }] });
    },
  );

  test("the payment issue of an underpaid loan says whether it was paid out", () => {
    const details = (["active", "paid-out"] as const).map((state) => {
      const decision = decideOn(told(state, { cents: 4_499 }));
      return "issues" in decision ? decision.issues[0]?.detail : undefined;
    });
    expect(details).toEqual([
      "It lends $44.99; the order comes to $45.00.",
      "It lends $44.99; the order comes to $45.00. It was paid out.",
    ]);
  });

  test("the amount at payout is kept, whatever the provider reports later", () => {
    const changed = decideOn(told("paid-out", { providerStatus: "repaid", cents: 0 }), {
      bound: bound("paid-out"),
      status: "Shipped",
    });
    expect(changed).toMatchObject({ store: { providerStatus: "repaid", cents: 4_500 } });
  });
});

test("all changes of a paid loan are in one sentence", () => {
  const loan = told("ended", { orderId: B, cents: 1_250, providerStatus: "unwound" });
  const decision = decideOn(loan, { bound: bound("paid-out"), status: "Shipped" });
  expect(decision).toMatchObject({
    issues: [
      {
        kind: "changed-after-payout",
        detail:
          "It was paid out, and the provider changed it since: its status is unwound; it lends $12.50; it names order " +
          `${B}.`,
        orderId: A,
      },
    ],
  });
});

describe("an extension", () => {
  const paid = { status: "PaymentProcessed" } as const;

  test("is linked to the extended loan, and is not a second payment", () => {
    const decision = decideOn(told("paid-out"), {
      ...paid,
      others: [earlier({ wasExtended: true })],
    });
    expect(inShort(decision)).toBe("bound paid-out -");
    expect(decision).toMatchObject({ store: { extends: "earlier" } });
  });

  test.each<OrderStatus>(["Shipped", "Cancelled"])(
    "of an order that is %s is none either",
    (status) => {
      const others = [earlier({ wasExtended: true })];
      expect(inShort(decideOn(told("paid-out"), { status, others }))).toBe("bound paid-out -");
    },
  );

  test("that is reported before the earlier loan's extension: the provider is asked about the earlier loan first", () => {
    const others = [earlier()];
    expect(inShort(decideOn(told("paid-out"), { ...paid, others }))).toBe("ask about earlier");
    const asked = new Set(["earlier"]);
    expect(inShort(decideOn(told("paid-out"), { ...paid, others, asked }))).toBe(
      "bound paid-out - duplicate",
    );
  });

  test("that was first reported in a dispute is recognised too", () => {
    const others = [earlier({ wasExtended: true })];
    const decision = decideOn(told("paid-out"), { ...paid, bound: bound("unknown"), others });
    expect(decision).toMatchObject({ store: { extends: "earlier" }, issues: [] });
  });

  test("that was settled first and has paid the order is linked when the extended loan is settled next", () => {
    const others = [bound("paid-out", { id: "next" })];
    const decision = decideOn(extended(), { ...paid, others });
    expect(inShort(decision)).toBe("bound paid-out -");
    expect(decision).toMatchObject({ extendedBy: "next" });
  });

  test("is distinguished from a second payment even with more loans than the provider is asked about", () => {
    const decision = decideOn(told("paid-out"), { ...paid, others: [earlier()], asked: "all" });
    expect(inShort(decision)).toBe("bound paid-out - duplicate");
  });

  test("of an extension is linked to that extension", () => {
    const others = [
      earlier({ id: "first", wasExtended: true }),
      earlier({ id: "next", wasExtended: true, extends: "first" }),
    ];
    expect(decideOn(told("paid-out"), { ...paid, others })).toMatchObject({
      store: { extends: "next" },
    });
  });

  test.each<[what: string, changes: Partial<Known>]>([
    ["of another amount", { others: [earlier({ wasExtended: true, cents: 9_000 })] }],
    [
      "that was seen on its way",
      { bound: bound("active"), others: [earlier({ wasExtended: true })] },
    ],
    [
      "of a loan that another one goes on with already",
      {
        others: [
          earlier({ wasExtended: true }),
          earlier({ id: "next", extends: "earlier", cents: 1 }),
        ],
      },
    ],
  ])("is no loan %s: it has paid a second time", (_, changes) => {
    expect(inShort(decideOn(told("paid-out"), { ...paid, ...changes }))).toMatch(/duplicate$/);
  });
});

describe("a loan that a shopper presents", () => {
  test.each<
    [
      what: string,
      changes: Partial<Loan>,
      bound: BoundLoan | undefined,
      decision: string,
      detail: string,
    ]
  >([
    [
      "names another order",
      { orderId: B },
      undefined,
      "refused - - unknown-order",
      `It names another order, ${B}.`,
    ],
    [
      "names no order",
      { orderId: undefined },
      undefined,
      "refused - - unknown-order",
      "It names no order.",
    ],
    [
      "has words in place of an order",
      { orderId: undefined, isMisnamed: true },
      undefined,
      "refused - - unknown-order",
      "It names something that is no order id.",
    ],
    [
      "belongs to another order",
      {},
      bound("ended", { orderId: B }),
      "refused - - unknown-order",
      `It belongs to another order already, ${B}.`,
    ],
  ])("and that %s is refused", (_, changes, bound, decision, detail) => {
    const loan = told("active", changes);
    const orderId = bound?.orderId ?? loan.orderId;
    const decided = decideOn(loan, { presentedFor: A, bound, orderId });
    expect(inShort(decided)).toBe(decision);
    expect(decided).toMatchObject({ issues: [{ orderId: A, detail }] });
  });
});

test.each<[what: string, names: Partial<Loan>, recordedFor: string, detail: string]>([
  ["no order", { orderId: undefined }, "", "It was paid out for no order."],
  [
    "words in place of an order",
    { orderId: undefined, isMisnamed: true },
    "",
    "It was paid out for something that is no order id.",
  ],
  [
    "another shop's order",
    { orderId: B },
    B,
    "It was paid out for an order that this shop does not have.",
  ],
])(
  "a loan for %s is recorded if it was paid out, and ignored otherwise",
  (_, names, recordedFor, detail) => {
    const unknown = { orderId: names.orderId, order: undefined };
    expect(inShort(decideOn(told("active", names), unknown))).toBe("ignored - -");
    expect(decideOn(told("paid-out", names), unknown)).toEqual({
      kind: "refused",
      issues: [{ kind: "unknown-order", detail, orderId: recordedFor, cents: 4_500 }],
    });
  },
);

test("a loan that was extended stays so, whatever its status becomes", () => {
  const known = bound("paid-out", { wasExtended: true, providerStatus: "extended" });
  const closed = told("paid-out", { providerStatus: "closed", wasExtended: false });
  const decision = decideOn(closed, { status: "PaymentProcessed", bound: known });
  expect(decision).toMatchObject({ store: { providerStatus: "closed", wasExtended: true } });
  const unchanged = bound("paid-out", { wasExtended: true, providerStatus: "closed" });
  expect(decideOn(closed, { status: "PaymentProcessed", bound: unchanged })).toMatchObject({
    store: undefined,
  });
});

test("an older answer does not undo that a loan was extended", () => {
  const known = bound("paid-out", { wasExtended: true, updatedAt: 2_000 });
  expect(inShort(decideOn(told("paid-out", { updatedAt: 1_000 }), { bound: known }))).toBe(
    "bound - -",
  );
});

test("an older answer about a loan is ignored, unless it says that the loan was paid", () => {
  const known = bound("ended", { updatedAt: 2_000 });
  expect(inShort(decideOn(told("active", { updatedAt: 1_000 }), { bound: known }))).toBe(
    "bound - -",
  );
  expect(inShort(decideOn(told("paid-out", { updatedAt: 1_000 }), { bound: known }))).toBe(
    "bound paid-out PaymentProcessed",
  );
});

test("an answer that changes nothing stores nothing", () => {
  expect(decideOn(told("active"), { bound: bound("active"), status: "PaymentProcessing" })).toEqual(
    {
      kind: "bound",
      store: undefined,
      move: undefined,
      issues: [],
    },
  );
});

/** The money of a decision's payment issues: their kinds, orders and cents. */
function moneyIn(decision: Decision) {
  if (!("issues" in decision)) return inShort(decision);
  return decision.issues.map(
    ({ kind, orderId, cents }) => `${kind} ${orderId[0] ?? "-"} ${cents ?? "-"}`,
  );
}

describe("received money that pays no order is recorded", () => {
  test.each<[what: string, loan: Loan, known: Parameters<typeof decideOn>[1], recorded: string[]]>([
    ["underpaid", told("paid-out", { cents: 4_000 }), {}, ["underpaid a 4000"]],
    ["underpaid, and not paid out yet", told("active", { cents: 4_000 }), {}, ["underpaid a -"]],
    ["in euros", told("paid-out", { unfit: euros }), {}, ["wrong-currency a -"]],
    ["duplicate", told("paid-out"), { status: "Shipped" }, ["duplicate a 4500"]],
    [
      "paid after cancelling",
      told("paid-out"),
      { status: "Cancelled" },
      ["paid-after-cancel a 4500"],
    ],
    ["overpaid", told("paid-out", { cents: 5_000 }), {}, ["overpaid a 500"]],
    [
      "named another order: once, for the order that it belongs to",
      told("paid-out", { orderId: B }),
      { bound: bound("active") },
      ["unknown-order a 4500", "unknown-order b -"],
    ],
    [
      "of an unknown order",
      told("paid-out", { orderId: B }),
      { orderId: B, order: undefined },
      ["unknown-order b 4500"],
    ],
    ["presented for another order", told("paid-out"), { presentedFor: B }, ["unknown-order b -"]],
  ])("%s", (_, loan, known, recorded) => {
    expect(moneyIn(decideOn(loan, known))).toEqual(recorded);
  });
});

describe("a loan whose money is recorded already", () => {
  const claim: Claim = {
    orderId: A,
    isOfShop: true,
    kind: "underpaid",
    cents: 4_000,
    isResolved: false,
  };
  const small = (state: LoanState, changes: Partial<Loan> = {}) =>
    told(state, { cents: 4_000, ...changes });
  test.each<[what: string, loan: Loan, known: Parameters<typeof decideOn>[1], recorded: string[]]>([
    ["says the same", small("paid-out"), { claim }, ["underpaid a 4000"]],
    [
      "says the same after it was resolved",
      small("paid-out"),
      { claim: { ...claim, isResolved: true } },
      [],
    ],
    ["is told by an older answer", small("active"), { claim }, []],
    ["was taken back", small("ended"), { claim }, ["changed-after-payout a -"]],
    ["is in dispute", small("unknown"), { claim }, ["changed-after-payout a -"]],
    [
      "covers the order by now",
      small("paid-out", { cents: 4_500 }),
      { claim },
      ["changed-after-payout a -"],
    ],
    [
      "names another order, and covers it",
      small("paid-out", { orderId: B, cents: 9_000 }),
      { claim, orderId: B },
      ["changed-after-payout a -"],
    ],
    [
      "names no order any more",
      small("paid-out", { orderId: undefined }),
      { claim, orderId: undefined, order: undefined },
      ["changed-after-payout a -"],
    ],
    [
      "was refunded, and is bound and covers the order again",
      small("paid-out", { cents: 4_500 }),
      { claim: { ...claim, isResolved: true }, bound: bound("active") },
      ["changed-after-payout a -"],
    ],
    [
      "was bound, and has ended",
      small("ended"),
      { claim, status: "PaymentProcessing", bound: bound("active") },
      ["changed-after-payout a -"],
    ],
  ])("and that %s pays nothing", (_, loan, known, recorded) => {
    const decision = decideOn(loan, known);
    expect(moneyIn(decision)).toEqual(recorded);
    expect(inShort(decision)).not.toContain("PaymentProcessed");
  });

  test("and that named no order of the shop pays the order that it names by now", () => {
    const stranger = { ...claim, orderId: "", isOfShop: false, cents: 4_500 };
    expect(inShort(decideOn(told("paid-out"), { claim: stranger }))).toBe(
      "bound paid-out PaymentProcessed",
    );
    const resolved = decideOn(told("paid-out"), { claim: { ...stranger, isResolved: true } });
    expect(inShort(resolved)).toBe("refused - - changed-after-payout");
  });
});

test("an extension of an accepted loan, which is smaller than the total, brings no money", () => {
  const accepted = earlier({ cents: 4_000, wasExtended: true });
  const decision = decideOn(told("paid-out", { cents: 4_000 }), {
    status: "PaymentProcessed",
    others: [accepted],
  });
  expect(decision).toMatchObject({ kind: "bound", store: { extends: "earlier" }, issues: [] });
  const other = decideOn(told("paid-out", { cents: 3_999 }), {
    status: "PaymentProcessed",
    others: [accepted],
  });
  expect(inShort(other)).toBe("refused - - underpaid");
});
