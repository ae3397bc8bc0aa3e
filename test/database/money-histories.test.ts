import { randomUUID } from "node:crypto";
import fc from "fast-check";
import { describe, expect, test } from "vitest";
import type { Database } from "../../apps/server/src/db/database.ts";
import { findState } from "../../apps/server/src/orders/order-repository.ts";
import { createCancelOrder } from "../../apps/server/src/payments/cancel-order.ts";
import { issuesOf } from "../../apps/server/src/payments/issue-repository.ts";
import { findLedger } from "../../apps/server/src/payments/ledger-repository.ts";
import type { Loan } from "../../apps/server/src/payments/loan.ts";
import { findLoan } from "../../apps/server/src/payments/loan-repository.ts";
import { aLoan } from "../harness/builders.ts";
import { databaseKinds, useDatabase } from "../harness/databases.ts";
import { merchantAda, moneyOn, useCasesOn } from "../harness/use-cases.ts";

const TOTAL = 4_500;

/** What happens to an order and its loans; a loan is named by a number, and amounts are cents. */
type Step =
  | {
      readonly kind: "asked" | "paid" | "ended" | "disputed" | "taken-back";
      readonly loan: number;
      readonly cents: number;
    }
  | { readonly kind: "extended"; readonly loan: number }
  | { readonly kind: "cancelled" | "cancelled by the shopper" | "expired" }
  | { readonly kind: "refunded"; readonly cents: number }
  | {
      readonly kind: "resolved";
      readonly loan: number;
      readonly as: "refunded" | "accepted" | "dismissed";
    };

/** One order of $45 and its loans, with the shop's own code on a database. */
function historyOf(database: Database, orderId: string) {
  const money = moneyOn(database);
  const loans = new Map<number, Loan>();
  /** What the provider has paid out, in cents, by loan. */
  const paidOut = new Map<number, number>();
  let refunded = 0;
  const cancelUnpaid = createCancelOrder({
    database,
    changeStatuses: useCasesOn(database).changeStatuses,
    check: async () => ({ bound: false, done: true, finding: "absent", deferred: false }),
  });

  async function told(number: number, changes: Partial<Loan>): Promise<void> {
    const known = loans.get(number) ?? aLoan({ id: randomUUID(), orderId });
    const loan = {
      ...known,
      ...changes,
      providerStatus: `${changes.state} ${changes.cents}`,
      updatedAt: known.updatedAt + 1,
    };
    loans.set(number, loan);
    await money.settle(loan);
  }

  async function pay(number: number, cents: number): Promise<string> {
    if (!paidOut.has(number)) paidOut.set(number, cents);
    await told(number, {
      state: "paid-out",
      cents: paidOut.get(number) ?? cents,
      isDisputed: false,
    });
    return "paid";
  }

  async function extend(number: number): Promise<string> {
    const first = loans.get(number);
    const cents = paidOut.get(number);
    // The provider extends each loan once at most, by a loan of the same amount. An extension of a
    // loan that pays nothing is counted as money by itself (docs/decisions/015).
    const isPossible =
      first?.state === "paid-out" && !first.wasExtended && (await isPayment(first.id));
    if (!isPossible || cents === undefined) return "impossible";
    await told(number, { wasExtended: true });
    await told(number + 100, { state: "paid-out", cents });
    return "extended";
  }

  async function isPayment(loanId: string): Promise<boolean> {
    return (await findLoan(database.db, loanId))?.state === "paid-out";
  }

  async function resolve(
    number: number,
    as: "refunded" | "accepted" | "dismissed",
  ): Promise<string> {
    const loan = loans.get(number);
    const rows = await database.db
      .selectFrom("payment_issues")
      .select("kind")
      .where("loan_id", "=", loan?.id ?? "")
      .where("resolved_at", "is", null)
      .orderBy("kind")
      .execute();
    const [first] = rows;
    return loan === undefined || first === undefined
      ? "impossible"
      : (await money.resolve(loan, first.kind, as)).kind;
  }

  return {
    paidOut,
    get refunded() {
      return refunded;
    },
    /** @returns what came of it */
    async step(step: Step): Promise<string> {
      switch (step.kind) {
        case "asked":
          if (paidOut.has(step.loan)) return "impossible";
          await told(step.loan, { state: "active", cents: step.cents });
          return "asked";
        case "paid":
          return pay(step.loan, step.cents);
        case "ended":
          if (paidOut.has(step.loan)) return "impossible";
          await told(step.loan, { state: "ended" });
          return "ended";
        case "disputed":
          await told(step.loan, { state: "unknown", isDisputed: true });
          return "disputed";
        case "taken-back":
          if (!paidOut.has(step.loan)) return "impossible";
          await told(step.loan, { state: "ended" });
          return "taken back";
        case "extended":
          return extend(step.loan);
        case "cancelled":
          return (await money.move({ orderId, to: "Cancelled", by: merchantAda })).kind;
        case "cancelled by the shopper":
          return (await cancelUnpaid(orderId, { kind: "shopper" })).kind;
        case "expired":
          return (await cancelUnpaid(orderId, { kind: "shop" }, { reason: "expired" })).kind;
        case "refunded": {
          const { kind } = await money.refund(orderId, step.cents);
          if (kind === "recorded") refunded += step.cents;
          return kind;
        }
        case "resolved":
          return resolve(step.loan, step.as);
      }
    },
  };
}

