import { expect, test } from "vitest";
import { contractMeaning, isDollarAsset } from "./contract-status.ts";

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
      "ClosedByLiquidation",
      "ClosedByDefaulting",
      "DisputeBorrowerStarted",
      "DisputeLenderResolved",
    ],
  ],
  ["over", ["Rejected", "Cancelled", "RequestExpired", "ApprovalExpired"]],
  ["unknown", ["", "principalgiven", "Teleported", "constructor", "__proto__"]],
])("%s: %j", (meaning, statuses) => {
  for (const status of statuses) expect(contractMeaning(status), status).toBe(meaning);
});

test.each(["Usd", "UsdcPol", "UsdtEth", "UsdcStrk", "UsdtSol", "USDC", "USDT", "USD", "UsdcEth"])(
  "%s is a dollar",
  (asset) => {
    expect(isDollarAsset(asset)).toBe(true);
  },
);

test.each([
  "Eur",
  "Chf",
  "Btc",
  "",
  "Usdx",
  "UsdX",
  "UsdPol",
  "USDD",
  "USDP",
  "UsdollarX",
  "EurcPol",
  "XUsd",
  "Mxn",
])("%j is no dollar", (asset) => {
  expect(isDollarAsset(asset)).toBe(false);
});
