import { journalKinds } from "@keepsats/domain";
import { expect, test } from "vitest";
import { entryLabel } from "./journal-labels.ts";

test.each(journalKinds)("an entry %s has a label with a capital letter", (kind) => {
  expect(entryLabel({ kind, amount: 1_200 })).toMatch(/^[A-Z]/);
});

test("an entry that undoes a decision says so", () => {
  expect(entryLabel({ kind: "waived", amount: -480 })).toBe("Waived: undone");
  expect(entryLabel({ kind: "reversed", amount: -1_200 })).toBe("Payout reversed");
});

test("an entry of unknown amount, or of an unknown kind, has a label", () => {
  expect(entryLabel({ kind: "received", amount: null })).toBe("Received");
  expect(entryLabel({ kind: "lent", amount: null })).toBe("lent");
});
