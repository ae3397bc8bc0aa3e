import type { OrderStatus } from "@keepsats/domain";
import { describe, expect, test } from "vitest";
import { aLoan } from "../../../../test/harness/builders.ts";
import { decide } from "./decide.ts";
import type { Claim, Decision, Known } from "./decision.ts";
import type { Loan, Standing, Unfit } from "./loan.ts";
import type { BoundLoan } from "./loan-repository.ts";

const A = "aaaaaaaa-0000-4000-8000-000000000000";
const B = "bbbbbbbb-0000-4000-8000-000000000000";

const told = (standing: Standing, changes: Partial<Loan> = {}) =>
  aLoan({ orderId: A, standing, ...changes });
const disputed = (word = "a dispute") => told("unclear", { isDisputed: true, word });
const extended = (changes: Partial<Loan> = {}) =>
  told("paid", { wasExtended: true, word: "extended", ...changes });

const bound = (standing: Standing, changes: Partial<BoundLoan> = {}): BoundLoan => ({
  id: "loan",
  orderId: A,
  word: `told as ${standing}`,
  standing,
  wasExtended: false,
  cents: 4_500,
  extends: undefined,
  boundAt: 1,
  updatedAt: 0,
  ...changes,
});

const earlier = (changes: Partial<BoundLoan> = {}) => bound("paid", { id: "earlier", ...changes });

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
 * A decision in short: its kind, the stored standing, the change of the order, and the mismatches.
 */
function inShort(decision: Decision) {
  if (decision.kind === "ask-first") return `ask about ${decision.loanId}`;
  if (decision.kind === "undecided") return "undecided";
  const { move, store, mismatches } = decision;
  return [
    decision.kind,
    store?.standing ?? "-",
    move === undefined ? "-" : move.kind === "to" ? move.to : move.kind,
    ...mismatches.map(({ kind }) => kind),
  ].join(" ");
}

