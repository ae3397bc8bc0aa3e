import { expect, test } from "vitest";
import { aPaidLoan } from "../../../../../../test/harness/builders.ts";
import { sqlite, useDatabase } from "../../../../../../test/harness/databases.ts";
import { moneyRecordsOn } from "../../../../../../test/harness/use-cases.ts";
import type { Answer, Loan, LoanPart } from "../loans/loan-provider.ts";
import { newEntry } from "../rules/index.ts";
import { createReconcile } from "./reconcile.ts";

const shop = useDatabase(sqlite);
const november = { from: 1_000, before: 2_000 };
const december = { from: 2_000, before: 3_000 };

interface ListOptions {
  readonly answer?: Answer<number>;
  readonly unrecognized?: LoanPart["unrecognized"];
}

/** Compares with a provider that lists these loans. `reads`: how often. */
function comparing(loans: readonly Loan[], { answer, unrecognized = [] }: ListOptions = {}) {
  const counted = { reads: 0 };
  const provider = {
    async loans(onPart: (part: LoanPart) => Promise<void>): Promise<Answer<number>> {
      counted.reads += 1;
      await onPart({ loans, unrecognized });
      return answer ?? { kind: "found", value: loans.length };
    },
  };
  const until = (keepReconciliation: number) =>
    createReconcile({
      db: shop.database.db,
      provider,
      now: () => 7,
      times: { keepReconciliation },
    });
  return { counted, until };
}

/** Stores the payout of a loan of $45.00. */
async function paid(loan: Loan, at: number): Promise<void> {
  const { appendEntries } = moneyRecordsOn({ now: () => 0 });
  const entry = { amount: 4_500, currency: "USD", loanId: loan.id, orderId: undefined, at };
  await shop.within((unit) =>
    appendEntries(unit, [newEntry("received", entry)], { kind: "provider" }),
  );
}

test("each loan with a payout in the period is compared once, and others of the provider are not", async () => {
  const { id } = await shop.stored();
  const [same, unlisted, unreadable, later, onlyTheirs, theirsLater, requested] = [
    aPaidLoan(id),
    aPaidLoan(id),
    aPaidLoan(id),
    aPaidLoan(id),
    aPaidLoan(id, { updatedAt: 1_999 }),
    aPaidLoan(id, { updatedAt: 2_000 }),
    { ...aPaidLoan(id), state: "active" as const },
  ];
  for (const loan of [same, unlisted, unreadable]) await paid(loan, 1_500);
  await paid(later, 2_000);
  const { until } = comparing([same, later, onlyTheirs, theirsLater, requested], {
    unrecognized: [{ id: unreadable.id, shape: "amount is an object" }],
  });
  const outcome = await until(0)(november);
  expect(outcome).toMatchObject({
    kind: "compared",
    list: {
      readAt: 7,
      counts: { same: 1, different: 1, "only-shop": 1, "only-provider": 1 },
    },
  });
  const loans = outcome.kind === "compared" ? outcome.list.loans : [];
  expect(loans.map(({ loan_id, match }) => [loan_id, match])).toEqual([
    [same.id, "same"],
    [unlisted.id, "only-shop"],
    [unreadable.id, "different"],
    [onlyTheirs.id, "only-provider"],
  ]);
});

test("the list is read once for the calls of a minute, and not for another period", async () => {
  const { counted, until } = comparing([]);
  const reconcile = until(60_000);
  const [one, other] = await Promise.all([reconcile(november), reconcile(november)]);
  expect(other).toEqual(one);
  expect(await reconcile(november)).toEqual(one);
  expect(await reconcile(december)).toMatchObject({ kind: "too-soon" });
  expect(counted.reads).toBe(1);

  const unkept = until(0);
  await unkept(november);
  await unkept(december);
  expect(counted.reads).toBe(3);
});

test("a list that could not be read is not read again within the minute", async () => {
  const { counted, until } = comparing([], { answer: { kind: "unavailable", why: "it is away" } });
  const reconcile = until(60_000);
  expect(await reconcile(november)).toEqual({ kind: "unavailable" });
  expect(await reconcile(november)).toEqual({ kind: "unavailable" });
  expect(counted.reads).toBe(1);
});

test("without a call left nothing was read, so the next call may read", async () => {
  const { counted, until } = comparing([], { answer: { kind: "deferred" } });
  const reconcile = until(60_000);
  expect(await reconcile(november)).toEqual({ kind: "busy" });
  expect(await reconcile(december)).toEqual({ kind: "busy" });
  expect(counted.reads).toBe(2);
});
