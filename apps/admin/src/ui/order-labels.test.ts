import { expect, test } from "vitest";
import { statusChangeText } from "./order-labels.tsx";

function event(from: string | null, to: string, by_name: string | null = null, by = "staff") {
  return {
    kind: "moved",
    from,
    to,
    by,
    by_name,
    reason: null,
    message: null,
    detail: null,
    at: 1_000_000,
  };
}

test("a late change is answered with the current status, its author and its age", () => {
  const events = [
    event(null, "Pending", null, "customer"),
    event("PaymentProcessed", "Shipped", "Ada"),
  ];
  expect(statusChangeText({ status: "Shipped", events }, 1_020_000)).toBe(
    "Shipped by Ada a moment ago",
  );
  expect(statusChangeText({ status: "Shipped", events }, 1_300_000)).toBe(
    "Shipped by Ada 5 minutes ago",
  );
});

test("an event that does not change the status is ignored", () => {
  const events = [
    event("Pending", "Cancelled", null, "customer"),
    event("Cancelled", "Cancelled", "Ada"),
  ];
  expect(statusChangeText({ status: "Cancelled", events }, 1_000_000)).toBe(
    "Cancelled by the customer a moment ago",
  );
});

test("a status without an event has no author", () => {
  expect(statusChangeText({ status: "Returned", events: [] }, 0)).toBe("Returned now");
});
