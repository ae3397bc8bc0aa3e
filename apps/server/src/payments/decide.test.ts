import type { OrderStatus } from "@keepsats/domain";
import { describe, expect, test } from "vitest";
import type { BoundContract } from "./contract-repository.ts";
import { type Decision, decide, type Known } from "./decide.ts";

const A = "aaaaaaaa-0000-4000-8000-000000000000";
const B = "bbbbbbbb-0000-4000-8000-000000000000";

const told = (status: string, changes: Partial<Known["contract"]> = {}): Known["contract"] => ({
  id: "loan",
  status,
  loan_amount: "45.00",
  loan_asset: "UsdcPol",
  client_contract_id: A,
  ...changes,
});

const bound = (meaning: BoundContract["meaning"], changes: Partial<BoundContract> = {}): BoundContract => ({
  id: "loan",
  orderId: A,
  status: {
    processing: "Approved",
    paid: "PrincipalGiven",
    over: "Rejected",
    unknown: "DisputeBorrowerStarted",
  }[meaning],
  meaning,
  cents: 4_500,
  extends: undefined,
  boundAt: 1,
  updatedAt: 0,
  ...changes,
});

const earlier = (changes: Partial<BoundContract> = {}) => bound("paid", { id: "earlier", ...changes });

/** Decides about a contract of order A, which costs 45 dollars. */
function decideOn(
  contract: Known["contract"],
  { status = "Pending", ...known }: Partial<Known> & { status?: OrderStatus } = {},
): Decision {
  return decide({
    contract,
    presentedFor: undefined,
    bound: undefined,
    orderId: A,
    order: { status, total: 4_500 },
    others: [],
    asked: new Set(),
    ...known,
  });
}

/** A decision in short: where the order goes, what the contract means, and which mismatches there are. */
function inShort(decision: Decision) {
  if (decision.kind === "ask-first") return `ask about ${decision.contractId}`;
  const { move, store, mismatches } = decision;
  return [
    decision.kind,
    store?.meaning ?? "-",
    move === undefined ? "-" : move.kind === "to" ? move.to : move.kind,
    ...mismatches.map(({ kind }) => kind),
  ].join(" ");
}

describe("what the provider's word means for an order", () => {
  test.each<[status: string, order: OrderStatus, known: BoundContract | undefined, decision: string]>([
    ["Requested", "Pending", undefined, "bound processing PaymentProcessing"],
    ["Requested", "PaymentProcessing", undefined, "bound processing -"],
    ["Requested", "Cancelled", undefined, "bound processing -"],
    ["PrincipalGiven", "Pending", undefined, "bound paid PaymentProcessed"],
    ["PrincipalGiven", "PaymentProcessing", bound("processing"), "bound paid PaymentProcessed"],
    ["ClosingByClaim", "PaymentProcessing", bound("processing"), "bound paid PaymentProcessed"],
    ["PrincipalGiven", "Cancelled", bound("processing"), "bound paid - paid-after-cancel"],
    ["Rejected", "PaymentProcessing", bound("processing"), "bound over Pending"],
    ["Rejected", "Pending", undefined, "bound over note-attempt-over"],
    ["CollateralRecoverable", "PaymentProcessing", bound("processing"), "bound over Pending"],
    ["ClosedByRecovery", "PaymentProcessing", bound("processing"), "bound over Pending"],
    // A dispute can be opened before the principal is given: it proves nothing.
    ["DisputeBorrowerStarted", "Pending", undefined, "bound unknown - dispute"],
    ["DisputeBorrowerStarted", "PaymentProcessing", bound("processing"), "bound processing - dispute"],
    ["DisputeLenderResolved", "PaymentProcessed", bound("paid"), "bound paid - dispute"],
    ["Teleported", "PaymentProcessed", bound("paid"), "bound paid - unknown-status"],
    // Said once: a mismatch that tells more of the same dispute stays as it is.
    [
      "DisputeLenderResolved",
      "PaymentProcessed",
      bound("paid", { status: "DisputeLenderResolved" }),
      "bound - -",
    ],
    ["Cancelled", "PaymentProcessing", bound("processing"), "bound over Pending"],
    ["PrincipalGiven", "Pending", bound("unknown"), "bound paid PaymentProcessed"],
    ["Teleported", "Pending", undefined, "bound unknown - unknown-status"],
    ["Teleported", "PaymentProcessing", bound("processing"), "bound processing - unknown-status"],
    // What was paid stays paid, and the merchant is told of what the provider takes back.
    ["Rejected", "PaymentProcessed", bound("paid"), "bound paid - changed-after-paid"],
    ["Cancelled", "Shipped", bound("paid"), "bound paid - changed-after-paid"],
    ["ClosedByRecovery", "PaymentProcessed", bound("paid"), "bound paid - changed-after-paid"],
    ["Requested", "PaymentProcessed", bound("paid"), "bound paid -"],
    ["Closed", "Delivered", bound("paid"), "bound paid -"],
    ["Extended", "PaymentProcessed", bound("paid"), "bound paid -"],
  ])("%s of an order that is %s", (status, order, known, decision) => {
    expect(inShort(decideOn(told(status), { status: order, bound: known }))).toBe(decision);
  });
});

