/**
 * What the state of a loan contract means for the order that it pays:
 * - `processing`: the loan is on its way;
 * - `paid`: the principal has been given (and whatever becomes of the loan later, the shop has its money);
 * - `over`: this attempt will never pay;
 * - `unknown`: a state we have never heard of, which changes nothing.
 */
export type ContractMeaning = "processing" | "paid" | "over" | "unknown";

const meanings: ReadonlyMap<string, ContractMeaning> = new Map([
  ...["Requested", "RenewalRequested", "Approved", "CollateralSeen", "CollateralConfirmed"].map(
    (status) => [status, "processing"] as const,
  ),
  ...[
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
  ].map((status) => [status, "paid"] as const),
  ...["Rejected", "Cancelled", "RequestExpired", "ApprovalExpired"].map(
    (status) => [status, "over"] as const,
  ),
]);

/**
 * What a provider's contract status means for the order. All `Dispute…` states come after the principal was given.
 *
 * @param status as the provider spells it
 */
export function contractMeaning(status: string): ContractMeaning {
  if (status.startsWith("Dispute")) return "paid";
  return meanings.get(status) ?? "unknown";
}

const dollarAsset = /^(?:USD[CT]?|Usd|Usd[ct](?:[A-Z][A-Za-z0-9]*)?)$/;

/**
 * Whether what is lent is a dollar: USD, USDC or USDT, on whatever network (`Usd`, `UsdcPol`, `UsdtEth`, …).
 *
 * @param asset as the provider spells it
 */
export function isDollarAsset(asset: string): boolean {
  return dollarAsset.test(asset);
}
