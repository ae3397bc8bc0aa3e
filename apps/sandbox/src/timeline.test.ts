import { expect, test } from "vitest";
import { termsFor } from "./terms.ts";
import { statusAt, timelineOf } from "./timeline.ts";

test("a contract has each status for one step and then keeps the last one", () => {
  const seen = [0, 999, 1_000, 2_500, 3_000, 4_000, 1e12].map(
    (age) => statusAt("none", age, 1_000).status,
  );
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

test("a contract from the future, after the clock was set back, has the first status", () => {
  expect(statusAt("none", -5_000, 1_000)).toEqual({ status: "Requested", since: 0 });
});

test("reject and expire end in their own status, all other failures in PrincipalGiven", () => {
  expect(timelineOf("reject").at(-1)).toBe("Rejected");
  expect(timelineOf("expire").at(-1)).toBe("ApprovalExpired");
  expect(timelineOf("wrong-amount").at(-1)).toBe("PrincipalGiven");
});

test("collateral and repayment are computed from the amount, the loan-to-value and the bitcoin price", () => {
  expect(termsFor(73_000)).toMatchObject({
    amount: "$730.00",
    collateral: "0.01460000 BTC",
    repay: "$795.70",
  });
  expect(termsFor(1).collateral).toBe("0.00000020 BTC");
});
