/**
 * What the state of a loan contract means for the order that it pays:
 * - `processing`: the loan is on its way;
 * - `paid`: the principal has been given (and whatever becomes of the loan later, the shop has its money);
 * - `over`: this attempt will never pay;
 * - `unknown`: a state that proves neither, such as a dispute or a word we have never heard of. It changes nothing.
 */
export type ContractMeaning = "processing" | "paid" | "over" | "unknown";

/** Paid is a list of words that prove it, never a pattern and never a default. */
const statuses: Readonly<Record<Exclude<ContractMeaning, "unknown">, readonly string[]>> = {
  processing: ["Requested", "RenewalRequested", "Approved", "CollateralSeen", "CollateralConfirmed"],
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

const meanings: ReadonlyMap<string, ContractMeaning> = new Map([
  ...statuses.processing.map((status) => [status, "processing"] as const),
  ...statuses.paid.map((status) => [status, "paid"] as const),
  ...statuses.over.map((status) => [status, "over"] as const),
]);

/**
 * What a provider's contract status means for the order.
 *
 * @param status as the provider spells it
 */
export function contractMeaning(status: string): ContractMeaning {
  return meanings.get(status) ?? "unknown";
}

/** Whether a status says that there is a dispute. One can be opened before the principal is given: it proves no payment. */
export function isDispute(status: string): boolean {
  return status.startsWith("Dispute");
}

/** The status of a loan that another contract goes on with; that one starts as `PrincipalGiven` and brings no money. */
export const EXTENDED = "Extended";

const assets: ReadonlyMap<string, "dollar" | "other"> = new Map([
  ...[
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
  ].map((asset) => [asset, "dollar"] as const),
  ...["Eur", "Chf", "Mxn"].map((asset) => [asset, "other"] as const),
]);

/**
 * What is lent: a dollar (US dollars, or USDC or USDT on a network that is known), something else that is known, or
 * something that nobody here has heard of. A list, for anybody can name a token `UsdcSomething`.
 *
 * @param asset as the provider spells it
 */
export function loanAsset(asset: string): "dollar" | "other" | "unknown" {
  return assets.get(asset) ?? "unknown";
}