describe("what a loan must be to pay an order", () => {
  test.each<
    [what: string, changes: Partial<Known["contract"]>, known: BoundContract | undefined, decision: string]
  >([
    ["a cent too little", { loan_amount: "44.99" }, undefined, "refused - - underpaid"],
    [
      "a cent too little by now",
      { loan_amount: "44.99" },
      bound("processing"),
      "bound processing - underpaid",
    ],
    ["euros", { loan_asset: "Eur" }, undefined, "refused - - wrong-asset"],
    [
      "a token that is named like a dollar",
      { loan_asset: "UsdcScamToken" },
      undefined,
      "refused - - wrong-asset",
    ],
    [
      "the same by now",
      { loan_asset: "UsdcScamToken" },
      bound("processing"),
      "bound processing - wrong-asset",
    ],
    ["no order by now", { client_contract_id: null }, bound("processing"), "bound processing - renamed"],
    ["words by now", { client_contract_id: "pay me" }, bound("processing"), "bound processing - renamed"],
    [
      "another order by now",
      { client_contract_id: B },
      bound("processing"),
      "bound processing - renamed renamed",
    ],
  ])("paid out with %s it does not", (_, changes, known, decision) => {
    const decided = decideOn(told("PrincipalGiven", changes), { status: "PaymentProcessing", bound: known });
    expect(inShort(decided)).toBe(decision);
  });

  test("the order that it names at payout hears of it as the one that it belongs to", () => {
    const decision = decideOn(told("PrincipalGiven", { client_contract_id: B }), {
      bound: bound("processing"),
    });
    expect(decision).toMatchObject({ mismatches: [{ orderId: A }, { orderId: B }] });
  });

  test.each<[what: string, changes: Partial<Known["contract"]>, word: string]>([
    ["an amount of nothing", { loan_amount: 0 }, "it lends $0.00"],
    ["another asset", { loan_asset: "Eur" }, "it lends Eur"],
    ["another order", { client_contract_id: B }, `it names order ${B}`],
    ["words in place of an order", { client_contract_id: "refund me at evil.example" }, "no order id"],
    [
      "a rejection and no order",
      { status: "Rejected", client_contract_id: null },
      "Rejected; it names no order",
    ],
  ])("paid once, and told with %s since: the merchant hears of it", (_, changes, word) => {
    const decision = decideOn(told("PrincipalGiven", changes), { bound: bound("paid"), status: "Shipped" });
    expect(inShort(decision)).toMatch(/changed-after-paid$/);
    expect(decision).toMatchObject({ mismatches: [{ detail: expect.stringContaining(word) }] });
    expect(JSON.stringify(decision)).not.toContain("evil");
  });

  test("what is recorded of a loan that lends too little says whether money has come", () => {
    const details = ["Requested", "PrincipalGiven"].map((status) => {
      const decision = decideOn(told(status, { loan_amount: "44.99" }));
      return "mismatches" in decision ? decision.mismatches[0]?.detail : undefined;
    });
    expect(details).toEqual([
      "It lends $44.99; the order comes to $45.00.",
      "It lends $44.99; the order comes to $45.00. It was paid out.",
    ]);
  });

  test("one that an earlier version bound by other rules has not changed since because the rules have", () => {
    const before = bound("paid", { cents: undefined });
    const decision = decideOn(told("PrincipalGiven", { loan_asset: "UsdcArb" }), {
      bound: before,
      status: "Shipped",
    });
    expect(inShort(decision)).toBe("bound paid -");
    expect(decision).toMatchObject({ store: { cents: 4_500 } });
  });

  test("what it lent when it was paid out is kept, whatever is said later", () => {
    const changed = decideOn(told("Closed", { loan_amount: 0 }), { bound: bound("paid"), status: "Shipped" });
    expect(changed).toMatchObject({ store: { status: "Closed", cents: 4_500 } });
  });
});

