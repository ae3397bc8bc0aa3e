import { expect, test } from "vitest";
import { dollars, isDispute, isExtended, stateOf } from "./contract.ts";

test.each([
  [
    "active",
    ["Requested", "RenewalRequested", "Approved", "CollateralSeen", "CollateralConfirmed"],
  ],
  [
    "paid-out",
    [
      "PrincipalGiven",
      "RepaymentProvided",
      "RepaymentConfirmed",
      "Undercollateralized",
      "Defaulted",
      "Extended",
      "Closing",
      "Closed",
      "ClosingByClaim",
      "ClosingByLiquidation",
      "ClosedByLiquidation",
      "ClosingByDefaulting",
      "ClosedByDefaulting",
    ],
  ],
  [
    "ended",
    [
      "Rejected",
      "Cancelled",
      "RequestExpired",
      "ApprovalExpired",
      "CollateralRecoverable",
      "ClosingByRecovery",
      "ClosedByRecovery",
    ],
  ],
  [
    "unknown",
    [
      "DisputeBorrowerStarted",
      "DisputeLenderStarted",
      "DisputeBorrowerResolved",
      "DisputeLenderResolved",
      "ClosedBySomethingNew",
      "",
      "principalgiven",
      "Teleported",
      "constructor",
      "__proto__",
    ],
  ],
])("%s: %j", (state, statuses) => {
  for (const status of statuses) expect(stateOf(status), status).toBe(state);
});

test("disputes are distinguished from other statuses", () => {
  expect(["DisputeBorrowerStarted", "Disputed", "Closed", ""].filter(isDispute)).toEqual([
    "DisputeBorrowerStarted",
    "Disputed",
  ]);
});

test("extensions are distinguished from other statuses of paid loans", () => {
  expect(["Extended", "PrincipalGiven", "Closed", "extended"].filter(isExtended)).toEqual([
    "Extended",
  ]);
});

test.each([
  [
    true,
    [
      "Usd",
      "UsdcPol",
      "UsdtPol",
      "UsdcEth",
      "UsdtEth",
      "UsdcStrk",
      "UsdtStrk",
      "UsdcSol",
      "UsdtSol",
      "UsdtLiquid",
    ],
  ],
  [
    false,
    [
      "Eur",
      "Chf",
      "Mxn",
      "UsdcScamToken",
      "UsdcLiquid",
      "USD",
      "usd",
      "Usdx",
      "UsdPol",
      "USDP",
      "Btc",
      "",
      "constructor",
    ],
  ],
])("counts as dollars, %s: %j", (isDollar, assets) => {
  for (const asset of assets) expect(dollars.has(asset), asset).toBe(isDollar);
});
