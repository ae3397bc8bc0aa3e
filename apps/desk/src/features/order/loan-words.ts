/** What the statuses of the loan provider mean for staff. */
const words: Readonly<Record<string, string>> = {
  Requested: "The shopper has asked for the loan",
  RenewalRequested: "The shopper has asked to renew the loan",
  Approved: "The lender agrees and waits for the collateral",
  CollateralSeen: "The collateral is on its way",
  CollateralConfirmed: "The collateral has arrived",
  PrincipalGiven: "The lender has paid",
  RepaymentProvided: "Paid; the shopper has repaid, not yet confirmed",
  RepaymentConfirmed: "Paid; the shopper has repaid",
  Undercollateralized: "Paid; the shopper owes the lender more collateral",
  Defaulted: "Paid; the shopper did not repay the lender",
  Extended: "Paid; another loan continues it",
  Closing: "Paid; the loan is being closed",
  Closed: "Paid; the loan is closed",
  ClosingByClaim: "Paid; the lender takes the collateral",
  ClosingByLiquidation: "Paid; the lender sells the collateral",
  ClosedByLiquidation: "Paid; the lender has sold the collateral",
  ClosingByDefaulting: "Paid; closed without repayment",
  ClosedByDefaulting: "Paid; closed without repayment",
  Rejected: "The lender has declined",
  Cancelled: "The loan was cancelled",
  RequestExpired: "The request has expired",
  ApprovalExpired: "The collateral did not arrive in time",
  CollateralRecoverable: "The lender did not pay; the collateral goes back",
  ClosingByRecovery: "The lender did not pay; the collateral goes back",
  ClosedByRecovery: "The lender did not pay; the collateral is back",
};

/** What the meaning of a loan is, where its status has no words of its own. */
const meanings: Readonly<Record<string, string>> = {
  processing: "The loan is under way",
  paid: "The lender has paid",
  over: "The loan came to nothing",
  unknown: "Not clear: ask the lender",
};

/**
 * A loan in words for people.
 *
 * @param status the provider's own; one that is not known is named with what the shop makes of it
 * @param meaning of the protocol; empty if it is not known
 */
export function loanWords(status: string, meaning: string): string {
  if (status.startsWith("Dispute")) return "Disputed between shopper and lender";
  if (words[status] !== undefined) return words[status];
  return meaning === "" ? status : `${meanings[meaning] ?? meaning} (${status})`;
}