const paid = (loan = 1, cents = TOTAL): Step => ({ kind: "paid", loan, cents });
const cancelled: Step = { kind: "cancelled" };
const refunded = (cents: number): Step => ({ kind: "refunded", cents });
const resolved = (loan: number, as: "refunded" | "accepted" | "dismissed"): Step => ({
  kind: "resolved",
  loan,
  as,
});

type Sums = readonly [received: number, refundDue: number, refunded: number, missing: number];

describe.each(databaseKinds)("the money of one order on $name", (kind) => {
  const shop = useDatabase(kind);
  const ledgerOf = async (id: string) => {
    const ledger = await findLedger(shop.database.db, id);
    if (ledger === undefined) throw new Error("the order is stored");
    return ledger;
  };
  const statusOf = async (id: string) => (await findState(shop.database.db, id))?.status ?? "";
  const hasOpenIssue = async (id: string) =>
    (await issuesOf(shop.database.db, id)).some(({ resolved_at }) => resolved_at === null);

  test.each<[what: string, steps: readonly Step[], last: string, status: string, sums: Sums]>([
    ["paid", [paid()], "paid", "PaymentProcessed", [4_500, 0, 0, 0]],
    [
      "underpaid, then accepted",
      [paid(1, 4_000), resolved(1, "accepted")],
      "resolved",
      "PaymentProcessed",
      [4_000, 0, 0, 500],
    ],
    [
      "underpaid, then paid by a second loan",
      [paid(1, 4_000), paid(2)],
      "paid",
      "PaymentProcessed",
      [8_500, 4_000, 0, 0],
    ],
    ["overpaid", [paid(1, 5_500)], "paid", "PaymentProcessed", [5_500, 1_000, 0, 0]],
    ["paid by two loans", [paid(1), paid(2)], "paid", "PaymentProcessed", [9_000, 4_500, 0, 0]],
    [
      "paid by a loan that is extended",
      [paid(), { kind: "extended", loan: 1 }],
      "extended",
      "PaymentProcessed",
      [4_500, 0, 0, 0],
    ],
    ["cancelled, then paid", [cancelled, paid()], "paid", "Cancelled", [4_500, 4_500, 0, 0]],
    [
      "expired, then paid",
      [{ kind: "expired" }, paid()],
      "paid",
      "Cancelled",
      [4_500, 4_500, 0, 0],
    ],
    [
      "expired, then paid, and kept",
      [{ kind: "expired" }, paid(), resolved(1, "dismissed")],
      "resolved",
      "Cancelled",
      [4_500, 0, 0, 0],
    ],
    [
      "paid, cancelled, and refunded in two parts",
      [paid(), cancelled, refunded(2_000), refunded(2_500)],
      "recorded",
      "Cancelled",
      [4_500, 0, 4_500, 0],
    ],
    [
      "paid, cancelled, and refunded too much",
      [paid(), cancelled, refunded(2_000), refunded(2_501)],
      "more-than-refundable",
      "Cancelled",
      [4_500, 2_500, 2_000, 0],
    ],
    [
      "paid, and money is refunded that is not due",
      [paid(), refunded(1)],
      "more-than-refundable",
      "PaymentProcessed",
      [4_500, 0, 0, 0],
    ],
    [
      "paid, and the provider cancels the loan",
      [paid(), { kind: "taken-back", loan: 1, cents: 0 }],
      "taken back",
      "PaymentProcessed",
      [4_500, 0, 0, 0],
    ],
  ])("that is %s", async (_, steps, last, status, sums) => {
    const { id } = await shop.stored();
    const history = historyOf(shop.database, id);
    let outcome = "";
    for (const step of steps) outcome = await history.step(step);
    const { received, refundDue, refunded, missing } = await ledgerOf(id);
    expect([outcome, await statusOf(id), received, refundDue, refunded, missing]).toEqual([
      last,
      status,
      ...sums,
    ]);
  });

  const loan = fc.integer({ min: 1, max: 3 });
  const cents = fc.constantFrom(TOTAL, TOTAL, TOTAL + 1_000, TOTAL - 500, 1);
  const aStep: fc.Arbitrary<Step> = fc.oneof(
    fc.record({
      kind: fc.constantFrom("asked", "paid", "paid", "ended", "disputed", "taken-back"),
      loan,
      cents,
    }),
    fc.record({ kind: fc.constant("extended"), loan }),
    fc.record({ kind: fc.constantFrom("cancelled", "cancelled by the shopper", "expired") }),
    fc.record({ kind: fc.constant("refunded"), cents: fc.constantFrom(1, 500, 1_000, TOTAL) }),
    fc.record({
      kind: fc.constant("resolved"),
      loan,
      as: fc.constantFrom("refunded", "accepted", "dismissed"),
    }),
  );

  test("agrees with loans, orders and refunds after every step of any history", async () => {
    await fc.assert(
      fc.asyncProperty(fc.array(aStep, { minLength: 3, maxLength: 12 }), async (steps) => {
        const { id } = await shop.stored();
        const history = historyOf(shop.database, id);
        let before = "Pending";
        for (const step of steps) {
          await history.step(step);
          const ledger = await ledgerOf(id);
          const status = await statusOf(id);
          const received = [...history.paidOut.values()].reduce((sum, one) => sum + one, 0);
          expect([ledger.received, ledger.refunded]).toEqual([received, history.refunded]);
          expect(ledger.kept + ledger.refundable + ledger.refunded).toBe(received);
          if (before === "Cancelled") expect(status).toBe("Cancelled");
          if (status === "Cancelled")
            expect(ledger.refundDue).toBe(received - ledger.keptByStaff - ledger.refunded);
          else if (status === "PaymentProcessed")
            expect(ledger.refundDue).toBe(
              received - ledger.refunded - ledger.keptByStaff - (TOTAL - ledger.missing),
            );
          else expect(ledger.refundDue).toBe(0);
          if (status === "Cancelled" && ledger.refundDue > 0)
            expect(await hasOpenIssue(id)).toBe(true);
          before = status;
        }
      }),
      {
        numRuns: kind.name === "SQLite" ? 150 : 30,
        examples: [
          [[paid(1, 4_000), resolved(1, "accepted"), cancelled]],
          [[paid(1, 5_500), refunded(1_000), resolved(1, "refunded"), cancelled, refunded(4_000)]],
          [[paid(1, 5_500), resolved(1, "dismissed"), cancelled, resolved(1, "dismissed")]],
          [[paid(1), paid(2), refunded(4_500), cancelled, resolved(2, "dismissed")]],
        ],
      },
    );
  });
});
