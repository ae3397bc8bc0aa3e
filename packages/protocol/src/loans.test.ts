import { expect, test } from "vitest";
import { openLoansIn } from "./loans.ts";

test("a loan may still be paid out while it is active or unknown, and has no journal entry", () => {
  const loans = ["active", "unknown", "paid-out", "ended"].map((state) => ({ id: state, state }));
  const disputed = { id: "paid before its dispute", state: "unknown" };
  const entries = [{ loan_id: disputed.id }, { loan_id: "paid-out" }];
  expect(openLoansIn([...loans, disputed], { entries }).map(({ id }) => id)).toEqual([
    "active",
    "unknown",
  ]);
});
