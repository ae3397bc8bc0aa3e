import { expect, test } from "vitest";
import { actorLabel, statusChangeText } from "./order-labels.tsx";

test("the author of a change is named", () => {
  expect(actorLabel({ by: "staff", by_name: "Ada" })).toBe("Ada");
  expect(actorLabel({ by: "provider", by_name: null })).toBe("the lender");
  expect(actorLabel({ by: "robot", by_name: null })).toBe("robot");
});

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