describe("a decision by the standing of the loan", () => {
  test.each<
    [what: string, loan: Loan, order: OrderStatus, known: BoundLoan | undefined, decision: string]
  >([
    ["under way", told("under-way"), "Pending", undefined, "bound under-way PaymentProcessing"],
    ["under way", told("under-way"), "PaymentProcessing", undefined, "bound under-way -"],
    ["under way", told("under-way"), "Cancelled", undefined, "bound under-way -"],
    ["paid", told("paid"), "Pending", undefined, "bound paid PaymentProcessed"],
    ["paid", told("paid"), "PaymentProcessing", bound("under-way"), "bound paid PaymentProcessed"],
    ["paid", told("paid"), "Cancelled", bound("under-way"), "bound paid - paid-after-cancel"],
    ["paid", told("paid"), "Pending", bound("unclear"), "bound paid PaymentProcessed"],
    ["over", told("over"), "PaymentProcessing", bound("under-way"), "bound over Pending"],
    ["over", told("over"), "Pending", undefined, "bound over note-attempt-over"],
    // A dispute can be opened before the payout, so it does not prove a payment.
    ["in dispute", disputed(), "Pending", undefined, "bound unclear - dispute"],
    [
      "in dispute",
      disputed(),
      "PaymentProcessing",
      bound("under-way"),
      "bound under-way - dispute",
    ],
    ["in dispute", disputed(), "PaymentProcessed", bound("paid"), "bound paid - dispute"],
    // The mismatch is recorded once and not again while the status stays the same.
    [
      "in dispute still",
      disputed(),
      "PaymentProcessed",
      bound("paid", { word: "a dispute" }),
      "bound - -",
    ],
    ["unclear", told("unclear"), "PaymentProcessed", bound("paid"), "bound paid - unknown-status"],
    ["unclear", told("unclear"), "Pending", undefined, "bound unclear - unknown-status"],
    [
      "unclear",
      told("unclear"),
      "PaymentProcessing",
      bound("under-way"),
      "bound under-way - unknown-status",
    ],
    // A paid loan stays paid; a change by the provider is recorded as a mismatch.
    ["over", told("over"), "PaymentProcessed", bound("paid"), "bound paid - changed-after-paid"],
    ["over", told("over"), "Shipped", bound("paid"), "bound paid - changed-after-paid"],
    ["under way", told("under-way"), "PaymentProcessed", bound("paid"), "bound paid -"],
    [
      "paid, in another word",
      told("paid", { word: "repaid" }),
      "Delivered",
      bound("paid"),
      "bound paid -",
    ],
    ["extended", extended(), "PaymentProcessed", bound("paid"), "bound paid -"],
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
      [
        "a cent too little by now",
        { cents: 4_499 },
        bound("under-way"),
        "bound under-way - underpaid",
      ],
      ["euros", { unfit: euros }, undefined, "refused - - wrong-asset"],
      [
        "a token that is named like a dollar",
        { unfit: someToken },
        undefined,
        "refused - - wrong-asset",
      ],
      [
        "the same by now",
        { unfit: someToken },
        bound("under-way"),
        "bound under-way - wrong-asset",
      ],
      ["no order by now", { orderId: undefined }, bound("under-way"), "bound under-way - renamed"],
      [
        "words by now",
        { orderId: undefined, isMisnamed: true },
        bound("under-way"),
        "bound under-way - renamed",
      ],
      [
        "another order by now",
        { orderId: B },
        bound("under-way"),
        "bound under-way - renamed renamed",
      ],
    ],
  )("paid out with %s it does not", (_, changes, known, decision) => {
    const decided = decideOn(told("paid", changes), { status: "PaymentProcessing", bound: known });
    expect(inShort(decided)).toBe(decision);
  });

  test("a loan whose amount is not known pays no order, however cheap it is", () => {
    const decision = decideOn(told("paid", { cents: undefined }), {
      order: { status: "Pending", total: 1 },
    });
    expect(inShort(decision)).toBe("refused - - underpaid");
  });

  test("a payout that names another order is recorded for both orders", () => {
    const decision = decideOn(told("paid", { orderId: B }), {
      bound: bound("under-way"),
    });
    expect(decision).toMatchObject({ mismatches: [{ orderId: A }, { orderId: B }] });
  });

  test.each<[what: string, changes: Partial<Loan>, word: string]>([
    ["an amount of nothing", { cents: 0 }, "it lends $0.00"],
    ["another asset", { unfit: euros }, "it lends euros"],
    ["another order", { orderId: B }, `it names order ${B}`],
    ["words in place of an order", { orderId: undefined, isMisnamed: true }, "no order id"],
    [
      "a rejection and no order",
      { standing: "over", word: "given up", orderId: undefined },
      "given up; it names no order",
    ],
  ])("a paid loan that is reported with %s later is recorded as a mismatch", (_, changes, word) => {
    const decision = decideOn(told("paid", changes), { bound: bound("paid"), status: "Shipped" });
    expect(inShort(decision)).toMatch(/changed-after-paid$/);
    expect(decision).toMatchObject({ mismatches: [{ detail: expect.stringContaining(word) }] });
  });

  test("the mismatch of an underpaid loan says whether it was paid out", () => {
    const details = (["under-way", "paid"] as const).map((standing) => {
      const decision = decideOn(told(standing, { cents: 4_499 }));
      return "mismatches" in decision ? decision.mismatches[0]?.detail : undefined;
    });
    expect(details).toEqual([
      "It lends $44.99; the order comes to $45.00.",
      "It lends $44.99; the order comes to $45.00. It was paid out.",
    ]);
  });

  test("the amount at payout is kept, whatever the provider reports later", () => {
    const changed = decideOn(told("paid", { word: "repaid", cents: 0 }), {
      bound: bound("paid"),
      status: "Shipped",
    });
    expect(changed).toMatchObject({ store: { word: "repaid", cents: 4_500 } });
  });
});

