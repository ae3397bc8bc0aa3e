import type { Standing } from "../../loan.ts";

/**
 * The standing of each known status. Only the listed statuses prove a payment: there is no pattern
 * and no default for `paid`.
 */
const statuses: Readonly<Record<Exclude<Standing, "unclear">, readonly string[]>> = {
  "under-way": [
    "Requested",
    "RenewalRequested",
    "Approved",
    "CollateralSeen",
    "CollateralConfirmed",
  ],
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
    // The collateral is returned because the principal was never paid out.
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

/** The standing of a loan with this status. @param status as the provider spells it */
export function standingOf(status: string): Standing {
  return standings.get(status) ?? "unclear";
}

/**
 * Whether a status reports a dispute. A dispute can be opened before the payout, so it does not
 * prove a payment.
 */
export function isDispute(status: string): boolean {
  return status.startsWith("Dispute");
}

/**
 * Whether a status says that another contract extends this one. The provider reports that contract
 * as `PrincipalGiven` from its start; it brings no money of its own.
 */
export function isExtended(status: string): boolean {
  return status === "Extended";
}

/**
 * US dollars, and USDC or USDT on known networks. It is a list and not a pattern, because anybody
 * can name a token `UsdcSomething`.
 */
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

/** Classifies an asset. @param asset as the provider spells it */

export function assetKind(asset: string): "dollar" | "other" | "unknown" {
  if (dollars.has(asset)) return "dollar";
  return others.has(asset) ? "other" : "unknown";
}
