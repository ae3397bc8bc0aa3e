import { expect, test } from "vitest";
import { openLoansText } from "./open-loans.ts";

test("after the cancellation the active loans are counted", () => {
  expect(openLoansText([])).toBe("");
  expect(openLoansText([{}, {}])).toMatch(/^2 loans may still be paid out\./);
});
