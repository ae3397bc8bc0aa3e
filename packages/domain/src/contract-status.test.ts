import { expect, test } from "vitest";
import { contractMeaning, isDispute, loanAsset } from "./contract-status.ts";

test.each([
  ["processing", ["Requested", "RenewalRequested", "Approved", "CollateralSeen", "CollateralConfirmed"]],
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
])("%s: %j", (meaning, statuses) => {
  for (const status of statuses) expect(contractMeaning(status), status).toBe(meaning);
});

test("a dispute is told from other words", () => {
  expect(["DisputeBorrowerStarted", "Disputed", "Closed", ""].filter(isDispute)).toEqual([
    "DisputeBorrowerStarted",
    "Disputed",
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
    ["UsdcScamToken", "UsdcLiquid", "USD", "usd", "Usdx", "UsdPol", "USDP", "Btc", "", "constructor"],
  ],
])("%s: %j", (kind, assets) => {
  for (const asset of assets) expect(loanAsset(asset), asset).toBe(kind);
});
