import { describe, expect, test } from "vitest";
import {
  account,
  entry,
  euros,
  granted,
  grantReversed,
  ORDER,
  otherLoan,
  paidTwice,
  received,
  reversed,
  stored,
  stray,
  underpaid,
  unknown,
} from "../../../../../../test/harness/loan-accounts.ts";
import { OTHER_ORDER } from "../../../../../../test/harness/loan-reports.ts";
import { extensionEntries } from "./extensions.ts";
import { issueChanges, moneyIssues } from "./issues.ts";
import type { KnownIssue, LoanAccount } from "./types.ts";

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
      paidTwice,
      ["duplicate: It was paid out, but the order had been paid already."],
    ],
    [
      "that is cancelled",
      account("Cancelled"),
      ["paid-after-cancel: It was paid out, and the order is cancelled."],
    ],
    [
      "that was renamed",
      account("PaymentProcessing", { namedOrderId: OTHER_ORDER, refusal: "unknown-order" }),
      [`unknown-order: It belongs to order ${ORDER}, and was paid out for order ${OTHER_ORDER}.`],
    ],
    ["with a granted refund", granted(500), []],
    [
      "whose granted refund did not arrive",
      granted(500, grantReversed(500)),
      ["overpaid: A granted refund of $5.00 did not arrive, and is due again."],
    ],
    [
      "whose price was granted as a whole, which did not arrive",
      granted(1_200, grantReversed(1_200)),
      ["overpaid: A granted refund of $12.00 did not arrive, and is due again."],
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
        loans: [stored("paid-out"), otherLoan("paid-out", { paidOutAt: 2 })],
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
    orderId: ORDER,
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
      ...paidTwice,
      loans: [stored("paid-out", { wasExtended: true }), otherLoan("paid-out", { paidOutAt: 2 })],
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
