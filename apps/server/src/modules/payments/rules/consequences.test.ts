import { describe, expect, test } from "vitest";
import {
  type ConsequencesInShort,
  consequences,
  consequencesInShort,
  type Facts,
  loan,
  NOW,
  OTHER_ORDER,
  wasPaid,
} from "../../../../../../test/harness/loan-reports.ts";
import type { Loan } from "./types.ts";

describe("a report of the provider", () => {
  test.each<[what: string, report: Loan, facts: Facts, expected: ConsequencesInShort]>([
    [
      "of an order in a newer status",
      loan("paid-out"),
      { status: "Returned" },
      { kind: "undecided" },
    ],
    [
      "that was presented for another order",
      loan("paid-out"),
      { presentedFor: OTHER_ORDER },
      { kind: "refused", issues: ["unknown-order"] },
    ],
  ])("%s", (_, report, facts, expected) => {
    expect(consequencesInShort(consequences(report, facts))).toEqual(expected);
  });

  test("without a valid time, because it is in the future, does not make later reports look old", () => {
    const { storedLoan } = consequences(loan("paid-out", { updatedAt: NOW + 1 }));
    const ended = loan("ended", { updatedAt: NOW - 1 });
    const { entries } = consequences(ended, { ...wasPaid, stored: storedLoan });
    expect(entries.map(({ kind }) => kind)).toEqual(["reversed"]);
  });
});
