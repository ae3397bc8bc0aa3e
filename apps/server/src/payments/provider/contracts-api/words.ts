import type { Standing } from "../../loan.ts";

/** Paid is a list of words that prove it, never a pattern and never a default. */
const statuses: Readonly<Record<Exclude<Standing, "unclear">, readonly string[]>> = {
  "under-way": ["Requested", "RenewalRequested", "Approved", "CollateralSeen", "CollateralConfirmed"],
  paid: [
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
  over: [
    "Rejected",
    "Cancelled",
    "RequestExpired",
    "ApprovalExpired",
    // The collateral goes back because the principal was never given.
    "CollateralRecoverable",
    "ClosingByRecovery",
    "ClosedByRecovery",
  ],
};

const standings: ReadonlyMap<string, Standing> = new Map([
  ...statuses["under-way"].map((status) => [status, "under-way"] as const),
  ...statuses.paid.map((status) => [status, "paid"] as const),
  ...statuses.over.map((status) => [status, "over"] as const),
]);

/** How a loan of this status stands. @param status as the provider spells it */
export function standingOf(status: string): Standing {
  return standings.get(status) ?? "unclear";
}

/** Whether a status says that there is a dispute. One can be opened before the principal is given: it proves no payment. */
export function isDispute(status: string): boolean {
  return status.startsWith("Dispute");
}

/**
 * Whether a status says that another contract goes on with this one. The provider tells that other contract as
 * `PrincipalGiven` from its start, and it brings no money of its own.
 */
export function isExtended(status: string): boolean {
  return status === "Extended";
}

/** US dollars, and USDC or USDT on the networks that are known. A list, for anybody can name a token `UsdcSomething`. */
const dollars: ReadonlySet<string> = new Set([
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
]);

const others: ReadonlySet<string> = new Set(["Eur", "Chf", "Mxn"]);

/** What an asset is. @param asset as the provider spells it */
export function assetKind(asset: string): "dollar" | "other" | "unknown" {
  if (dollars.has(asset)) return "dollar";
  return others.has(asset) ? "other" : "unknown";
}
