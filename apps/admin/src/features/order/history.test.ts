import { type AdminOrder, issueKinds, orderEventKinds } from "@keepsats/protocol";
import { expect, test } from "vitest";
import { anIssue } from "../../lib/order.test-data.ts";
import { eventLabel, historyEntries, issueLabel, namesAuthor, reasonText } from "./history.tsx";

test.each(orderEventKinds)("the event %s has a label with a capital letter", (kind) => {
  const label = eventLabel({ kind, from: "Pending", to: "Shipped" });
  expect(label).toMatch(/^[A-Z]/);
  expect(label).not.toBe(kind);
});

test("a status change has the label of the new status", () => {
  expect(eventLabel({ kind: "moved", from: "PaymentProcessing", to: "PaymentProcessed" })).toBe(
    "Paid",
  );
  expect(eventLabel({ kind: "moved", from: "PaymentProcessed", to: "Returned" })).toBe("Returned");
});

test("an unknown event is shown as its kind", () => {
  expect(eventLabel({ kind: "gift-wrapped", from: "Pending", to: "Pending" })).toBe("gift-wrapped");
});

test.each([
  [
    "loan 2b89cdde-1111-4222-8333-444444444444: PrincipalGiven",
    "The loan provider has paid (loan 2b89cdde)",
  ],
  [
    "loan 2b89cdde-1111-4222-8333-444444444444: Rejected",
    "Declined by the loan provider (loan 2b89cdde)",
  ],
  ["loan loan-7: accepted", "Accepted as full payment (loan loan-7)"],
  ["loan loan-7: Teleported", "Teleported (loan loan-7)"],
  ["loan with the carrier: late", "loan with the carrier: late"],
  ["broken in the stock", "broken in the stock"],
])("the text of the reason %j is %j", (reason, text) => {
  expect(reasonText(reason)).toBe(text);
});

test.each(issueKinds)("a payment issue %s has a label with a capital letter", (kind) => {
  expect(issueLabel({ kind })).toMatch(/^[A-Z]/);
});

test("a payment issue of a newer server is shown as its kind", () => {
  expect(issueLabel({ kind: "stolen" })).toBe("stolen");
});

test.each([
  ["provider", "Pending", false],
  ["provider", "PaymentProcessing", false],
  ["provider", "PaymentProcessed", true],
  ["staff", "Cancelled", true],
])("a change by %s to %s names its author: %s", (by, to, names) => {
  expect(namesAuthor({ by, to })).toBe(names);
});

const event = (at: number, reason: string | null = null): AdminOrder["events"][number] => ({
  kind: "moved",
  from: "Pending",
  to: "Cancelled",
  by: "provider",
  by_name: null,
  reason,
  message: null,
  detail: null,
  at,
});
const issue = (opened_at: number) => anIssue({ id: `opened ${opened_at}`, opened_at });
const shown = (events: number[], issues: number[]) =>
  historyEntries({
    events: events.map((at) => event(at)),
    payment_issues: issues.map(issue),
  }).map(({ key, at }) => (key.startsWith("opened") ? key : at));

test("the history is sorted by time, newest first, a payment issue by the time it was opened", () => {
  expect(shown([1, 5], [8])).toEqual(["opened 8", 5, 1]);
  expect(shown([1, 5, 9], [8])).toEqual([9, "opened 8", 5, 1]);
});

test("a payment issue precedes an event of the same second", () => {
  expect(shown([1, 8], [8])).toEqual([8, "opened 8", 1]);
});

test("the reason of an event is shown as a text", () => {
  const events = [event(1, "loan 2b89cdde-0000-4000-8000-000000000000: PrincipalGiven")];
  expect(historyEntries({ events, payment_issues: [] })).toMatchObject([
    { details: ["The loan provider has paid (loan 2b89cdde)"] },
  ]);
});
