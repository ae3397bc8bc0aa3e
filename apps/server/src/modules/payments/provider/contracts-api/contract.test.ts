import { expect, test } from "vitest";
import { assetKind, isDispute, isExtended, stateOf } from "./contract.ts";

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
    "dollar",
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
  ["other", ["Eur", "Chf", "Mxn"]],
  [
    "unknown",
    [
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
])("%s: %j", (kind, assets) => {
  for (const asset of assets) expect(assetKind(asset), asset).toBe(kind);
});
