import { expect, test } from "vitest";
import { byWords, lateText } from "./order-words.ts";

test("who made a change is named if they have a name", () => {
  expect(byWords({ by: "merchant", by_name: "Ada" })).toBe("Ada");
  expect(byWords({ by: "provider", by_name: null })).toBe("the lender");
  expect(byWords({ by: "somebody new", by_name: null })).toBe("somebody new");
});

function event(from: string | null, to: string, by_name: string | null = null, by = "merchant") {
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

test("whoever is late is told what the order is now, by whom and since when", () => {
  const events = [
    event(null, "Pending", null, "shopper"),
    event("PaymentProcessed", "Shipped", "Ada"),
  ];
  expect(lateText({ status: "Shipped", events }, 1_020_000)).toBe("Shipped by Ada a moment ago");
  expect(lateText({ status: "Shipped", events }, 1_300_000)).toBe("Shipped by Ada 5 minutes ago");
});

test("a later event that moves nothing is not the reason", () => {
  const events = [
    event("Pending", "Cancelled", null, "shopper"),
    event("Cancelled", "Cancelled", "Ada"),
  ];
  expect(lateText({ status: "Cancelled", events }, 1_000_000)).toBe(
    "Cancelled by the shopper a moment ago",
  );
});

test("a status without an event is told as it is", () => {
  expect(lateText({ status: "Returned", events: [] }, 0)).toBe("Returned now");
});
