import type { AdminEntry } from "@keepsats/protocol";
import { expect, test } from "vitest";
import { journalLines } from "./journal.ts";

const entry = (changes: Partial<AdminEntry>): AdminEntry => ({
  kind: "received",
  id: "entry",
  loan_id: "loan",
  amount: 4_500,
  currency: "USD",
  at: 1,
  by: "provider",
  reason: null,
  refund_id: null,
  method: null,
  reference: null,
  issue_id: null,
  ...changes,
});
const refund = entry({
  kind: "refunded",
  refund_id: "r",
  loan_id: null,
  by: "Ada",
  method: "bank transfer",
  reference: "17",
  reason: "sold out",
});

test("a line shows the kind of entry, its author and its details", () => {
  const [received, refunded] = journalLines([entry({}), refund]);
  expect(received).toMatchObject({
    label: "Received",
    amount: 4_500,
    by: "the loan provider",
    detail: "Loan loan",
    reversible: undefined,
  });
  expect(refunded).toMatchObject({ by: "Ada", detail: "bank transfer, 17, sold out" });
});

test("the amount of a refund has a minus sign, and that of its reversal has none", () => {
  const reversal = entry({ kind: "refund-reversed", refund_id: "r" });
  expect(journalLines([refund, reversal]).map(({ amount }) => amount)).toEqual([-4_500, 4_500]);
});

test("a refund can be reversed once", () => {
  expect(journalLines([refund]).map(({ reversible }) => reversible)).toEqual(["r"]);
  const reversal = entry({ kind: "refund-reversed", refund_id: "r" });
  expect(journalLines([refund, reversal]).map(({ reversible }) => reversible)).toEqual([
    undefined,
    undefined,
  ]);
});
