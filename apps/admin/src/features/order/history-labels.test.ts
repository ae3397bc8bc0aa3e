import { issueKinds, orderEventKinds } from "@keepsats/protocol";
import { expect, test } from "vitest";
import { eventLabel, issueLabel, namesAuthor, reasonText } from "./history-labels.ts";

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
