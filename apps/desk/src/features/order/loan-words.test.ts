import { expect, test } from "vitest";
import { loanWords } from "./loan-words.ts";

test.each([
  ["CollateralSeen", "processing", "The collateral is on its way"],
  ["PrincipalGiven", "paid", "The lender has paid"],
  ["ClosedByRecovery", "over", "The lender did not pay; the collateral is back"],
  ["DisputeStarted", "unknown", "Disputed between shopper and lender"],
])("a loan that is %s is told in words", (status, meaning, words) => {
  expect(loanWords(status, meaning)).toBe(words);
});

test("a status that is not known is named with its meaning", () => {
  expect(loanWords("Teleported", "processing")).toBe("The loan is under way (Teleported)");
  expect(loanWords("Teleported", "something new")).toBe("something new (Teleported)");
});