test("all changes of a paid loan are in one sentence", () => {
  const loan = told("over", { orderId: B, cents: 1_250, word: "unwound" });
  const decision = decideOn(loan, { bound: bound("paid"), status: "Shipped" });
  expect(decision).toMatchObject({
    mismatches: [
      {
        kind: "changed-after-paid",
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
    const decision = decideOn(told("paid"), { ...paid, others: [earlier({ wasExtended: true })] });
    expect(inShort(decision)).toBe("bound paid -");
    expect(decision).toMatchObject({ store: { extends: "earlier" } });
  });

  test.each<OrderStatus>(["Shipped", "Cancelled"])(
    "of an order that is %s is none either",
    (status) => {
      const others = [earlier({ wasExtended: true })];
      expect(inShort(decideOn(told("paid"), { status, others }))).toBe("bound paid -");
    },
  );

  test("that is reported before the earlier loan's extension: the provider is asked about the earlier loan first", () => {
    const others = [earlier()];
    expect(inShort(decideOn(told("paid"), { ...paid, others }))).toBe("ask about earlier");
    const asked = new Set(["earlier"]);
    expect(inShort(decideOn(told("paid"), { ...paid, others, asked }))).toBe("bound paid - second");
  });

  test("that was first reported in a dispute is recognised too", () => {
    const others = [earlier({ wasExtended: true })];
    const decision = decideOn(told("paid"), { ...paid, bound: bound("unclear"), others });
    expect(decision).toMatchObject({ store: { extends: "earlier" }, mismatches: [] });
  });

  test("that was settled first and has paid the order is linked when the extended loan is settled next", () => {
    const others = [bound("paid", { id: "next" })];
    const decision = decideOn(extended(), { ...paid, others });
    expect(inShort(decision)).toBe("bound paid -");
    expect(decision).toMatchObject({ extendedBy: "next" });
  });

  test("is distinguished from a second payment even with more loans than the provider is asked about", () => {
    const decision = decideOn(told("paid"), { ...paid, others: [earlier()], asked: "all" });
    expect(inShort(decision)).toBe("bound paid - second");
  });

  test("of an extension is linked to that extension", () => {
    const others = [
      earlier({ id: "first", wasExtended: true }),
      earlier({ id: "next", wasExtended: true, extends: "first" }),
    ];
    expect(decideOn(told("paid"), { ...paid, others })).toMatchObject({
      store: { extends: "next" },
    });
  });

  test.each<[what: string, changes: Partial<Known>]>([
    ["of another amount", { others: [earlier({ wasExtended: true, cents: 9_000 })] }],
    [
      "that was seen on its way",
      { bound: bound("under-way"), others: [earlier({ wasExtended: true })] },
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
    expect(inShort(decideOn(told("paid"), { ...paid, ...changes }))).toMatch(/second$/);
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
      "refused - - foreign",
      `It names another order, ${B}.`,
    ],
    [
      "names no order",
      { orderId: undefined },
      undefined,
      "refused - - foreign",
      "It names no order.",
    ],
    [
      "has words in place of an order",
      { orderId: undefined, isMisnamed: true },
      undefined,
      "refused - - foreign",
      "It names something that is no order id.",
    ],
    [
      "belongs to another order",
      {},
      bound("over", { orderId: B }),
      "refused - - reused",
      `It belongs to another order already, ${B}.`,
    ],
  ])("and that %s is refused", (_, changes, bound, decision, detail) => {
    const loan = told("under-way", changes);
    const orderId = bound?.orderId ?? loan.orderId;
    const decided = decideOn(loan, { presentedFor: A, bound, orderId });
    expect(inShort(decided)).toBe(decision);
    expect(decided).toMatchObject({ mismatches: [{ orderId: A, detail }] });
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
    expect(inShort(decideOn(told("under-way", names), unknown))).toBe("ignored - -");
    expect(decideOn(told("paid", names), unknown)).toEqual({
      kind: "refused",
      mismatches: [{ kind: "foreign", detail, orderId: recordedFor, cents: 4_500 }],
    });
  },
);

test("a loan that was extended stays so, whatever its status becomes", () => {
  const known = bound("paid", { wasExtended: true, word: "extended" });
  const closed = told("paid", { word: "closed", wasExtended: false });
  const decision = decideOn(closed, { status: "PaymentProcessed", bound: known });
  expect(decision).toMatchObject({ store: { word: "closed", wasExtended: true } });
  const unchanged = bound("paid", { wasExtended: true, word: "closed" });
  expect(decideOn(closed, { status: "PaymentProcessed", bound: unchanged })).toMatchObject({
    store: undefined,
  });
});

test("an older answer does not undo that a loan was extended", () => {
  const known = bound("paid", { wasExtended: true, updatedAt: 2_000 });
  expect(inShort(decideOn(told("paid", { updatedAt: 1_000 }), { bound: known }))).toBe("bound - -");
});

test("an older answer about a loan is ignored, unless it says that the loan was paid", () => {
  const known = bound("over", { updatedAt: 2_000 });
  expect(inShort(decideOn(told("under-way", { updatedAt: 1_000 }), { bound: known }))).toBe(
    "bound - -",
  );
  expect(inShort(decideOn(told("paid", { updatedAt: 1_000 }), { bound: known }))).toBe(
    "bound paid PaymentProcessed",
  );
});

test("an answer that changes nothing stores nothing", () => {
  expect(
    decideOn(told("under-way"), { bound: bound("under-way"), status: "PaymentProcessing" }),
  ).toEqual({
    kind: "bound",
    store: undefined,
    move: undefined,
    mismatches: [],
  });
});

/** The money of a decision's mismatches: their kinds, orders and cents. */
function moneyIn(decision: Decision) {
  if (!("mismatches" in decision)) return inShort(decision);
  return decision.mismatches.map(
    ({ kind, orderId, cents }) => `${kind} ${orderId[0] ?? "-"} ${cents ?? "-"}`,
  );
}

describe("the money that came in and pays no order is recorded", () => {
  test.each<[what: string, loan: Loan, known: Parameters<typeof decideOn>[1], recorded: string[]]>([
    ["underpaid", told("paid", { cents: 4_000 }), {}, ["underpaid a 4000"]],
    ["underpaid, and not paid out yet", told("under-way", { cents: 4_000 }), {}, ["underpaid a -"]],
    ["in euros", told("paid", { unfit: euros }), {}, ["wrong-asset a -"]],
    ["second", told("paid"), { status: "Shipped" }, ["second a 4500"]],
    ["paid after cancelling", told("paid"), { status: "Cancelled" }, ["paid-after-cancel a 4500"]],
    ["overpaid", told("paid", { cents: 5_000 }), {}, ["overpaid a 500"]],
    [
      "renamed: once, for the order that it belongs to",
      told("paid", { orderId: B }),
      { bound: bound("under-way") },
      ["renamed a 4500", "renamed b -"],
    ],
    [
      "of an unknown order",
      told("paid", { orderId: B }),
      { orderId: B, order: undefined },
      ["foreign b 4500"],
    ],
    ["presented for another order", told("paid"), { presentedFor: B }, ["foreign b -"]],
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
  const small = (standing: Standing, changes: Partial<Loan> = {}) =>
    told(standing, { cents: 4_000, ...changes });
  test.each<[what: string, loan: Loan, known: Parameters<typeof decideOn>[1], recorded: string[]]>([
    ["says the same", small("paid"), { claim }, ["underpaid a 4000"]],
    [
      "says the same after it was resolved",
      small("paid"),
      { claim: { ...claim, isResolved: true } },
      [],
    ],
    ["is told by an older answer", small("under-way"), { claim }, []],
    ["was taken back", small("over"), { claim }, ["changed-after-paid a -"]],
    ["is in dispute", small("unclear"), { claim }, ["changed-after-paid a -"]],
    [
      "covers the order by now",
      small("paid", { cents: 4_500 }),
      { claim },
      ["changed-after-paid a -"],
    ],
    [
      "names another order, and covers it",
      small("paid", { orderId: B, cents: 9_000 }),
      { claim, orderId: B },
      ["changed-after-paid a -"],
    ],
    [
      "names no order any more",
      small("paid", { orderId: undefined }),
      { claim, orderId: undefined, order: undefined },
      ["changed-after-paid a -"],
    ],
    [
      "was given back, and is bound and covers the order again",
      small("paid", { cents: 4_500 }),
      { claim: { ...claim, isResolved: true }, bound: bound("under-way") },
      ["changed-after-paid a -"],
    ],
    [
      "was bound, and is over",
      small("over"),
      { claim, status: "PaymentProcessing", bound: bound("under-way") },
      ["changed-after-paid a -"],
    ],
  ])("and that %s pays nothing", (_, loan, known, recorded) => {
    const decision = decideOn(loan, known);
    expect(moneyIn(decision)).toEqual(recorded);
    expect(inShort(decision)).not.toContain("PaymentProcessed");
  });

  test("and that named no order of the shop pays the order that it names by now", () => {
    const stranger = { ...claim, orderId: "", isOfShop: false, cents: 4_500 };
    expect(inShort(decideOn(told("paid"), { claim: stranger }))).toBe(
      "bound paid PaymentProcessed",
    );
    const resolved = decideOn(told("paid"), { claim: { ...stranger, isResolved: true } });
    expect(inShort(resolved)).toBe("refused - - changed-after-paid");
  });
});

test("an extension of an accepted loan, which is smaller than the total, brings no money", () => {
  const accepted = earlier({ cents: 4_000, wasExtended: true });
  const decision = decideOn(told("paid", { cents: 4_000 }), {
    status: "PaymentProcessed",
    others: [accepted],
  });
  expect(decision).toMatchObject({ kind: "bound", store: { extends: "earlier" }, mismatches: [] });
  const other = decideOn(told("paid", { cents: 3_999 }), {
    status: "PaymentProcessed",
    others: [accepted],
  });
  expect(inShort(other)).toBe("refused - - underpaid");
});
