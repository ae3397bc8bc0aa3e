import type { LoanState } from "@keepsats/protocol";

/**
 * The state of each known status. Only the listed statuses prove a payment: there is no pattern
 * and no default for `paid-out`.
 */
const statuses: Readonly<Record<Exclude<LoanState, "unknown">, readonly string[]>> = {
  active: ["Requested", "RenewalRequested", "Approved", "CollateralSeen", "CollateralConfirmed"],
  "paid-out": [
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
  ended: [
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

const states: ReadonlyMap<string, LoanState> = new Map([
  ...statuses.active.map((status) => [status, "active"] as const),
  ...statuses["paid-out"].map((status) => [status, "paid-out"] as const),
  ...statuses.ended.map((status) => [status, "ended"] as const),
]);

/** The state of a loan with this status. @param status as the provider spells it */
export function stateOf(status: string): LoanState {
  return states.get(status) ?? "unknown";
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
