import { expect, test } from "vitest";
import { assetKind, isDispute, isExtended, standingOf } from "./words.ts";

test.each([
  [
    "under-way",
    ["Requested", "RenewalRequested", "Approved", "CollateralSeen", "CollateralConfirmed"],
  ],
  [
    "paid",
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
    "over",
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
    "unclear",
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
])("%s: %j", (standing, statuses) => {
  for (const status of statuses) expect(standingOf(status), status).toBe(standing);
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