describe("an extension", () => {
  const paid = { status: "PaymentProcessed" } as const;

  test("goes on with the loan that was extended, and is no second payment", () => {
    const decision = decideOn(told("PrincipalGiven"), { ...paid, others: [earlier({ status: "Extended" })] });
    expect(inShort(decision)).toBe("bound paid -");
    expect(decision).toMatchObject({ store: { extends: "earlier" } });
  });

  test.each<OrderStatus>(["Shipped", "Cancelled"])("of an order that is %s is none either", (status) => {
    const others = [earlier({ status: "Extended" })];
    expect(inShort(decideOn(told("PrincipalGiven"), { status, others }))).toBe("bound paid -");
  });

  test("that is seen before the earlier loan is: the provider is asked about that first", () => {
    const others = [earlier()];
    expect(inShort(decideOn(told("PrincipalGiven"), { ...paid, others }))).toBe("ask about earlier");
    const asked = new Set(["earlier"]);
    expect(inShort(decideOn(told("PrincipalGiven"), { ...paid, others, asked }))).toBe("bound paid - second");
  });

  test("that was first heard of in a dispute is one all the same", () => {
    const others = [earlier({ status: "Extended" })];
    const decision = decideOn(told("PrincipalGiven"), { ...paid, bound: bound("unknown"), others });
    expect(decision).toMatchObject({ store: { extends: "earlier" }, mismatches: [] });
  });

  test("that was heard of first, and has paid the order, goes on with the extended loan that is heard of next", () => {
    const others = [bound("paid", { id: "next" })];
    const decision = decideOn(told("Extended"), { ...paid, others });
    expect(inShort(decision)).toBe("bound paid -");
    expect(decision).toMatchObject({ extendedBy: "next" });
  });

  test("that an earlier version bound is linked when the extended loan is settled again", () => {
    const next = bound("paid", { id: "next", boundAt: 2, cents: undefined });
    const before = bound("paid", { status: "Extended", cents: undefined });
    const known = { ...paid, bound: before, others: [next] };
    expect(decideOn(told("Extended"), known)).toMatchObject({ extendedBy: "next", mismatches: [] });
    const already = { ...known, others: [{ ...next, extends: "loan" }] };
    expect(decideOn(told("Extended"), already)).toMatchObject({ extendedBy: undefined });
  });

  test("is told from a second payment also where there are more loans than the provider is asked about", () => {
    const decision = decideOn(told("PrincipalGiven"), { ...paid, others: [earlier()], asked: "all" });
    expect(inShort(decision)).toBe("bound paid - second");
  });

  test("of an extension goes on with that one", () => {
    const others = [
      earlier({ id: "first", status: "Extended" }),
      earlier({ id: "next", status: "Extended", extends: "first" }),
    ];
    expect(decideOn(told("PrincipalGiven"), { ...paid, others })).toMatchObject({
      store: { extends: "next" },
    });
  });

  test.each<[what: string, changes: Partial<Known>]>([
    ["of another amount", { others: [earlier({ status: "Extended", cents: 9_000 })] }],
    ["that was seen on its way", { bound: bound("processing"), others: [earlier({ status: "Extended" })] }],
    [
      "of a loan that another one goes on with already",
      { others: [earlier({ status: "Extended" }), earlier({ id: "next", extends: "earlier", cents: 1 })] },
    ],
  ])("is no loan %s: it has paid a second time", (_, changes) => {
    expect(inShort(decideOn(told("PrincipalGiven"), { ...paid, ...changes }))).toMatch(/second$/);
  });
});

describe("a contract that a shopper presents", () => {
  test.each<[what: string, known: Partial<Known>, decision: string, detail: string]>([
    ["names another order", { orderId: B }, "refused - - foreign", `It names another order, ${B}.`],
    ["names no order", { orderId: undefined, order: undefined }, "refused - - foreign", "It names no order."],
    [
      "has words in place of an order",
      { orderId: "refund this customer at https://evil.example", order: undefined },
      "refused - - foreign",
      "It names something that is no order id.",
    ],
    [
      "belongs to another order",
      { orderId: B, bound: bound("over", { orderId: B }) },
      "refused - - reused",
      `It belongs to another order already, ${B}.`,
    ],
  ])("and that %s is refused", (_, known, decision, detail) => {
    const decided = decideOn(told("Requested"), { presentedFor: A, ...known });
    expect(inShort(decided)).toBe(decision);
    expect(decided).toMatchObject({ mismatches: [{ orderId: A, detail }] });
  });
});

test.each<[name: string | undefined, orderId: string, detail: string]>([
  [undefined, "", "It was paid out for no order."],
  ["pay me", "", "It was paid out for something that is no order id."],
  [B, B, "It was paid out for an order that this shop does not have."],
])(
  "a loan for %j that was paid out is told; one that was not is nobody's business",
  (orderId, of, detail) => {
    const unknown = { orderId, order: undefined };
    expect(inShort(decideOn(told("Requested"), unknown))).toBe("ignored - -");
    expect(decideOn(told("PrincipalGiven"), unknown)).toEqual({
      kind: "refused",
      mismatches: [{ kind: "foreign", detail, orderId: of }],
    });
  },
);

test("older news does not take back that a loan was extended", () => {
  const known = bound("paid", { status: "Extended", updatedAt: 2_000 });
  expect(inShort(decideOn(told("PrincipalGiven", { updated_at: 1_000 }), { bound: known }))).toBe(
    "bound - -",
  );
});

test("older news of a loan is left out, unless it says that the loan was paid", () => {
  const known = bound("over", { updatedAt: 2_000 });
  expect(inShort(decideOn(told("Requested", { updated_at: 1_000 }), { bound: known }))).toBe("bound - -");
  expect(inShort(decideOn(told("PrincipalGiven", { updated_at: 1_000 }), { bound: known }))).toBe(
    "bound paid PaymentProcessed",
  );
});

test("news that changes nothing stores nothing", () => {
  expect(decideOn(told("Approved"), { bound: bound("processing"), status: "PaymentProcessing" })).toEqual({
    kind: "bound",
    store: undefined,
    move: undefined,
    mismatches: [],
  });
});
