import { orderEventKinds } from "@keepsats/protocol";
import { expect, test } from "vitest";
import { eventWords } from "./history-words.ts";

test.each(orderEventKinds)("the event %s is told in words that begin with a capital letter", (kind) => {
  const words = eventWords({ kind, from: "Pending", to: "Shipped" });
  expect(words).toMatch(/^[A-Z]/);
  expect(words).not.toBe(kind);
});

test("a move is told by the status that it leads to", () => {
  expect(eventWords({ kind: "moved", from: "PaymentProcessing", to: "PaymentProcessed" })).toBe("Paid");
  expect(eventWords({ kind: "moved", from: "PaymentProcessed", to: "Returned" })).toBe("Returned");
});

test("an event that this version does not know is told by its kind", () => {
  expect(eventWords({ kind: "gift-wrapped", from: "Pending", to: "Pending" })).toBe("gift-wrapped");
});
