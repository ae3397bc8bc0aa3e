import { expect, test } from "vitest";
import { loanLabel } from "./loan-labels.ts";

test.each([
  ["CollateralSeen", "active", "The collateral is on its way"],
  ["PrincipalGiven", "paid-out", "The loan provider has paid"],
  ["ClosedByRecovery", "ended", "The loan provider did not pay; the collateral was returned"],
  ["DisputeStarted", "unknown", "Disputed between customer and loan provider"],
])("the status %s has its own label", (status, state, label) => {
  expect(loanLabel(status, state)).toBe(label);
});

test("an unknown status is shown with the state of the loan", () => {
  expect(loanLabel("Teleported", "active")).toBe("The loan is active (Teleported)");
  expect(loanLabel("Teleported", "something new")).toBe("something new (Teleported)");
});
