import type { Resolution } from "@keepsats/protocol";
import { describe, expect, test } from "vitest";
import {
  account,
  decisionInShort,
  entry,
  euros,
  paidTwice,
  received,
  reversed,
  stray,
  underpaid,
  unknown,
} from "../../../../../../test/harness/loan-accounts.ts";
import { Refusal } from "../../../platform/refusal.ts";
import { reopeningOf, resolutionOf } from "./decisions.ts";
import type { KnownIssue, LoanAccount } from "./types.ts";

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
  const all = { reversed, stray, paidTwice };
  type Row = [kind: string, what: string, LoanAccount, Resolution, expected: string];
  test.each<Row>([
    [
      "underpaid",
      "that awaits",
      underpaid("Pending"),
      "accepted",
      "→ PaymentProcessed, refusal none, waived 480",
    ],
    ["underpaid", "that awaits", underpaid("Pending"), "refunded", "refund_due"],
    ["underpaid", "that awaits", underpaid("Pending"), "dismissed", "money_open"],
    ["underpaid", "that awaits", underpaid("Pending"), "written-off", "nothing_to_write_off"],
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
      "not_acceptable",
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
    ["underpaid", "of unknown amount", unknown("Pending"), "refunded", "amount_unknown"],
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
    ["unknown-order", "without an order", all.stray, "dismissed", "money_open"],
    [
      "overpaid",
      "by $3.00",
      account("PaymentProcessed", { cents: 1_500 }),
      "accepted",
      "-, kept 300",
    ],
    ["paid-after-cancel", "not refunded", account("Cancelled"), "refunded", "refund_due"],
    ["changed-after-payout", "reversed", all.reversed, "written-off", "-, written-off 1200"],
    ["changed-after-payout", "reversed", all.reversed, "dismissed", "-"],
    ["changed-after-payout", "reversed", all.reversed, "refunded", "nothing_refunded"],
    ["changed-after-payout", "reversed", all.reversed, "accepted", "not_acceptable"],
    ["disputed", "of a paid order", account("PaymentProcessed"), "dismissed", "-"],
    [
      "disputed",
      "of a paid order",
      account("PaymentProcessed"),
      "written-off",
      "nothing_to_write_off",
    ],
  ])("%s, %s", (kind, _, some, resolution, expected) => {
    expect(decisionInShort(resolutionOf(issue(kind, some), resolution, some))).toBe(expected);
  });

  test("says how much must be refunded first", () => {
    const duplicate = issue("duplicate", paidTwice, { loanId: "other" });
    expect(resolutionOf(duplicate, "refunded", paidTwice)).toEqual(
      new Refusal("refund_due", {
        detail: "Record a refund of $12.00 first.",
        refund_due: 1_200,
        currency: "USD",
      }),
    );
    expect(
      resolutionOf(issue("underpaid", unknown("Pending")), "refunded", unknown("Pending")),
    ).toMatchObject({ code: "amount_unknown" });
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
      "refund_stands",
    ],
    [
      "by the shop, because its money pays the order",
      "duplicate",
      "dismissed",
      account("PaymentProcessed"),
      "nothing_open",
    ],
    ["not at all", "underpaid", undefined, underpaid("Pending"), "not_resolved"],
  ])("%s", (_, kind, resolution, some, expected) => {
    expect(decisionInShort(reopeningOf(issue(kind, some, { resolution }), some))).toBe(expected);
  });
});
