import { describe, expect, test } from "vitest";
import {
  entry,
  ORDER,
  otherLoan,
  received,
  stored,
} from "../../../../../../test/harness/loan-accounts.ts";
import {
  consequences,
  loan,
  NOW,
  ofUnknownAmount,
} from "../../../../../../test/harness/loan-reports.ts";
import { extensionEntries, isPresumptionOver } from "./extensions.ts";
import type { Loan, LoanAccount, StoredLoan } from "./types.ts";

describe("an extension", () => {
  const both = (first: Partial<StoredLoan>, next: Partial<StoredLoan>): LoanAccount => ({
    order: { id: ORDER, status: "PaymentProcessed", total: 1_200 },
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
    [
      "is one of two, although both were extended",
      both({ wasExtended: true }, { wasExtended: true }),
      ["next -1200"],
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

  test("is presumed until a sweep that began a minute later", () => {
    const facts = { others: [otherLoan("paid-out")], status: "PaymentProcessed" };
    const { storedLoan } = consequences(loan("paid-out"), facts);
    expect(storedLoan?.presumedExtensionAt).toBe(NOW);
    const presumed = stored("paid-out", { presumedExtensionAt: NOW });
    expect(isPresumptionOver(presumed, NOW + 60_000)).toBe(true);
    expect(isPresumptionOver(presumed, NOW + 59_999)).toBe(false);
    expect(isPresumptionOver(stored("paid-out"), NOW + 60_000)).toBe(false);
  });

  test.each<[what: string, others: StoredLoan[], changes: Partial<Loan>]>([
    ["of another amount", [otherLoan("paid-out", { cents: 1_300 })], {}],
    ["whose earlier loan is marked", [otherLoan("paid-out", { wasExtended: true })], {}],
    ["that is marked itself", [otherLoan("paid-out")], { wasExtended: true }],
    ["beside a loan that was reversed", [otherLoan("ended", { paidOutAt: 1 })], {}],
    ["of unknown amount", [otherLoan("paid-out", { cents: undefined })], ofUnknownAmount],
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
      others: [otherLoan("paid-out", { paidOutAt })],
      status: "PaymentProcessed",
    });
    expect(storedLoan?.presumedExtensionAt).toBe(expected);
  });
});
