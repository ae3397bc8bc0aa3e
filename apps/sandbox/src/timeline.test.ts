import { expect, test } from "vitest";
import { termsFor } from "./terms.ts";
import { stateAt, timelineOf } from "./timeline.ts";

test("a loan walks through its states, one step each, and stays at the last", () => {
  const seen = [0, 999, 1_000, 2_500, 3_000, 4_000, 1e12].map((age) => stateAt("none", age, 1_000).status);
  expect(seen).toEqual([
    "Requested",
    "Requested",
    "Approved",
    "CollateralSeen",
    "CollateralConfirmed",
    "PrincipalGiven",
    "PrincipalGiven",
  ]);
});

test("a clock that is set back does not confuse it", () => {
  expect(stateAt("none", -5_000, 1_000)).toEqual({ status: "Requested", since: 0 });
});

test("dials end it otherwise", () => {
  expect(timelineOf("reject").at(-1)).toBe("Rejected");
  expect(timelineOf("expire").at(-1)).toBe("ApprovalExpired");
  expect(timelineOf("wrong-amount").at(-1)).toBe("PrincipalGiven");
});

test("the terms follow from amount, loan-to-value and price", () => {
  expect(termsFor(73_000)).toMatchObject({
    amount: "$730.00",
    collateral: "0.01460000 BTC",
    repay: "$795.70",
  });
  expect(termsFor(1).collateral).toBe("0.00000020 BTC");
});
